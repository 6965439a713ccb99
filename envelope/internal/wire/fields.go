package wire

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// Fields is a JSON object whose members keep their order.
type Fields []Field

// A Field is one member of Fields. Value is valid JSON.
type Field struct {
	Name  string
	Value json.RawMessage
}

// Get returns the value of a member, or nil if none exists.
func (f Fields) Get(name string) json.RawMessage {
	if i := f.index(name); i >= 0 {
		return f[i].Value
	}
	return nil
}

func (f Fields) index(name string) int {
	return slices.IndexFunc(f, func(m Field) bool { return m.Name == name })
}

// FieldsIn returns the members of a well-formed object, without copying it.
func FieldsIn(object json.RawMessage) Fields {
	var out Fields
	for name, value := range jsontext.Members(object) {
		if out == nil {
			out = make(Fields, 0, 8)
		}
		out = append(out, Field{name, value})
	}
	return out
}

// Add appends a member, unless there is one of that name.
func (f *Fields) Add(name string, value json.RawMessage) {
	if f.index(name) < 0 {
		*f = append(*f, Field{name, value})
	}
}

// Set sets the value of a member, which it appends if none exists.
func (f *Fields) Set(name string, value json.RawMessage) {
	if i := f.index(name); i >= 0 {
		(*f)[i].Value = value
		return
	}
	*f = append(*f, Field{name, value})
}

// Take removes a member and returns its value, nil if none exists.
func (f *Fields) Take(name string) json.RawMessage {
	value := f.Get(name)
	if value != nil {
		*f = f.Without(name)
	}
	return value
}

// Without returns the members except those with the given names.
func (f Fields) Without(names ...string) Fields {
	var out Fields
	for _, m := range f {
		if !slices.Contains(names, m.Name) {
			out = append(out, m)
		}
	}
	return out
}

// Clashes reports whether f and other have a member of the same name.
func (f Fields) Clashes(other Fields) bool {
	return slices.ContainsFunc(other, func(m Field) bool { return f.index(m.Name) >= 0 })
}

// The functions here read one member that may be of any type.

// StringIn returns the text of a JSON string, "" for anything else.
func StringIn(raw json.RawMessage) string {
	if jsontext.Kind(raw) != '"' {
		return ""
	}
	return string(jsontext.Unquote(jsontext.TrimSpace(raw)))
}

// StringsIn returns the strings of an array, nil for anything else.
func StringsIn(raw json.RawMessage) []string {
	var list []string
	for _, element := range jsontext.Elements(raw) {
		list = append(list, StringIn(element))
	}
	return list
}

// CountIn returns the value of a JSON integer of at least 0, nil for anything else.
func CountIn(raw json.RawMessage) *Count {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n < 0 {
		return nil
	}
	c := Count(n)
	return &c
}

// BoolIn returns the value of a JSON boolean, nil for anything else.
func BoolIn(raw json.RawMessage) *bool {
	b := string(raw) == "true"
	if !b && string(raw) != "false" {
		return nil
	}
	return &b
}

// IntIn returns the value of a JSON integer, nil for anything else.
func IntIn(raw json.RawMessage) *int {
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		return nil
	}
	return &n
}

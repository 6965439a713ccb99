package envelope

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/envwrap/envwrap/internal/jsontext"
)

// Get returns the value of a member, nil where there is none.
func (f Fields) Get(name string) json.RawMessage {
	if i := f.index(name); i >= 0 {
		return f[i].Value
	}
	return nil
}

func (f Fields) index(name string) int {
	return slices.IndexFunc(f, func(m Field) bool { return m.Name == name })
}

// MarshalJSON makes Fields one JSON object.
func (f Fields) MarshalJSON() ([]byte, error) { return compact(f) }

// UnmarshalJSON takes one JSON object. The values do not share its memory.
func (f *Fields) UnmarshalJSON(object []byte) error {
	*f = fieldsIn(slices.Clone(object))
	return nil
}

// fieldsIn are the members of a well-formed object, in its memory.
func fieldsIn(object json.RawMessage) Fields {
	var out Fields
	for name, value := range jsontext.Members(object) {
		if out == nil {
			out = make(Fields, 0, 8)
		}
		out = append(out, Field{name, value})
	}
	return out
}

// add puts a member at the end, unless its name is there already.
func (f *Fields) add(name string, value json.RawMessage) {
	if f.index(name) < 0 {
		*f = append(*f, Field{name, value})
	}
}

// set gives a member its value, in its place where it has one.
func (f *Fields) set(name string, value json.RawMessage) {
	if i := f.index(name); i >= 0 {
		(*f)[i].Value = value
		return
	}
	*f = append(*f, Field{name, value})
}

// put is add for a Go value; its zero is left out.
func (f *Fields) put(name string, value any) {
	if raw := encodeValue(value); raw != nil {
		f.add(name, raw)
	}
}

// without are the members whose names are not in names.
func (f Fields) without(names ...string) Fields {
	var out Fields
	for _, m := range f {
		if !slices.Contains(names, m.Name) {
			out = append(out, m)
		}
	}
	return out
}

// clashes reports whether both have a member of one name.
func (f Fields) clashes(other Fields) bool {
	return slices.ContainsFunc(other, func(m Field) bool { return f.index(m.Name) >= 0 })
}

// The functions here read one member that may be of any type.

// stringIn is the text of a JSON string, "" for anything else.
func stringIn(raw json.RawMessage) string {
	if jsontext.Kind(raw) != '"' {
		return ""
	}
	return string(jsontext.Unquote(jsontext.TrimSpace(raw)))
}

// stringsIn are the strings of an array, nil for anything else.
func stringsIn(raw json.RawMessage) []string {
	var list []string
	for _, element := range jsontext.Elements(raw) {
		list = append(list, stringIn(element))
	}
	return list
}

// countIn is an integer of at least 0, nil for anything else.
func countIn(raw json.RawMessage) *count {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n < 0 {
		return nil
	}
	c := count(n)
	return &c
}

// boolIn is a boolean, nil for anything else.
func boolIn(raw json.RawMessage) *bool {
	b := string(raw) == "true"
	if !b && string(raw) != "false" {
		return nil
	}
	return &b
}

// intIn is an integer, nil for anything else.
func intIn(raw json.RawMessage) *int {
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		return nil
	}
	return &n
}

package wire

import (
	"encoding/json"
	"slices"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// Put is add for a Go value; its zero is left out.
func (f *Fields) Put(name string, value any) {
	if raw := EncodeValue(value); raw != nil {
		f.Add(name, raw)
	}
}

// Edit changes an object among the members.
func (f Fields) Edit(name string, change func(*Fields)) {
	i := f.index(name)
	if i < 0 || jsontext.Kind(f[i].Value) != '{' {
		return
	}
	object := FieldsIn(f[i].Value)
	change(&object)
	f[i].Value = EncodeObject(object)
}

// Ordered returns the members in the order of a wire struct, those without a field
// last.
func (f Fields) Ordered(s *Shape) Fields {
	slices.SortStableFunc(f, func(a, b Field) int { return s.Place(a.Name) - s.Place(b.Name) })
	return f
}

// MarshalJSON returns f as a JSON object.
func (f Fields) MarshalJSON() ([]byte, error) { return Encode(f) }

// UnmarshalJSON reads a JSON object. The values are copies.
func (f *Fields) UnmarshalJSON(object []byte) error {
	*f = FieldsIn(slices.Clone(object))
	return nil
}

// Drop removes a member if it has a value.
func (f *Fields) Drop(name, value string) {
	if string(f.Get(name)) == value {
		*f = f.Without(name)
	}
}

// Default adds a member, whose value is JSON, if it is missing.
func (f *Fields) Default(name, value string) {
	if f.Get(name) == nil {
		f.Add(name, json.RawMessage(value))
	}
}

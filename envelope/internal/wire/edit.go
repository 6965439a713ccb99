package wire

import (
	"encoding/json"
	"slices"

	"github.com/envwrap/envwrap/internal/jsontext"
)

// Put is add for a Go value; its zero is left out.
func (f *Fields) Put(name string, value any) {
	if raw := EncodeValue(value); raw != nil {
		f.Add(name, raw)
	}
}

// Edit replaces an object among the members.
func (f Fields) Edit(name string, change func(*Fields)) {
	i := f.index(name)
	if i < 0 || jsontext.Kind(f[i].Value) != '{' {
		return
	}
	object := FieldsIn(f[i].Value)
	change(&object)
	f[i].Value = EncodeObject(object)
}

// Ordered returns the members in the order of a wire struct, those that it does not
// name last.
func (f Fields) Ordered(s *Shape) Fields {
	slices.SortStableFunc(f, func(a, b Field) int { return s.Place(a.Name) - s.Place(b.Name) })
	return f
}

// MarshalJSON makes Fields one JSON object.
func (f Fields) MarshalJSON() ([]byte, error) { return Encode(f) }

// UnmarshalJSON takes one JSON object. The values do not share its memory.
func (f *Fields) UnmarshalJSON(object []byte) error {
	*f = FieldsIn(slices.Clone(object))
	return nil
}

// Drop takes a member out where it has a value.
func (f *Fields) Drop(name, value string) {
	if string(f.Get(name)) == value {
		*f = f.Without(name)
	}
}

// Default adds a member that is missing.
func (f *Fields) Default(name, value string) {
	if f.Get(name) == nil {
		f.Add(name, json.RawMessage(value))
	}
}

package wire

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// TypeSchema returns the schema of a Go type.
func TypeSchema(t reflect.Type) Fields {
	if t.Kind() == reflect.Pointer {
		return TypeSchema(t.Elem())
	}
	if l := limitOf(t); l != nil {
		return limitSchema(t, l)
	}
	switch t {
	case rawType:
		return Fields{}
	case FieldsType:
		return kindSchema("object")
	case bytesType:
		base64 := `^([0-9A-Za-z+/]{4})*([0-9A-Za-z+/]{4}|[0-9A-Za-z+/]{3}=|[0-9A-Za-z+/]{2}==)$`
		return append(kindSchema("string"), Field{"contentEncoding", Quoted("base64")}, Field{"pattern", Quoted(base64)})
	}
	switch t.Kind() {
	case reflect.Interface:
		return Fields{}
	case reflect.Struct:
		return structSchema(t)
	case reflect.Slice:
		return append(kindSchema("array"), Field{"items", MustEncode(TypeSchema(t.Elem()))})
	case reflect.Map:
		return append(kindSchema("object"), Field{"additionalProperties", MustEncode(TypeSchema(reflect.TypeFor[Count]()))})
	case reflect.Bool:
		return kindSchema("boolean")
	case reflect.Int, reflect.Int64:
		return kindSchema("integer")
	case reflect.Float64:
		return kindSchema("number")
	}
	return kindSchema("string")
}

func structSchema(t reflect.Type) Fields {
	sh := ShapeOf(t)
	properties, required := Fields{}, []json.RawMessage{}
	for _, m := range sh.Members {
		properties.Add(m.Name, MustEncode(memberSchema(&m)))
		if !m.optional && !m.nullable {
			required = append(required, Quoted(m.Name))
		}
	}
	s := append(kindSchema("object"), Field{"properties", MustEncode(properties)})
	if len(required) > 0 {
		s.Add("required", List(required...))
	}
	if sh.rest < 0 {
		s.Add("additionalProperties", json.RawMessage("false"))
	}
	return s
}

func memberSchema(m *member) Fields {
	s := TypeSchema(m.Typ)
	if m.Limits != nil && limitOf(baseOf(m.Typ)) == nil {
		s.Add("minimum", MustEncode(m.Limits.min))
	}
	if m.present {
		s.Add("not", json.RawMessage(SchemaNull))
	}
	if m.object {
		s = kindSchema("object")
	}
	if m.Typ.Kind() == reflect.Pointer && (!m.optional || m.nullable) {
		s = Fields{{"anyOf", List(MustEncode(s), json.RawMessage(`{"type":"null"}`))}}
	}
	if m.Doc != "" {
		s = append(Fields{{"description", Quoted(m.Doc)}}, s...)
	}
	return s
}

func limitSchema(t reflect.Type, l *Limits) Fields {
	switch {
	case t.Kind() == reflect.Int64 && l.min == l.max && l.max != 0:
		return Fields{{"const", MustEncode(l.min)}}
	case t.Kind() == reflect.Int64:
		return append(kindSchema("integer"), Field{"minimum", MustEncode(l.min)})
	case l.Enum != nil:
		return Fields{{"enum", MustEncode(l.Enum)}}
	}
	return append(kindSchema("string"), Field{"pattern", Quoted(l.pattern)})
}

func kindSchema(kind string) Fields { return Fields{{"type", Quoted(kind)}} }

// Quoted returns s as a JSON string.
func Quoted(s string) json.RawMessage { return jsontext.AppendString(nil, s) }

// List returns an array of items.
func List(items ...json.RawMessage) json.RawMessage {
	return MustEncode(append([]json.RawMessage{}, items...))
}

// When returns a schema by which what the first schema accepts must fit the second.
func When(condition, then string) json.RawMessage {
	return json.RawMessage(`{"if":` + condition + `,"then":` + then + `}`)
}

// Has returns a schema for an object that has a member.
func Has(name string) string { return `{"required":["` + name + `"]}` }

// At returns a schema for the value at a path, if there is one.
func At(schema string, path ...string) string {
	for _, p := range slices.Backward(path) {
		schema = `{"properties":{"` + p + `":` + schema + `}}`
	}
	return schema
}

// Is returns a schema for an object whose member has a value.
func Is(name, value string) string {
	return `{"properties":{"` + name + `":{"const":"` + value + `"}},"required":["` + name + `"]}`
}

// Both returns a schema for what all of the given schemas accept.
func Both(schemas ...string) string { return `{"allOf":[` + strings.Join(schemas, ",") + `]}` }

// SchemaOf returns the schema of a wire struct.
func SchemaOf[T any]() string { return string(MustEncode(TypeSchema(reflect.TypeFor[T]()))) }

// Schemas that accept null, a text that is not empty, and nothing.
const (
	SchemaNull = `{"type":"null"}`
	SchemaText = `{"type":"string","minLength":1}`
	SchemaNone = `false`
)

// Describe returns the schema of the wire struct that v points to.
func Describe(v any) string { return string(MustEncode(TypeSchema(reflect.TypeOf(v)))) }

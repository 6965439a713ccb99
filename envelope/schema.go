package envelope

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/jsontext"
)

// schemaBase is where the schemas are kept; with a dialect's file name it is
// the $id, which never changes.
const schemaBase = "https://github.com/envwrap/envwrap/blob/main/docs/schema/"

// SchemaFile is the name of a dialect's schema file, for instance
// "protocol-v1.json".
func SchemaFile(d Dialect) string { return strings.ReplaceAll(d.Name(), "/", "-") + ".json" }

// Schema returns the JSON Schema (2020-12) of a dialect's envelopes, indented.
// It is made from what the encoder and the checker use, so it says what they
// do, as far as a schema can: repeated names, text encodings, sizes and the
// order of progress events are for [Validate] only. The schema of
// tool-envelope/v1 is that of the JSON behind the mark.
func Schema(d Dialect) []byte {
	s := schemaOf(reflect.TypeOf(d.self().blank()).Elem())
	head := Fields{
		{"$schema", quoted("https://json-schema.org/draft/2020-12/schema")},
		{"$id", quoted(schemaBase + SchemaFile(d))},
		{"title", quoted(d.Name() + " envelope")},
	}
	s = append(head, s...)
	if d.self().rules != nil {
		s.add("allOf", list(d.self().rules()...))
	}
	return append(indent(mustEncode(s)), '\n')
}

// schemaOf describes a Go type as JSON has it.
func schemaOf(t reflect.Type) Fields {
	if t.Kind() == reflect.Pointer {
		return schemaOf(t.Elem())
	}
	if l := limitOf(t); l != nil {
		return limitSchema(t, l)
	}
	switch t {
	case rawType:
		return Fields{}
	case fieldsType:
		return kindSchema("object")
	case bytesType:
		base64 := `^([0-9A-Za-z+/]{4})*([0-9A-Za-z+/]{4}|[0-9A-Za-z+/]{3}=|[0-9A-Za-z+/]{2}==)$`
		return append(kindSchema("string"), Field{"contentEncoding", quoted("base64")}, Field{"pattern", quoted(base64)})
	}
	switch t.Kind() {
	case reflect.Interface:
		return Fields{}
	case reflect.Struct:
		return structSchema(t)
	case reflect.Slice:
		return append(kindSchema("array"), Field{"items", mustEncode(schemaOf(t.Elem()))})
	case reflect.Map:
		return append(kindSchema("object"), Field{"additionalProperties", mustEncode(schemaOf(reflect.TypeFor[count]()))})
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
	sh := shapeOf(t)
	properties, required := Fields{}, []json.RawMessage{}
	for _, m := range sh.members {
		properties.add(m.name, mustEncode(memberSchema(&m)))
		if !m.optional && !m.nullable {
			required = append(required, quoted(m.name))
		}
	}
	s := append(kindSchema("object"), Field{"properties", mustEncode(properties)})
	if len(required) > 0 {
		s.add("required", list(required...))
	}
	if sh.rest < 0 {
		s.add("additionalProperties", json.RawMessage("false"))
	}
	return s
}

func memberSchema(m *member) Fields {
	s := schemaOf(m.typ)
	if m.limits != nil && limitOf(baseOf(m.typ)) == nil {
		s.add("minimum", mustEncode(m.limits.min))
	}
	if m.present {
		s.add("not", json.RawMessage(schemaNull))
	}
	if m.object {
		s = kindSchema("object")
	}
	if m.typ.Kind() == reflect.Pointer && (!m.optional || m.nullable) {
		s = Fields{{"anyOf", list(mustEncode(s), json.RawMessage(`{"type":"null"}`))}}
	}
	if m.doc != "" {
		s = append(Fields{{"description", quoted(m.doc)}}, s...)
	}
	return s
}

func limitSchema(t reflect.Type, l *limits) Fields {
	switch {
	case t.Kind() == reflect.Int64 && l.min == l.max && l.max != 0:
		return Fields{{"const", mustEncode(l.min)}}
	case t.Kind() == reflect.Int64:
		return append(kindSchema("integer"), Field{"minimum", mustEncode(l.min)})
	case l.enum != nil:
		return Fields{{"enum", mustEncode(l.enum)}}
	}
	return append(kindSchema("string"), Field{"pattern", quoted(l.pattern)})
}

func kindSchema(kind string) Fields { return Fields{{"type", quoted(kind)}} }

func quoted(s string) json.RawMessage { return jsontext.AppendString(nil, s) }

func list(items ...json.RawMessage) json.RawMessage {
	return mustEncode(append([]json.RawMessage{}, items...))
}

// when is a rule: documents that fit the first schema must fit the second.
func when(condition, then string) json.RawMessage {
	return json.RawMessage(`{"if":` + condition + `,"then":` + then + `}`)
}

// has is a schema for an object that has a member.
func has(name string) string { return `{"required":["` + name + `"]}` }

// at is a schema for what stands at a path, where there is something.
func at(schema string, path ...string) string {
	for _, p := range slices.Backward(path) {
		schema = `{"properties":{"` + p + `":` + schema + `}}`
	}
	return schema
}

// is makes a schema for an object whose member has a value.
func is(name, value string) string {
	return `{"properties":{"` + name + `":{"const":"` + value + `"}},"required":["` + name + `"]}`
}

// both is a schema for what fits all of several.
func both(schemas ...string) string { return `{"allOf":[` + strings.Join(schemas, ",") + `]}` }

// typed is the schema of a wire struct.
func typed[T any]() string { return string(mustEncode(schemaOf(reflect.TypeFor[T]()))) }

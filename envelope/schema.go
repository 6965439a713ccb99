package envelope

import (
	"reflect"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// schemaBase is where the schemas are kept; with a dialect's file name it is
// the $id, which never changes.
const schemaBase = "https://github.com/envwrap/envwrap/blob/main/docs/schema/"

// schemaFile is the name of a dialect's schema file, for instance
// "protocol-v1.json".
func schemaFile(d Dialect) string { return strings.ReplaceAll(d.Name(), "/", "-") + ".json" }

// Schema returns the JSON Schema (2020-12) of a dialect's envelopes, indented.
// It is made from what the encoder and the checker use, so it says what they
// do, as far as a schema can: repeated names, text encodings, sizes and the
// order of progress events are for [Validate] only. The schema of
// tool-envelope/v1 is that of the JSON after the mark.
func Schema(d Dialect) []byte {
	s := wire.TypeSchema(reflect.TypeOf(d.self().blank()).Elem())
	head := wire.Fields{
		{Name: "$schema", Value: wire.Quoted("https://json-schema.org/draft/2020-12/schema")},
		{Name: "$id", Value: wire.Quoted(schemaBase + schemaFile(d))},
		{Name: "title", Value: wire.Quoted(d.Name() + " envelope")},
	}
	s = append(head, s...)
	if d.self().rules != nil {
		s.Add("allOf", wire.List(d.self().rules()...))
	}
	return append(wire.Indent(wire.MustEncode(s)), '\n')
}

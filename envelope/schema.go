package envelope

import (
	"reflect"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// schemaBase is where the schemas are kept; with a dialect's file name it is
// the $id, which never changes.
const schemaBase = "https://github.com/envwrap/envwrap/blob/main/docs/schema/"

// schemaFile returns the name of a dialect's schema file, for instance
// "protocol-v1.json".
func schemaFile(d Dialect) string { return strings.ReplaceAll(d.Name(), "/", "-") + ".json" }

// Schema returns the JSON Schema (2020-12) of a dialect's envelopes, indented. It is
// generated from the tables of the encoder and the checker, so it agrees with them as
// far as a schema can: repeated names, text encodings, sizes and the order of progress
// events are checked by [Validate] and [Checker] only. The schema of tool-envelope/v1
// is that of the JSON after the mark.
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

// What a dialect's members have to do with each other, as far as a schema can
// say it. The same is checked by the check functions of the wire structs.

// schemaStream is the rule of a JSON Schema for the members of a stream object that depend
// on each other.
const schemaStream = `{"oneOf":[{"required":["text"]},{"required":["json"]},{"required":["base64"]},{"required":["artifact"]}],` +
	`"if":{"required":["artifact"]},"then":{"required":["excerpt","read"]},"dependentRequired":{"replaced":["text"],"exact":["text"]}}`

func classified() string {
	return wire.Both(`{"required":["classified_by"],"properties":{"classified_by":{"enum":`+string(wire.MustEncode(classifiers()))+`}}}`, wire.SchemaOf[runDetails]())
}

// atLeast returns a schema for what fits n of several.
func atLeast(n int, schemas ...string) string {
	if n == len(schemas) {
		return wire.Both(schemas...)
	}
	if n == 0 {
		return `true`
	}
	first, rest := schemas[0], schemas[1:]
	return `{"anyOf":[` + wire.Both(first, atLeast(n-1, rest...)) + `,` + atLeast(n, rest...) + `]}`
}

// hasObject returns a schema for an object with a member that is an object.
func hasObject(name string) string {
	return `{"properties":{"` + name + `":{"type":"object"}},"required":["` + name + `"]}`
}

// streamObject returns the schema of a stream object.
func streamObject() string { return wire.Both(wire.SchemaOf[wireStream](), schemaStream) }

// plainText returns the schema of what [view.plain] writes of a text: that, or a stream
// object.
func plainText() string {
	return `{"if":{"type":"object"},"then":` + streamObject() + `,"else":{"type":"string"}}`
}

// plainValue returns the schema of an output, which may be any other value too.
func plainValue() string {
	members := wire.Both(`{"type":"object"}`, wire.Has("bytes"), wire.Has("lines"), `{"anyOf":[`+wire.Has("artifact")+`,`+wire.Has("base64")+`,`+wire.Has("truncated")+`,`+wire.Has("exact")+`]}`)
	return string(wire.When(members, streamObject()))
}

// execRule says what the facts of a run within an envelope are, where they are
// meant to be that.
func execRule() string {
	meant := wire.Both(`{"type":"object"}`, wire.Has("argv"), atLeast(2, wire.Has("exit_code"), wire.Has("outcome"), wire.Has("duration_ms")))
	return string(wire.When(meant, wire.Both(wire.SchemaOf[wireExec](), wire.At(plainText(), "stderr"))))
}

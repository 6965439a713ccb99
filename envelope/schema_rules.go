package envelope

import "github.com/envwrap/envwrap/envelope/internal/wire"

// What a dialect's members have to do with each other, as far as a schema can
// say it. The same is checked by the check functions of the wire structs.

// schemaStream is what the members of a stream object have to do with each
// other.
const schemaStream = `{"oneOf":[{"required":["text"]},{"required":["json"]},{"required":["base64"]},{"required":["artifact"]}],` +
	`"if":{"required":["artifact"]},"then":{"required":["excerpt","read"]},"dependentRequired":{"replaced":["text"],"exact":["text"]}}`

func classified() string {
	return wire.Both(`{"required":["classified_by"],"properties":{"classified_by":{"enum":`+string(wire.MustEncode(classifierNames()))+`}}}`, wire.SchemaOf[runDetails]())
}

func classifierNames() []string {
	var names []string
	for _, c := range classifiers() {
		names = append(names, string(c))
	}
	return names
}

// atLeast is a schema for what fits n of several.
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

// hasObject is a schema for an object with a member that is an object.
func hasObject(name string) string {
	return `{"properties":{"` + name + `":{"type":"object"}},"required":["` + name + `"]}`
}

// streamObject is the schema of a stream object.
func streamObject() string { return wire.Both(wire.SchemaOf[wireStream](), schemaStream) }

// plainText is the schema of what [view.plain] writes of a text: that, or a stream
// object.
func plainText() string {
	return `{"if":{"type":"object"},"then":` + streamObject() + `,"else":{"type":"string"}}`
}

// plainValue is that of an output, which may be any other value too.
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

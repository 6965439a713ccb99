package envelope

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// The schema and the checker agree about required members and their types.
var schemaRules = map[string]bool{"member/missing": true, "member/null": true, "member/type": true}

// A document that [Validate] refuses since a member is missing or has another
// type is refused by the schema too, whichever valid document it was made of.
func TestSchemaRefusesMutants(t *testing.T) {
	t.Parallel() // it takes long under the race detector
	for _, d := range Dialects() {
		t.Run(strings.ReplaceAll(d.Name(), "/", "-"), func(t *testing.T) {
			t.Parallel()
			schema := compiled(t, d)
			seen, refused, accepted := map[string]bool{}, 0, 0
			for _, v := range validDocuments(t, d) {
				inner := v.doc
				frame := func(doc []byte) []byte { return doc }
				if d.self().unframe != nil {
					inner, _, _ = d.self().unframe(v.doc)
					frame = func(doc []byte) []byte { return d.self().frame(doc, newView(newRun(0, "", "", "x"), EncodeOptions{})) }
				}
				for _, m := range mutants("", inner) {
					if seen[m.what+m.shape] {
						continue
					}
					seen[m.what+m.shape] = true
					if len(seen)%matrix.Every(18) > 0 {
						continue
					}
					doc := frame(m.doc())
					rule := refusal(Validate(d, doc, ValidateOptions{}))
					if rule == "" {
						continue
					}
					refused++
					if fitsSchema(t, schema, d, doc) == nil {
						accepted++
						if accepted <= 20 {
							t.Errorf("%s: %s is %s, and fits the schema\n%.600s", v.name, m.what, rule, doc)
						}
					}
				}
			}
			if refused*matrix.Every(18) < 300 {
				t.Errorf("only %d mutants were refused", refused)
			}
			t.Logf("%d of %d mutants fit the schema", accepted, refused)
		})
	}
}

type validDocument struct {
	name string
	doc  []byte
}

// validDocuments are documents that envwrap writes, and vectors that it must accept.
func validDocuments(t *testing.T, d Dialect) (list []validDocument) {
	for _, c := range testCases(t) {
		doc, err := Encode(d, c.result, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, validDocument{c.name, doc})
	}
	for _, v := range readVectors(t, d) {
		if doc := v.doc(t); v.Valid && len(doc) < 8<<10 {
			list = append(list, validDocument{v.Name, doc})
		}
	}
	return list
}

// refusal is the first fault that a schema can see, "" if none exists.
func refusal(faults []wire.Fault) string {
	for _, f := range faults {
		if schemaRules[f.Rule] {
			return f.String()
		}
	}
	return ""
}

// A mutant is a document in which one member is missing or of another type.
type mutant struct {
	what  string // the pointer, and what was done there
	shape string // what is beside it, so that the same need not be tried often
	doc   func() []byte
}

// mutants returns the mutants of the value at pointer, and of all values in it.
func mutants(pointer string, raw json.RawMessage) []mutant {
	var list []mutant
	switch jsontext.Kind(raw) {
	case '{':
		f := wire.FieldsIn(raw)
		names := fmt.Sprint(namesOf(f))
		for i, m := range f {
			at := pointer + "/" + m.Name
			put := func(value func() []byte) func() []byte {
				return func() []byte {
					g := append(wire.Fields{}, f...)
					g[i].Value = value()
					return wire.EncodeObject(g)
				}
			}
			list = append(list, mutant{at + " missing", names, func() []byte {
				return wire.EncodeObject(append(append(wire.Fields{}, f[:i]...), f[i+1:]...))
			}})
			for _, other := range []string{`null`, `{}`, `[]`, `"x"`, `7`, `true`} {
				if jsontext.Kind(json.RawMessage(other)) != jsontext.Kind(m.Value) || other == "null" || other == "true" {
					list = append(list, mutant{at + " " + other, names, put(func() []byte { return []byte(other) })})
				}
			}
			for _, deeper := range mutants(at, m.Value) {
				list = append(list, mutant{deeper.what, names + deeper.shape, put(deeper.doc)})
			}
		}
	case '[':
		var items []json.RawMessage
		for _, e := range jsontext.Elements(raw) {
			items = append(items, e)
		}
		for i, e := range items[:min(len(items), 1)] {
			at := pointer + "/" + strconv.Itoa(i)
			for _, deeper := range append(mutants(at, e), mutant{at + " null", "", func() []byte { return []byte("null") }}) {
				list = append(list, mutant{deeper.what, deeper.shape, func() []byte {
					return wire.MustEncode(append([]json.RawMessage{deeper.doc()}, items[1:]...))
				}})
			}
		}
	}
	return list
}

func namesOf(f wire.Fields) (names []string) {
	for _, m := range f {
		names = append(names, m.Name)
	}
	return names
}

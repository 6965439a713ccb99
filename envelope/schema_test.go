package envelope

import (
	"bytes"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/envwrap/envwrap/envelope/internal/delegator"
	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// The schemas in docs/schema are the generated ones. UPDATE=1 writes them anew.
func TestSchemaFiles(t *testing.T) {
	for _, d := range Dialects() {
		compareGolden(t, filepath.Join("..", "docs", "schema", schemaFile(d)), Schema(d))
	}
}

// compiled is the schema of d in a validator that knows nothing of this project.
func compiled(t testing.TB, d Dialect) *jsonschema.Schema {
	t.Helper()
	return compiledSchemas.of(d, func() *jsonschema.Schema { return compile(t, d) })
}

var compiledSchemas memo[*jsonschema.Schema]

func compile(t testing.TB, d Dialect) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema(d)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	id := doc.(map[string]any)["$id"].(string)
	if err := c.AddResource(id, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// fitsSchema reports what the independent validator says of a document.
func fitsSchema(t testing.TB, schema *jsonschema.Schema, d Dialect, doc []byte) error {
	t.Helper()
	if d.self().unframe != nil {
		inner, _, fault := d.self().unframe(doc)
		if fault != nil {
			t.Fatal(fault)
		}
		doc = inner
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(value)
}

// Envelopes of envwrap match its published schema.
func TestOutputFitsSchema(t *testing.T) {
	t.Parallel()
	for _, d := range Dialects() {
		schema := compiled(t, d)
		for _, c := range testCases(t) {
			doc, err := Encode(d, c.result, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if err := fitsSchema(t, schema, d, doc); err != nil {
				t.Errorf("%s: %s: %v\n%s", d.Name(), c.name, err, doc)
			}
		}
	}
}

// Each member is described; a reader of the schema needs no other page.
func TestEveryMemberIsDescribed(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(typ.Elem())
		case reflect.Struct:
			if seen[typ] || typ == wire.FieldsType {
				return
			}
			seen[typ] = true
			for _, m := range wire.ShapeOf(typ).Members {
				if m.Doc == "" {
					t.Errorf("%s.%s has no description", typ, m.Name)
				}
				walk(m.Typ)
			}
		}
	}
	for _, d := range Dialects() {
		walk(reflect.TypeOf(d.self().blank()).Elem())
	}
	for _, v := range []any{
		wireRun{},
		wireExec{},
		wireSummary{},
		toolError{},
		toolRun{},
		toolWorkflow{},
		agentMetadata{},
		delegator.Meta{},
		delegator.Data{},
		delegator.Timeout{},
		delegator.AckMeta{},
		delegator.Ack{},
		delegator.SnapshotMeta{},
		delegator.Snapshot{},
		delegator.ResultMeta{},
		delegator.Result{},
	} {
		walk(reflect.TypeOf(v))
	}
}

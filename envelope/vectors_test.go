package envelope

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// A vector is one document and what a checker must say of it. The files in
// testdata/vectors have one a line; the README there says how to read them.
type vector struct {
	Name   string        `json:"name"`
	About  string        `json:"about,omitempty"`
	From   string        `json:"from,omitempty"` // the valid vector that it was made of
	Text   string        `json:"text,omitempty"`
	Base64 string        `json:"base64,omitempty"` // instead of text, where it is no UTF-8
	Strict bool          `json:"strict,omitempty"`
	Valid  bool          `json:"valid"`
	Schema *bool         `json:"schema,omitempty"` // whether the JSON Schema takes it; absent where it is no JSON
	Faults []vectorFault `json:"faults,omitempty"`
}

type vectorFault struct {
	Pointer string `json:"pointer"`
	Rule    string `json:"rule"`
}

func (v *vector) doc(t testing.TB) []byte {
	t.Helper()
	if v.Base64 == "" {
		return []byte(v.Text)
	}
	doc, err := base64.StdEncoding.DecodeString(v.Base64)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func vectorDir(d string) string {
	return filepath.Join("..", "testdata", "vectors", strings.ReplaceAll(d, "/", "-"))
}

// The vectors on disk agree with the tables. UPDATE=1 writes them anew; read
// the difference.
func TestVectorFiles(t *testing.T) {
	t.Parallel()
	total := 0
	for _, spec := range vectorSpecs() {
		vectors := spec.vectors(t)
		total += len(vectors)
		for _, valid := range []bool{true, false} {
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			for _, v := range vectors {
				if v.Valid != valid {
					continue
				}
				if err := e.Encode(v); err != nil {
					t.Fatal(err)
				}
			}
			name := map[bool]string{true: "valid.jsonl", false: "invalid.jsonl"}[valid]
			compareGolden(t, filepath.Join(vectorDir(spec.dialect), name), b.Bytes())
		}
	}
	if total < 300 {
		t.Errorf("%d vectors, want 300 or more", total)
	}
}

// readVectors reads the vectors of a dialect as another implementation would.
func readVectors(t testing.TB, d Dialect) []vector {
	t.Helper()
	return slices.Clone(vectorsRead.of(d, func() []vector { return readVectorFiles(t, d) }))
}

var vectorsRead memo[[]vector]

func readVectorFiles(t testing.TB, d Dialect) []vector {
	t.Helper()
	var list []vector
	for _, name := range []string{"valid.jsonl", "invalid.jsonl"} {
		text, err := os.ReadFile(filepath.Join(vectorDir(d.Name()), name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			var v vector
			if err := json.Unmarshal(line, &v); err != nil {
				t.Fatal(err)
			}
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		t.Fatalf("%s has no vectors", d.Name())
	}
	return list
}

// Valid documents pass; each fault of an invalid one is reported with its pointer and
// rule, and no other is.
func TestVectors(t *testing.T) {
	for _, d := range Dialects() {
		for _, v := range readVectors(t, d) {
			t.Run(d.Name()+"/"+v.Name, func(t *testing.T) {
				got := placesOf(Validate(d, v.doc(t), ValidateOptions{Strict: v.Strict}))
				want := slices.Clone(v.Faults)
				if v.Valid != (len(want) == 0) {
					t.Fatal("valid, and faults")
				}
				if !sameFaults(got, want) {
					t.Errorf("%s\ntold %v\nwant %v", wire.Shorten(string(v.doc(t)), 400), got, want)
				}
			})
		}
	}
}

func placesOf(faults []wire.Fault) []vectorFault {
	var list []vectorFault
	for _, f := range faults {
		list = append(list, vectorFault{f.Pointer, f.Rule})
	}
	return list
}

// sameFaults compares without regard to order.
func sameFaults(a, b []vectorFault) bool {
	order := func(x, y vectorFault) int { return strings.Compare(x.Pointer+" "+x.Rule, y.Pointer+" "+y.Rule) }
	a, b = slices.SortedFunc(slices.Values(a), order), slices.SortedFunc(slices.Values(b), order)
	return slices.Equal(a, b)
}

// A validator of another's making, with the published schema, says of each
// vector what the vector says of the schema.
func TestVectorsBySchema(t *testing.T) {
	for _, d := range Dialects() {
		schema := compiled(t, d)
		for _, v := range readVectors(t, d) {
			if v.Schema == nil {
				continue
			}
			if err := fitsSchema(t, schema, d, v.doc(t)); (err == nil) != *v.Schema {
				t.Errorf("%s %s: schema says %v", d.Name(), v.Name, err)
			}
			if !*v.Schema && v.Valid {
				t.Errorf("%s %s: valid, and not for the schema", d.Name(), v.Name)
			}
		}
	}
}

// vectors makes the vectors of a table.
func (s *vectorSpec) vectors(t testing.TB) []vector {
	var list []vector
	for _, b := range s.bases {
		list = append(list, s.vector(t, edit{name: b.name, base: b.name, change: "whole " + b.doc}, b.about))
	}
	for _, m := range s.members {
		for _, e := range m.edits() {
			list = append(list, s.vector(t, e, ""))
		}
	}
	for _, e := range s.edits {
		list = append(list, s.vector(t, e, ""))
	}
	seen := map[string]bool{}
	for _, v := range list {
		if seen[v.Name] {
			t.Errorf("%s: two vectors are named %s", s.dialect, v.Name)
		}
		seen[v.Name] = true
	}
	return list
}

// edits are the ways in which one member can be wrong.
func (m *memberSpec) edits() []edit {
	name := strings.ReplaceAll(strings.Trim(m.pointer, "/"), "/", "-") + "-in-" + m.base
	flag := func(c string) bool { return strings.Contains(m.flags, c) }
	var list []edit
	add := func(kind, change, faults string) {
		list = append(list, edit{name: kind + "-" + name, base: m.base, change: change, faults: faults})
	}
	if !flag("o") && !flag("f") && !flag("x") && !flag("m") {
		add("no", "del "+m.pointer, m.pointer+" member/missing, "+m.pointer+" ~")
	}
	if !flag("n") && !flag("f") && !flag("s") && !flag("x") {
		add("null", "set "+m.pointer+" null", m.pointer+" member/null, "+m.pointer+" ~")
	}
	if !flag("t") && !flag("x") {
		add("type", "set "+m.pointer+" "+m.wrong, m.pointer+" member/type, "+m.pointer+" ~")
	}
	return list
}

func (s *vectorSpec) vector(t testing.TB, e edit, about string) vector {
	t.Helper()
	d, _ := Lookup(s.dialect)
	i := slices.IndexFunc(s.bases, func(b base) bool { return b.name == e.base })
	if i < 0 {
		t.Fatalf("%s: no base %q", s.dialect, e.base)
	}
	doc := e.apply(t, d.self(), s.bases[i].doc)
	v := vector{Name: e.name, About: about, Text: doc, Strict: e.strict}
	if e.name != e.base {
		v.From = e.base
	}
	if !utf8.ValidString(doc) {
		v.Text, v.Base64 = "", base64.StdEncoding.EncodeToString([]byte(doc))
	}
	v.Faults = e.expected(t, d, []byte(doc))
	v.Valid = len(v.Faults) == 0
	if inner := e.inner(d.self(), doc); json.Valid(inner) && !e.strict && utf8.Valid(inner) && !bytes.Contains(inner, []byte("[[[[")) {
		fits := fitsSchema(t, compiled(t, d), d, []byte(doc)) == nil
		v.Schema = &fits
	}
	return v
}

func (e *edit) inner(d *dialect, doc string) []byte {
	if d.unframe == nil {
		return []byte(doc)
	}
	inner, _, _ := d.unframe([]byte(doc))
	return inner
}

// expected are the faults that the table names. A rule * stands for whatever
// the checker says at that place beside the others; ~ also around and in it.
func (e *edit) expected(t testing.TB, d Dialect, doc []byte) []vectorFault {
	var want []vectorFault
	if e.faults == "" {
		return nil
	}
	told := placesOf(Validate(d, doc, ValidateOptions{Strict: e.strict}))
	for f := range strings.SplitSeq(e.faults, ", ") {
		pointer, rule, _ := strings.Cut(f, " ")
		pointer = strings.TrimSuffix(pointer, "/")
		if pointer != "" && !strings.HasPrefix(pointer, "/") {
			t.Fatalf("%s: %q", e.name, f)
		}
		for _, other := range told {
			switch {
			case rule == "~" && near(other.Pointer, pointer) && !slices.Contains(want, other):
				want = append(want, other)
			case rule == "*" && other.Pointer == pointer && !slices.Contains(want, other):
				want = append(want, other)
			case strings.HasSuffix(pointer, "*") && strings.HasPrefix(other.Pointer, strings.TrimSuffix(pointer, "*")) && other.Rule == rule:
				want = append(want, other)
			}
		}
		if rule != "*" && rule != "~" && !strings.HasSuffix(pointer, "*") {
			want = append(want, vectorFault{pointer, rule})
		}
	}
	return want
}

func near(a, b string) bool {
	return strings.HasPrefix(a+"/", b+"/") || strings.HasPrefix(b+"/", a+"/")
}

// apply makes the edit in a document.
func (e *edit) apply(t testing.TB, d *dialect, doc string) string {
	t.Helper()
	op, arg, _ := strings.Cut(e.change, " ")
	frame := func(doc, markdown string) string {
		if d.frame == nil {
			return doc
		}
		return markdown + toolMark + base64.StdEncoding.EncodeToString([]byte(doc)) + "\n"
	}
	const markdown = "# tool\n\nIt is done.\n\n"
	before, after, _ := strings.Cut(arg, " => ")
	switch op {
	case "whole":
		return frame(arg, markdown)
	case "append":
		return frame(doc+arg, markdown)
	case "cut":
		return frame(doc[:len(doc)-1], markdown)
	case "text":
		if !strings.Contains(doc, before) {
			t.Fatalf("%s: %q is not in %s", e.name, before, doc)
		}
		return frame(strings.Replace(doc, before, after, 1), markdown)
	case "frame":
		return strings.Replace(frame(doc, markdown), before, after, 1)
	case "frameappend":
		return frame(doc, markdown) + arg
	case "unpad":
		return strings.Replace(frame(doc, markdown), "=", "", 1)
	case "whole-frame":
		return frame(doc, arg)
	case "del":
		return frame(string(editAt(t, []byte(doc), strings.Split(arg, "/")[1:], nil)), markdown)
	case "set":
		pointer, value, _ := strings.Cut(arg, " ")
		return frame(string(editAt(t, []byte(doc), strings.Split(pointer, "/")[1:], []byte(value))), markdown)
	}
	t.Fatalf("%s: no such change", e.name)
	return ""
}

// editAt sets the value at a path, or takes it away where value is nil. What is
// set need not be JSON.
func editAt(t testing.TB, doc []byte, path []string, value []byte) []byte {
	t.Helper()
	if len(path) == 0 {
		return value
	}
	var parts [][]byte
	found := false
	opening, closing := "{", "}"
	put := func(name string, old []byte) {
		if name == path[0] {
			found = true
			if old = editAt(t, old, path[1:], value); old == nil {
				return
			}
		}
		if opening == "[" {
			parts = append(parts, old)
			return
		}
		parts = append(parts, append(append(jsontext.AppendString(nil, name), ':'), old...))
	}
	if jsontext.Kind(doc) == '[' {
		opening, closing = "[", "]"
		for i, e := range jsontext.Elements(doc) {
			put(string(rune('0'+i)), e)
		}
	} else {
		for name, old := range jsontext.Members(doc) {
			put(name, old)
		}
	}
	if !found {
		if value == nil || len(path) > 1 || opening == "[" {
			t.Fatalf("no %v in %s", path, doc)
		}
		parts = append(parts, append(append(jsontext.AppendString(nil, path[0]), ':'), value...))
	}
	return append(append([]byte(opening), bytes.Join(parts, []byte(","))...), closing...)
}

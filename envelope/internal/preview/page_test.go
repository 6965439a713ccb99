package preview

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/jq"
)

// ask returns what "envwrap artifact query" prints for a query.
func ask(t *testing.T, query, doc string) string {
	t.Helper()
	expr, raw := strings.CutPrefix(query, "-r ")
	expr, ok := strings.CutPrefix(strings.TrimSuffix(expr, "'"), "'")
	if !ok {
		t.Fatalf("%q is not quoted", query)
	}
	var out bytes.Buffer
	p := jq.NewPrinter(&out, jq.Format{Raw: raw})
	if err := jq.Run(t.Context(), expr, strings.NewReader(doc), jq.Options{}, p.Add); err != nil {
		t.Fatalf("query %s: %v", query, err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestQuery(t *testing.T) {
	records := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"id": %d, "name": "item %d"}`, i, i))
		}
		return "[" + strings.Join(list, ",\n ") + "]"
	}
	fit := []string{"z"} // as many names as an expression has room for
	names := `{"z": 1`
	for i := range 9 {
		names += fmt.Sprintf(`, "%s%d": "%s"`, strings.Repeat("n", 19), 9-i, strings.Repeat("v", 1000))
		if i < 5 {
			fit = append(fit, fmt.Sprintf("%s%d", strings.Repeat("n", 19), 9-i))
		}
	}
	names += "}"
	sorted := `{"a":"` + strings.Repeat("a", 10) + `"`
	for i := range 900 {
		sorted += fmt.Sprintf(`, "k%03d": %d`, i, i)
	}
	sorted += "}"
	long := `{"ok": true, "log": {"text": "` + strings.Repeat(`é\n\u00e9`, 9000) + `"}, "z": 1}`
	for _, c := range []struct {
		doc   string
		at    string // the offset of its first occurrence
		query string
		want  string // of what is printed
	}{
		{records(2000), `{"id": 700,`, `'.[700:1247][]'`, `{"id":700,"name":"item 700"}` + "\n"},
		{records(2000), `tem 700"`, `'.[700:1247][]'`, `{"id":700,"name":"item 700"}` + "\n"},
		{records(2000), `{"id": 1999,`, `'.[1999]'`, `{"id":1999,"name":"item 1999"}` + "\n"},
		{`{"total": 3, "page": {"the items": ` + records(2000) + `}}`, `{"id": 5,`, `'.page["the items"][5:576][]'`, `{"id":5,"name":"item 5"}` + "\n"},
		{`{"b": {"z": 1, "and": [2], "x y": "3"}, "a": [` + strings.Repeat(`"x",`, 9000) + `1]}`, `"b"`, `'.b'`, `{"and":[2],"x y":"3","z":1}`},
		{`[{"z": 1, "and": [2], "x y": "3"}, [` + strings.Repeat(`"x",`, 9000) + `1]]`, `"x",`, `'.[1][0:4096][]'`, `"x"` + "\n"},
		{`{"z": 1, "and": [2], "x y": "3", "a": [` + strings.Repeat(`"x",`, 9000) + `1]}`, `1`, `'{z,and,"x y"}'`, `{"and":[2],"x y":"3","z":1}`},
		{names, `1`, `'{` + strings.Join(fit, ",") + `}'`, `{"`},
		{sorted, `"k100"`, `'to_entries[101:901][] | {(.key): .value}'`, `{"k100":100}` + "\n"},
		{long, `é`, `-r '.log.text[0:4915]'`, "é\né"},
		{long, `\n`, `-r '.log.text[1:4916]'`, "\né"},
		{`{"it's": [` + strings.Repeat(`"x",`, 9000) + `1]}`, `"x"`, ``, ``}, // a quote would end the word of a shell
		{records(2000), `]`, ``, ``}, // nothing follows
		{``, ``, ``, ``},
	} {
		got := Query([]byte(c.doc), int64(strings.Index(c.doc, c.at)))
		if got != c.query {
			t.Errorf("%.40s at %s: got %s, want %s", c.doc, c.at, got, c.query)
		}
		if got == "" {
			continue
		}
		if out := ask(t, got, c.doc); !strings.HasPrefix(out, c.want) || len(out) > PageMost {
			t.Errorf("%s prints %d bytes: %.80q, want %.80q", got, len(out), out, c.want)
		}
	}
}

// Whatever the document, and however much of it is at hand, a query is valid and prints
// something, at most a page.
func TestQueryOfAnyDocument(t *testing.T) {
	g := documents{rand.New(rand.NewPCG(19, 35))}
	queries := 0
	for range 150 {
		doc := g.value(2)
		for range 4 {
			known := doc[:len(doc)-g.IntN(len(doc))/(1+g.IntN(8))]
			query := Query([]byte(known), g.Int64N(int64(len(doc))))
			if query == "" {
				continue
			}
			queries++
			if out := ask(t, query, doc); out == "" || len(out) > PageMost || strings.HasPrefix(out, "null\n") && !strings.Contains(doc, "null") {
				t.Fatalf("%s of %.200s prints %d bytes: %.200q", query, doc, len(out), out)
			}
		}
	}
	if queries < 200 {
		t.Errorf("%d queries", queries)
	}
}

// documents makes JSON.
type documents struct{ *rand.Rand }

func (g documents) value(depth int) string {
	kind := g.IntN(5)
	if depth == 2 {
		kind = 4 - kind%2
	} else if depth == 0 {
		kind %= 3
	}
	switch kind {
	case 0:
		return []string{"true", "null", "{}", "[]", "1e3", "-0.5", "12345678901234567890"}[g.IntN(7)]
	case 1:
		return `"` + g.text(g.IntN(1<<g.IntN(15))) + `"`
	case 2:
		return `"y"`
	case 3:
		return "[" + g.list(1<<g.IntN(7), func(int) string { return g.value(depth - 1) }) + "]"
	}
	return "{" + g.list(1<<g.IntN(6), func(i int) string { return g.name(i) + ": " + g.value(depth-1) }) + "}"
}

func (g documents) text(n int) string {
	return strings.Repeat([]string{"x", "é", `\n`, `\u00e9`, `\ud83d\ude00`, `\"`}[g.IntN(6)], n)
}

func (g documents) list(most int, item func(i int) string) string {
	var b strings.Builder
	for i := range g.IntN(most + 1) {
		if i > 0 {
			b.WriteString([]string{",", ", ", ",\n  "}[g.IntN(3)])
		}
		b.WriteString(item(i))
	}
	return b.String()
}

func (g documents) name(i int) string {
	names := []string{"a", "z", "k1", "and", "__loc__", "x y", "", "é", `q\"q`, "1", "$ENV", `\\(1)`, "null", `\u0001`, "it's"}
	if g.IntN(2) == 0 || i >= len(names) {
		return fmt.Sprintf(`"n%03d"`, i)
	}
	return `"` + names[i] + `"`
}

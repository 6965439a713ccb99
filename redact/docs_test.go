package redact

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// docs/redaction.md lists the tokens of all services, and the vendors; UPDATE=1
// writes it. Where each is described is in the tables of the code.
func TestDocs(t *testing.T) {
	const name = "../docs/redaction.md"
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for _, list := range []struct{ what, want string }{{"tokens", tokenList()}, {"vendors", vendorList()}} {
		begin, end := "<!-- begin "+list.what+" -->\n", "<!-- end "+list.what+" -->"
		head, rest, ok := strings.Cut(text, begin)
		_, tail, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatalf("%s has no %q", name, begin)
		}
		text = head + begin + list.want + end + tail
	}
	if text == string(b) {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatalf("%s does not list what is in the tables; UPDATE=1 writes it", name)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func vendorList() string {
	var list []string
	for _, d := range vendors {
		list = append(list, fmt.Sprintf("`%s` (%d)", d.name, d.length))
	}
	return strings.Join(list, ",\n") + "\n"
}

// tokenList has a line for each rule, with the fixed parts of its tokens.
func tokenList() string {
	parts := map[string][]string{}
	add := func(rule, part string) {
		if part = "`" + part + "`"; !slices.Contains(parts[rule], part) {
			parts[rule] = append(parts[rule], part)
		}
	}
	for _, table := range tokenTables {
		for _, f := range *table {
			for _, tok := range f.tokens {
				add(f.rule, tok.prefix)
			}
		}
	}
	for _, x := range infixes {
		add(x.rule, x.literal)
	}
	var b strings.Builder
	for _, rule := range slices.Sorted(maps.Keys(parts)) {
		fmt.Fprintf(&b, "- `%s`: %s\n", rule, strings.Join(parts[rule], ", "))
	}
	return b.String()
}

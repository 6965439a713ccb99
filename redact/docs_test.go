package redact

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// docs/redaction.md lists the tokens of all services, and the vendors; UPDATE=1
// writes it.
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
	var b strings.Builder
	b.WriteString("| behind | length | described by the vendor |\n|---|---|---|\n")
	for _, d := range vendors {
		fmt.Fprintf(&b, "| `%s` | %d | %s |\n", d.name, d.length, d.doc)
	}
	return b.String()
}

func tokenList() string {
	var b strings.Builder
	b.WriteString("| rule | begins with, or has in it | described by its service |\n|---|---|---|\n")
	for _, table := range tokenTables {
		for _, f := range *table {
			var prefixes []string
			for _, tok := range f.tokens {
				if p := "`" + tok.prefix + "`"; len(prefixes) == 0 || prefixes[len(prefixes)-1] != p {
					prefixes = append(prefixes, p)
				}
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.rule, strings.Join(prefixes, ", "), f.doc)
		}
	}
	for i := 0; i < len(infixes); {
		x := infixes[i]
		var parts []string
		for ; i < len(infixes) && infixes[i].rule == x.rule; i++ {
			parts = append(parts, "`"+infixes[i].literal+"`")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", x.rule, strings.Join(parts, ", "), x.doc)
	}
	return b.String()
}

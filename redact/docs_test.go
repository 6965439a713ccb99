package redact

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// docs/redaction.md lists the tokens of all services; UPDATE=1 writes it.
func TestDocs(t *testing.T) {
	const name, begin, end = "../docs/redaction.md", "<!-- begin tokens -->\n", "<!-- end tokens -->"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no %q", name, begin)
	}
	want := head + begin + tokenList() + end + tail
	if want == string(text) {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatalf("%s does not list the tokens of the tables; UPDATE=1 writes it", name)
	}
	if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
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

package redact

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact/internal/rules/service"
	"github.com/envwrap/envwrap/redact/internal/rules/token"
)

// docs/reference/tokens.md lists the rules for tokens of services, and the vendors;
// UPDATE=1 writes it. The tables of the code have prefixes and sources.
func TestDocs(t *testing.T) {
	const name = "../docs/reference/tokens.md"
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
	for _, d := range service.Vendors {
		list = append(list, fmt.Sprintf("`%s` (%d)", d.Name, d.Length))
	}
	return strings.Join(list, ",\n") + "\n"
}

// tokenList has the names of the rules for tokens.
func tokenList() string {
	seen := map[string]bool{}
	for _, table := range token.Tables {
		for _, f := range *table {
			seen["`"+f.Rule+"`"] = true
		}
	}
	for _, x := range token.Infixes {
		seen["`"+x.Rule+"`"] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(seen)), ",\n") + "\n"
}

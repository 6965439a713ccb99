package redact

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/redact/internal/rules/service"
	"github.com/envwrap/envwrap/redact/internal/rules/token"
)

// docs/reference/tokens.md lists the rules for tokens of services, and the vendors;
// UPDATE=1 writes it. The tables of the code have prefixes and sources.
func TestDocs(t *testing.T) {
	testenv.KeepSections(t, "../docs/reference/tokens.md", map[string]string{"tokens": tokenList(), "vendors": vendorList()})
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
	for _, f := range token.Families {
		seen["`"+f.Rule+"`"] = true
	}
	for _, x := range token.Infixes {
		seen["`"+x.Rule+"`"] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(seen)), ",\n") + "\n"
}

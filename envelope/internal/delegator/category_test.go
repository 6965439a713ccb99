package delegator

import (
	"testing"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// Each tool of the document is in one category, and meta and data of each category
// refuse an empty object unless all of their members are optional.
func TestCategories(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range categories {
		for _, tool := range c.tools {
			if seen[tool] || CategoryOf(tool) != c.name {
				t.Errorf("%s: category %q, want %q alone", tool, CategoryOf(tool), c.name)
			}
			seen[tool] = true
		}
		if !c.name.known() {
			t.Errorf("%s is not among the names", c.name)
		}
		optional := c.name == RegistryInfo
		if wire.ReadInto([]byte(`{}`), c.data()) != optional {
			t.Errorf("%s: an empty data is read: %t, want %t", c.name, !optional, optional)
		}
	}
	if len(seen) != 15 || CategoryOf("ls") != "" || Category("other").known() {
		t.Errorf("%d tools; %q; other is known: %t", len(seen), CategoryOf("ls"), Category("other").known())
	}
}

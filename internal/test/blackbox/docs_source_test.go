package blackbox

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each file and package that docs/source.md names is there.
func TestSourcePage(t *testing.T) {
	page, err := os.ReadFile("docs/source.md")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile("`([a-z.][a-zA-Z0-9_./*-]*/[a-zA-Z0-9_./*-]*)`").FindAllStringSubmatch(string(page), -1)
	if len(names) < 30 {
		t.Fatalf("%d names", len(names))
	}
	for _, m := range names {
		found, err := filepath.Glob(strings.TrimPrefix(m[1], "./"))
		if err != nil || len(found) == 0 {
			t.Errorf("docs/source.md names %s, which is not there (%v)", m[1], err)
		}
	}
}

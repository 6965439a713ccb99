package blackbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every test that docs/security.md names holds a sentence: it has to be there.
func TestSecurityNamesTests(t *testing.T) {
	page, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	scripts := map[string]bool{}
	err = filepath.WalkDir(".", func(name string, _ fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(name, ".txtar"):
			scripts[filepath.Base(name)] = true
		case strings.HasSuffix(name, "_test.go"):
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			code.Write(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+|\\w+\\.txtar)`").FindAllStringSubmatch(string(page), -1)
	if len(named) < 20 {
		t.Fatalf("only %d tests are named", len(named))
	}
	for _, m := range named {
		if !scripts[m[1]] && !strings.Contains(code.String(), "\nfunc "+m[1]+"(") {
			t.Errorf("docs/security.md names %s, which is not there", m[1])
		}
	}
}

package testenv

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// KeepSections fails if a page in docs/reference differs between the markers of a name,
// <!-- begin NAME --> and <!-- end NAME -->, from the text that sections have for it. If the
// variable UPDATE is set, it writes the texts into the page instead. path is relative to the
// directory of the package.
func KeepSections(t *testing.T, path string, sections map[string]string) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := string(page)
	for name, text := range sections {
		begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->\n"
		before, rest, ok := strings.Cut(want, begin)
		_, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatalf("%s has no section %q", path, name)
		}
		want = before + begin + text + end + after
	}
	switch {
	case want == string(page):
	case os.Getenv("UPDATE") == "":
		t.Errorf("%s differs from the program; UPDATE=1 go test ./%s writes it", path, packageOf(t, path))
	default:
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// packageOf returns the directory of the package below the module's root, above which a path
// of a page in docs/reference leads.
func packageOf(t *testing.T, path string) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join(path, "..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.Getwd()
	if err == nil {
		dir, err = filepath.Rel(root, dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(dir)
}

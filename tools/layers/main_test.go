package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestAgainst(t *testing.T) {
	for _, c := range []struct {
		name         string
		files        map[string]string
		against, all int
	}{
		{"layers", map[string]string{
			"a.go": "package p\nimport \"os\"\nfunc A() { B(); C(); os.Exit(1) }", "b.go": "package p\nfunc B() { C() }", "c.go": "package p\nfunc C() {}",
		}, 0, 3},
		{"a circle", map[string]string{
			"a.go": "package p\nfunc A() { B() }", "b.go": "package p\nfunc B() { C() }", "c.go": "package p\nfunc C() { A() }",
		}, 1, 3},
		{"methods", map[string]string{
			"a.go": "package p\ntype T struct{ n int }\nfunc (t T) A() { t.B() }", "b.go": "package p\nfunc (t T) B() { t.n++ }",
		}, 1, 2},
	} {
		dir := t.TempDir()
		for name, text := range c.files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		g, err := references(dir)
		if err != nil {
			t.Fatal(err)
		}
		if against, all := g.against(); len(against) != c.against || all != c.all {
			t.Errorf("%s: %q of %d, want %d of %d", c.name, against, all, c.against, c.all)
		}
	}
}

// A package without references has no line, and only of one that is named what goes
// against the order is listed.
func TestReport(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"p/a.go": "package p\nfunc A() { B() }", "p/b.go": "package p\nfunc B() { A() }", "p/a_test.go": "package", "p/testdata/c.go": "package",
		"q/d.go": "package q", ".git/e.go": "package", "broken/testdata/f.go": "package", "windows/g_windows.go": "package",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	const head, line = " against references   share  package\n", "       1          2   50.0%  p\n"
	for _, c := range []struct {
		named []string
		want  string
		fails bool
	}{
		{nil, head + line, false},
		{[]string{"q"}, head, false},
		{[]string{"p"}, head + line + "\t a.go uses b.go\n", false},
		{[]string{"none"}, head, true},
		{[]string{"q", "broken/testdata", "p"}, head, true},
	} {
		var b strings.Builder
		if err := report(&b, c.named); b.String() != c.want || (err != nil) != c.fails {
			t.Errorf("%q: %v, got\n%s\nwant\n%s", c.named, err, b.String(), c.want)
		}
	}
	if dirs, err := packages("none"); err == nil {
		t.Errorf("a directory that does not exist has packages: %q", dirs)
	}
}

// Fewer than one reference in ten go against the order of a package's files.
func TestOrder(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the files of this system are others")
	}
	dirs, err := packages("../..")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("packages: %q, %v", dirs, err)
	}
	for _, dir := range dirs {
		g, err := references(dir)
		if err != nil {
			t.Fatal(err)
		}
		if against, all := g.against(); len(against) > 0 && 10*len(against) >= all {
			t.Errorf("%s: of %d references these go against the order of its files: %q", dir, all, against)
		}
	}
}

package main

import (
	"os"
	"path/filepath"
	"runtime"
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

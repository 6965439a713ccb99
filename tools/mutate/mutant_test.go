package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each kind of mistake is made where it can be, once.
func TestMutants(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	const source = `package a

func f(a, b int, ok bool) (n int, is bool, err error) {
	if ok {
		return a, a < b && ok, nil
	}
	for !ok {
		ok = func() bool { return b == 1 || g() }()
	}
	return b, g(), err
}
`
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := mutants(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, m.String())
	}
	want := []string{
		"a.go:4: ok -> !(ok)",
		"a.go:5: && -> ||",
		"a.go:5: < -> >=",
		"a.go:7: !ok -> !(!ok)",
		"a.go:8: || -> &&",
		"a.go:8: == -> !=",
		"a.go:10: g() -> !(g())",
		"a.go:10: err -> nil",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The overlay replaces the file by one that differs in the mistake only.
func TestOverlay(t *testing.T) {
	dir := t.TempDir()
	m := mutant{path: "/src/a.go", from: 2, to: 4, new: "!=", source: []byte("a == b")}
	list, err := m.overlay(dir)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := os.ReadFile(filepath.Join(dir, "changed.go"))
	if err != nil || string(changed) != "a != b" {
		t.Errorf("%q, %v", changed, err)
	}
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	var overlay struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &overlay); err != nil || overlay.Replace["/src/a.go"] != filepath.Join(dir, "changed.go") {
		t.Errorf("%s, %v", text, err)
	}
}

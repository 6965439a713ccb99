package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each number, condition and entry of a list is a site, and the package with all
// choices in it does what it did, but for the one that is chosen.
func TestInstrument(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/redact\n\ngo 1.26\n")
	write("a.go", `package redact

type row struct {
	least int
	of    []string
}

var rows = [...]row{{least: 8, of: []string{"a", "b"}}}

func judge(n int, s string) bool {
	if r := rows[0]; n >= r.least && (s == r.of[0] || len(s) > 6) {
		return true
	}
	return false
}
`)
	write("a_test.go", `package redact

import "testing"

func Test(t *testing.T) {
	t.Log("result", judge(8, "a"), judge(7, "a"), judge(8, "1234567"), len(rows[0].of))
}
`)
	sites, files, err := instrument(dir, []string{"a.go"}, []string{"a.go"})
	if err != nil {
		t.Fatal(err)
	}
	write("a.go", string(files["a.go"]))
	write("ablated.go", chooser)
	results := map[string]string{"": "true false true 2"}
	var got []string
	for i, s := range sites {
		for _, by := range s.changes() {
			got = append(got, s.changed(by))
		}
		switch s.text {
		case `"b"`:
			results[fmt.Sprintf("%d:%d", i, 0)] = "true false true 1"
		case "8":
			results[fmt.Sprintf("%d:%d", i, -1)] = "true true true 2"
		case "6":
			results[fmt.Sprintf("%d:%d", i, 1)] = "true false false 2"
		case "n >= r.least":
			results[fmt.Sprintf("%d:%d", i, 0)] = "true true true 2"
		}
	}
	want := []string{
		`a.go:8: without {least: 8, of: []string{"a", "b"}}`, "a.go:8: 8-1 in least: 8", "a.go:8: 8+1 in least: 8", `a.go:8: without "a"`, `a.go:8: without "b"`,
		"a.go:11: without n >= r.least", "a.go:11: without s == r.of[0]", "a.go:11: without len(s) > 6",
		"a.go:11: 6-1 in len(s) > 6", "a.go:11: 6+1 in len(s) > 6",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(results) != 5 {
		t.Fatalf("results: %v", results)
	}
	program := filepath.Join(dir, "a.test")
	build := exec.Command("go", "test", "-c", "-o", program, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for change, want := range results {
		cmd := exec.Command(program, "-test.v")
		cmd.Env = append(os.Environ(), "ABLATE="+change)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "result "+want+"\n") {
			t.Errorf("with %q: %v, want %s\n%s", change, err, want, out)
		}
	}
}

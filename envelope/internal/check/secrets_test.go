package check

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// Each place with a secret is told once, names by the object that has them.
func TestSecretsAreReported(t *testing.T) {
	mask := func(s string) []byte { return bytes.ReplaceAll([]byte(s), []byte("hunter2"), []byte("***")) }
	for doc, want := range map[string][]string{
		`"hunter2"`:                                          {""},
		` { "a" : [ 1 , "hunter2" , null ] } `:               {"/a/1"},
		`{"a":{"hunter2":"hunter2"},"b/c~":"x hunter2"}`:     {"/a", "/b~1c~0"},
		`[{},[],{"a":[]},["hunter2",["hunter2"]],"hunter2"]`: {"/3/0", "/3/1/0", "/4"},
		`{"a":",:]}hunter2\""}`:                              {"/a"},
	} {
		var got []string
		for _, f := range Secrets([]byte(doc), mask(doc)) {
			got = append(got, f.Pointer)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: told at %q, want %q", doc, got, want)
		}
	}
}

// Documents whose members differ after masking are compared without a panic.
func TestSecretsInAnotherShape(t *testing.T) {
	for _, pair := range [][2]string{
		{`{"a":[1,2,3],"b":"s"}`, `{"a":[1],"b":"*"}`},
		{`{"a":[1],"b":"s"}`, `{"a":[1,[2]],"b":"*"}`},
		{`{"a":{"x":{}},"b":"s"}`, `{"a":{},"b":"*"}`},
	} {
		if got := Secrets([]byte(pair[0]), []byte(pair[1])); len(got) != 1 || got[0].Pointer != "/b" {
			t.Errorf("%s: %v, want one at /b", pair[0], got)
		}
	}
	if got := Secrets([]byte(`{"a":{"b":1}}`), []byte(`{"a":"***"}`)); len(got) != 1 || got[0].Pointer != "/a" {
		t.Errorf("an object that was masked whole: %v, want one at /a", got)
	}
}

// A secret at the bottom costs no more than one at the top.
func BenchmarkSecretsInDepth(b *testing.B) {
	const levels = 900
	pad := strings.Repeat("x", 2<<20/levels)
	doc := []byte(strings.Repeat(`{"p":"`+pad+`","a":`, levels) + `"hunter2"` + strings.Repeat("}", levels))
	masked := bytes.Replace(doc, []byte("hunter2"), []byte("*******"), 1)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if got := Secrets(doc, masked); len(got) != 1 {
			b.Fatalf("%d faults, want 1", len(got))
		}
	}
}

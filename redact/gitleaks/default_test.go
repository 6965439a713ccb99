package gitleaks_test

import (
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/redact/gitleaks"
)

// defaultConfig is the configuration that gitleaks comes with.
func defaultConfig(t testing.TB) []byte {
	t.Helper()
	f, err := os.Open("testdata/default.toml.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The configuration that gitleaks comes with is read whole, and its rules work
// beside those that are built in.
func TestDefaultConfig(t *testing.T) {
	text := defaultConfig(t)
	rules, notices, err := gitleaks.Load("default.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	// One rule is about paths alone.
	if want := strings.Count(string(text), "\n[[rules]]\n") - 1; len(rules) != want || want < 200 {
		t.Errorf("%d rules, want %d", len(rules), want)
	}
	for _, n := range notices {
		if !strings.Contains(n, "path is ignored") && !strings.Contains(n, "paths and commits are ignored") {
			t.Errorf("notice: %s", n)
		}
	}
	r := redact.New(redact.Options{Rules: rules})
	for _, c := range []struct{ in, want, rule string }{
		{"BUNDLE_GEMS__CONTRIBSYS__COM: cafebabe:deadbeef", `BUNDLE_GEMS__CONTRIBSYS__COM: "***"`, "sidekiq-secret"},
		{"commit 1ac8525e75af98737896a86986d3cafd32c21f18", "commit 1ac8525e75af98737896a86986d3cafd32c21f18", ""},
		{"password=hunter2x9", "password=***", "assignment"},
	} {
		got, counts := r.String(c.in)
		if got != c.want || c.rule != "" && counts[c.rule] != 1 {
			t.Errorf("%q became %q (%v), want %q by %q", c.in, got, counts, c.want, c.rule)
		}
		if again, _ := r.String(got); again != got {
			t.Errorf("%q: masked twice it is %q", c.in, again)
		}
	}
}

// Reading compiles nothing: that waits for the first keyword.
func BenchmarkLoad(b *testing.B) {
	text := defaultConfig(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := gitleaks.Load("default.toml", text); err != nil {
			b.Fatal(err)
		}
	}
}

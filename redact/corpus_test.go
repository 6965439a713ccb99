package redact_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/score/cases"
	"github.com/envwrap/envwrap/redact"
)

const (
	secretsFile = "testdata/corpus/dev-secrets.jsonl.gz.b64"
	cleanFile   = "testdata/corpus/dev-clean.jsonl.gz.b64"
	missesFile  = "testdata/corpus/misses.txt"
)

func corpus(t *testing.T, name string) []cases.Case {
	t.Helper()
	rows, err := cases.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// floors are the shares of secrets that must be found, by source; many labels
// of some sources are no secrets by our lights (host names, user names).
var floors = map[string]float64{
	"":         0.949, // without ids of clients and accounts, which open nothing
	"gitleaks": 0.99, "betterleaks": 0.989, "kingfisher": 0.91, "titus": 0.83, "credsweeper": 0.87,
	"detect-secrets": 0.82, "secretlint": 0.69, "noseyparker": 1,
}

// Secrets that others have labelled are found, but for the known misses. With
// UPDATE=1 those are written anew.
func TestRecall(t *testing.T) {
	r := redact.New(redact.Options{})
	missed, good, all := map[string]int{}, map[string]int{}, map[string]int{}
	for _, c := range corpus(t, secretsFile) {
		got, _ := r.String(c.Text)
		for _, src := range []string{"", c.Src} {
			all[src]++
			if c.Passes(got) {
				good[src]++
			}
		}
		if !c.Passes(got) {
			missed[c.Src+" "+c.Rule]++
		}
	}
	for src, floor := range floors {
		if share := float64(good[src]) / float64(all[src]); !(share >= floor) {
			t.Errorf("recall of %q is %.4f, want %.4f", src, share, floor)
		}
	}
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(missed)) {
		fmt.Fprintf(&b, "%d %s\n", missed[k], k)
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(missesFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	known, err := os.ReadFile(missesFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(known) != b.String() {
		t.Errorf("other secrets are missed than %s says; UPDATE=1 writes it:\n%s", missesFile, b.String())
	}
}

// Texts without a secret come out as they went in.
func TestClean(t *testing.T) {
	r := redact.New(redact.Options{})
	for _, c := range corpus(t, cleanFile) {
		if got, counts := r.String(c.Text); got != c.Text {
			t.Errorf("%s/%s: %v in %q:\n%q", c.Src, c.Rule, counts, c.Text, got)
		}
	}
}

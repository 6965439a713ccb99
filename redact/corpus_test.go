package redact_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/redactcases"
	"github.com/envwrap/envwrap/redact"
)

const corpusDir = "testdata/corpus/"

// corpus reads the cases of files.
func corpus(t *testing.T, names ...string) []redactcases.Case {
	t.Helper()
	var all []redactcases.Case
	for _, name := range names {
		rows, err := redactcases.Read(corpusDir + name + ".jsonl.gz.b64")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rows...)
	}
	return all
}

// golden compares what is found with a file, which UPDATE=1 writes anew.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(corpusDir+name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(corpusDir + name)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	t.Errorf("%s is not what it was; UPDATE=1 writes it", name)
	for line := range strings.Lines(string(want)) {
		if !strings.Contains(got, line) {
			t.Logf("-%s", line)
		}
	}
	for line := range strings.Lines(got) {
		if !strings.Contains(string(want), line) {
			t.Logf("+%s", line)
		}
	}
}

// floors are the shares of secrets that must be found, by source; many labels
// of some sources are no secrets by our lights (host names, user names).
var floors = map[string]float64{
	"":         0.947, // without ids of clients and accounts, which open nothing
	"gitleaks": 0.99, "betterleaks": 0.989, "kingfisher": 0.91, "titus": 0.83, "credsweeper": 0.87,
	"detect-secrets": 0.82, "secretlint": 0.69, "noseyparker": 0.85, "scalibr": 0.963,
}

// Secrets that others have labelled are found, but for the known misses. With
// UPDATE=1 those are written anew.
func TestRecall(t *testing.T) {
	r := redact.New(redact.Options{})
	missed, good, all := map[string]int{}, map[string]int{}, map[string]int{}
	for _, c := range corpus(t, "dev-secrets", "dev-secrets-2") {
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
	golden(t, "misses.txt", b.String())
}

// Each rule masks as much of the cases as it did: how often, and how many bytes are
// left of the cases in which it does.
func TestMasked(t *testing.T) {
	r := redact.New(redact.Options{})
	type tally struct{ spans, left int }
	rules := map[string]tally{}
	for _, c := range corpus(t, "dev-secrets", "dev-secrets-2") {
		got, counts := r.String(c.Text)
		for rule, n := range counts {
			rules[rule] = tally{rules[rule].spans + n, rules[rule].left + len(got)}
		}
	}
	var b strings.Builder
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		fmt.Fprintf(&b, "%s %d %d\n", rule, rules[rule].spans, rules[rule].left)
	}
	golden(t, "masked.txt", b.String())
}

// Texts without a secret come out as they went in.
func TestClean(t *testing.T) {
	r := redact.New(redact.Options{})
	for _, c := range corpus(t, "dev-clean") {
		if got, counts := r.String(c.Text); got != c.Text {
			t.Errorf("%s/%s: %v in %q:\n%q", c.Src, c.Rule, counts, c.Text, got)
		}
	}
}

package redact_test

import (
	"math/rand/v2"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/redactcases"
	"github.com/envwrap/envwrap/redact"
)

const (
	leastMade  = 0.997 // of all cases that are made up
	leastGroup = 0.9   // of those of one kind, or in one frame
)

// leastClean is how many of the texts without a secret that are made up stay as they
// are.
const leastClean = 0.995

// Digests, ids, public keys and images are no secrets, wherever they are.
func TestMadeUpClean(t *testing.T) {
	r := redact.New(redact.Options{})
	good, all := 0, 0
	for _, c := range redactcases.Clean(18) {
		got, counts := r.String(c.Text)
		if all++; c.Passes(got) {
			good++
		} else {
			t.Logf("%s, %s: %q became %q, %v", c.Of, c.Frame, c.Text, got, counts)
		}
	}
	if share := float64(good) / float64(all); share < leastClean {
		t.Errorf("%d of %d stay as they are, want %.3f", good, all, leastClean)
	}
}

// Secrets of every kind are found in every frame.
func TestMadeUp(t *testing.T) {
	t.Parallel()
	r := redact.New(redact.Options{})
	type tally struct{ good, all int }
	groups := map[string]*tally{}
	rnd := rand.New(rand.NewPCG(18, 18))
	for _, c := range redactcases.Cases(18) {
		if rnd.IntN(matrix.Every(7)) > 0 {
			continue
		}
		got, _ := r.String(c.Text)
		passes := c.Passes(got)
		for _, g := range []string{"", "kind " + c.Of, "frame " + c.Frame} {
			if groups[g] == nil {
				groups[g] = &tally{}
			}
			groups[g].all++
			if passes {
				groups[g].good++
			}
		}
	}
	for name, g := range groups {
		if g.all < 10 && !matrix.Whole() {
			continue // too few for a share
		}
		share, least := float64(g.good)/float64(g.all), leastGroup
		if name == "" {
			least = leastMade
			t.Logf("%d of %d, %.4f", g.good, g.all, share)
		}
		if !(share >= least) {
			t.Errorf("%q: %d of %d are found, want %.3f", name, g.good, g.all, least)
		}
	}
}

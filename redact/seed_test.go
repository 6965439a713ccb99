package redact_test

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// seeds are phrases that are published as test vectors, of 12, 12, 12, 18, 24 and 24 words,
// and one made here that is as short as one may be.
var seeds = []string{
	"legal winner thank year wave sausage worth useful legal winner thank yellow",
	"ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic",
	"cat swing flag economy stadium alone churn speed unique patch report train",
	"gravity machine north sort system female filter attitude volume fold club stay feature office ecology stable narrow fog",
	"hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy gospel tennis maple dilemma loan word shrug inflict delay length",
	"void come effort suffer camp survey warrior heavy shoot primary clutch crush open amazing screen patrol group space point ten exist slush involve unfold",
	shortSeed,
}

const shortSeed = "above zoo zoo urge zoo twelve zebra act world supply abuse wolf"

// The words of a seed are masked with nothing that says so, wherever they stand.
func TestSeeds(t *testing.T) {
	r := redact.New(redact.Options{})
	for _, seed := range seeds {
		for _, frame := range [][2]string{
			{"", ""},
			{"", "\n"},
			{"2026-03-01T10:00:00Z INFO restored from ", " in 3 s\n"},
			{`{"restored":"`, `","n":1}`},
			{`{"log":"a line\n`, `\nanother"}`},
			{"> ", ""},
			{"a='", "' b=1"},
			{strings.Repeat(" ", 70), strings.Repeat(" ", 70)},
		} {
			if got, _ := r.String(frame[0] + seed + frame[1]); got != frame[0]+redact.Mask+frame[1] {
				t.Errorf("%q: got %q", frame[0]+seed+frame[1], got)
			}
		}
		for i := range 200 {
			for _, sign := range []string{" ", `\n`} {
				before := strings.Repeat("x.", i/2) + strings.Repeat(" ", i%2) + sign
				if got, _ := r.String(before + seed + " x."); got != before+redact.Mask+" x." {
					t.Fatalf("after %q: got %q", before, got)
				}
			}
		}
	}
	// In a text that goes through the sieve, after what does not, around the ends of its
	// portions and at its end.
	const first = 64 << 10
	empty := strings.Repeat("\n", first+2000+20000)
	for n := range 2000 {
		if n > 40 && n%992 < 880 {
			continue
		}
		for _, text := range [][2]string{{empty[:first+n], empty[:20000]}, {empty[:20000+first+n], "\n"}} {
			if got, _ := r.String(text[0] + shortSeed + text[1]); got != text[0]+redact.Mask+text[1] {
				t.Fatalf("after %d bytes of %d the words are not masked", len(text[0]), len(text[0]+shortSeed+text[1]))
			}
		}
	}
}

// Words that are no seed stay.
func TestNoSeeds(t *testing.T) {
	r := redact.New(redact.Options{})
	long := strings.Repeat(seeds[0]+" ", 3)
	for _, text := range []string{
		strings.Replace(seeds[0], "yellow", "year", 1), // the checksum is wrong
		strings.Replace(seeds[1], "picnic", "picnics", 1), strings.TrimSuffix(seeds[2], " train"),
		strings.Replace(seeds[0], " wave ", "  wave ", 1), strings.Replace(seeds[0], " wave ", " Wave ", 1),
		strings.Replace(seeds[0], " wave ", " of ", 1), seeds[1] + "_x", strings.TrimSpace(long),
		"the quick brown fox jumps over the lazy dog while some other animals watch from behind their own small green garden fence",
	} {
		if got, _ := r.String(text); got != text {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

package redact

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/rules/service"
	"github.com/envwrap/envwrap/redact/internal/rules/token"
	"github.com/envwrap/envwrap/redact/internal/rules/url"
)

// sampleText makes a text of a sample such as "a14.atlasv1.u67": a letter for a
// class, and how many of it there are; all else stands for itself.
func sampleText(rnd *rand.Rand, sample string) string {
	sets := map[byte]string{
		'a': "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 'd': "0123456789", 'h': "0123456789abcdef",
		'B': "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/", 'u': "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_",
	}
	return regexp.MustCompile(`[adhBu][0-9]+`).ReplaceAllStringFunc(sample, func(s string) string {
		n, _ := strconv.Atoi(s[1:])
		b := make([]byte, n)
		for i := range b {
			b[i] = sets[s[0]][rnd.IntN(len(sets[s[0]]))]
		}
		b[0], b[n-1] = sets[s[0]][1], sets[s[0]][2] // no sign at either end, nor A
		return string(b)
	})
}

// Each infix finds its sample, alone and within other text.
func TestInfixSamples(t *testing.T) {
	rnd := random()
	r := New(Options{})
	for _, x := range token.Infixes {
		for range 20 {
			s := sampleText(rnd, x.Sample)
			for _, around := range [][2]string{{"", ""}, {"x ", " y"}, {`{"a":"`, `"}`}, {"key=", "&b=1"}, {"(", ")."}} {
				in := around[0] + s + around[1]
				if got, _ := r.String(in); got != around[0]+Mask+around[1] {
					t.Errorf("%s: %q became %q", x.Rule, in, got)
				}
			}
		}
	}
}

// Each token of the tables finds its sample.
func TestTokenSamples(t *testing.T) {
	r := New(Options{})
	for _, f := range token.Families {
		for _, tok := range f.Tokens {
			in, want := "a "+tok.Prefix+tok.Sample+" b", "a *** b"
			if tok.Address() {
				want = "a " + tok.Prefix + "*** b"
			}
			if got, _ := r.String(in); got != want {
				t.Errorf("%s: %q became %q", f.Rule, in, got)
			}
		}
	}
}

// Each vendor's keys are found after its name.
func TestVendorSamples(t *testing.T) {
	rnd := random()
	r := New(Options{})
	for _, d := range service.Vendors {
		for range 10 {
			b := make([]byte, d.Length)
			for i := range b {
				for b[i] == 0 || !ascii.Is(b[i], d.Class) || i == 0 && !ascii.Is(b[i], ascii.Alnum) {
					b[i] = byte(rnd.IntN(128))
				}
			}
			b[d.Length/2] = '7'
			s := string(b)
			if d.Class == ascii.HexDigit|ascii.Dash && d.Length == service.UUIDLength {
				s = sampleText(rnd, "h8-h4-h4-h4-h12")
			}
			if d.Class&^ascii.Dash == ascii.HexDigit {
				s = strings.ToLower(s)
			}
			for _, between := range []string{" ", " = '", "=", `": "`} {
				in := "x " + d.Name + between + s
				if got, _ := r.String(in); got != "x "+d.Name+between+Mask {
					t.Errorf("%s: %q became %q", d.Name, in, got)
				}
			}
		}
	}
}

// Each webhook is masked whole.
func TestWebhookSamples(t *testing.T) {
	rnd := random()
	r := New(Options{})
	for _, w := range url.Webhooks {
		n := strconv.Itoa(w.After + 8)
		class := "a" + n
		if w.Literal == "/hooks/" {
			class = "h26"
		}
		s := sampleText(rnd, class)
		in := "post to https://x" + w.Literal + s + " now"
		if w.Literal[0] != '/' && w.Literal[0] != '.' {
			in = "post to https://" + w.Literal + s + " now"
		}
		if got, _ := r.String(in); got != "post to *** now" {
			t.Errorf("%q became %q", in, got)
		}
	}
}

package redact

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/redact/internal/rules"
	"github.com/envwrap/envwrap/redact/internal/rules/token"
)

// random is the source of random texts; REDACT_SEED chooses another.
func random() *rand.Rand {
	seed, _ := strconv.ParseUint(os.Getenv("REDACT_SEED"), 10, 64)
	return rand.New(rand.NewPCG(seed, 1))
}

// scraps are the parts of random texts: the literals of all
// rules, and what stands around secrets.
func scraps() []string {
	out := []string{
		"=", ": ", ":", "\"", "'", "`", "\\", "\\\"", " ", "  ", "\t", "\n", "\r\n", ",", ";", "{", "}", "[", "]", "(", ")",
		"<", ">", "&", "@", "/", "-", "--", "***", "\x1b[32m", "\x1b[0m", "\\u0041", "\\n", "%20", "|", "||", "==", " is ",
		"user", "x", "1234567890", "0x12", "hunter2x9", "AbCd1234EfGh5678", "w5xxluqjwgn4duxvcjqdzjmr3rhz1tcmloa5",
		"0123456789abcdef0123456789abcdef", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "73264981", knownSecret, "héllo", "\x00", "\xff",
		"PRIVATE KEY-----", "-----END ", "data:", "kind: Secret", "apiVersion: v1", "\"kty\":\"RSA\"", "machine h login u password ",
		"curl -u ", "a:b@", "value=", "export ", "string", "8Nx6ZKiCJAFq2f1uwPPHb5UNLsAbCdEfGhIjKlMn", "true", "null", "é",
		"cat swing flag economy stadium alone churn speed unique patch report train",
	}
	for _, l := range rules.Literals() {
		out = append(out, l.Text)
	}
	for _, f := range token.Families {
		for _, t := range f.Tokens {
			out = append(out, t.Prefix+t.Sample)
		}
	}
	return out
}

func scrapText(rnd *rand.Rand, scraps []string, most int) string {
	var b strings.Builder
	for range 1 + rnd.IntN(most) {
		n := len(scraps)
		if rnd.IntN(3) > 0 {
			n = 72 // what stands around secrets
		}
		b.WriteString(scraps[rnd.IntN(n)])
	}
	return b.String()
}

// Random texts, too, come out alike however they were cut, and masking them
// twice changes nothing.
func TestPromises(t *testing.T) {
	t.Parallel()
	rnd := random()
	all, r := scraps(), testRedactor()
	for range matrix.Times(1500, 4000) {
		text := []byte(scrapText(rnd, all, 24))
		once := masked(t, r, usual, text)
		if twice := masked(t, r, usual, once); !bytes.Equal(once, twice) {
			t.Errorf("%q:\n once %q\ntwice %q", text, once, twice)
		}
		if got := masked(t, r, usual, text, each(text)...); !bytes.Equal(got, once) {
			t.Errorf("%q byte by byte:\n got %q\nwant %q", text, got, once)
		}
		want := masked(t, r, small, text)
		if got := masked(t, r, small, text, each(text)...); !bytes.Equal(got, want) {
			t.Errorf("%q byte by byte, small:\n got %q\nwant %q", text, got, want)
		}
		if t.Failed() {
			return
		}
	}
}

// scrapJSON makes a random JSON value.
func scrapJSON(rnd *rand.Rand, scraps []string, depth int) any {
	switch n := rnd.IntN(10); {
	case n < 2 && depth > 0:
		m := map[string]any{}
		for range rnd.IntN(3) {
			m[scrapText(rnd, scraps, 3)] = scrapJSON(rnd, scraps, depth-1)
		}
		return m
	case n < 4 && depth > 0:
		var a []any
		for range rnd.IntN(3) {
			a = append(a, scrapJSON(rnd, scraps, depth-1))
		}
		return a
	case n == 4:
		return json.Number([]string{"73264981", "173264981.5", "-5", "1e9", "123456789012345678"}[rnd.IntN(5)])
	case n == 5:
		return []any{true, false, nil}[rnd.IntN(3)]
	case n == 6 && depth > 0:
		b, _ := json.Marshal(scrapJSON(rnd, scraps, depth-1))
		return string(b)
	}
	return scrapText(rnd, scraps, 8)
}

// A random JSON document stays one, on one line or on several, and masking it
// twice changes nothing.
func TestJSONStays(t *testing.T) {
	t.Parallel()
	rnd := random()
	all, r := scraps(), testRedactor()
	for n := range matrix.Times(1500, 4000) {
		doc := map[string]any{scrapText(rnd, all, 8): scrapJSON(rnd, all, 3), "password": scrapJSON(rnd, all, 2), "token": scrapJSON(rnd, all, 0)}
		text, err := json.Marshal(doc)
		if n%2 == 0 {
			text, err = json.MarshalIndent(doc, "", "  ")
		}
		if err != nil {
			t.Fatal(err)
		}
		out := masked(t, r, usual, text)
		if !document(out) {
			t.Fatalf("%s:\n got %s", text, out)
		}
		if twice := masked(t, r, usual, out); !bytes.Equal(out, twice) {
			t.Fatalf("%s:\n once %s\ntwice %s", text, out, twice)
		}
	}
}

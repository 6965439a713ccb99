package redact

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
)

const knownSecret = "s3cr3t/V4lue+w\"ith=signs\\"

func testRedactor() *Redactor {
	return New(Options{Values: []Value{{Rule: "env:X", Secret: knownSecret}, {Rule: "env:N", Secret: "73264981"}}})
}

// small are limits at which short texts are cut, too.
var small = limits{window: 256, keep: 96, sight: 48, minHalf: 16, maxHalf: 256}

// smallReach is how far before a cut a span may begin with small limits.
const smallReach = 32

// masked returns the output of a Writer for text, cut at each of the offsets.
func masked(t testing.TB, r *Redactor, lim limits, text []byte, cuts ...int) []byte {
	t.Helper()
	if runtime.GOMAXPROCS(0) == 1 {
		runtime.GOMAXPROCS(2) // else nothing is masked on two cores
	}
	var out bytes.Buffer
	w := r.Writer(&out)
	w.lines.lim = lim
	if lim == small {
		w.scanner().Reach = smallReach
	}
	from := 0
	for _, c := range append(cuts, len(text)) {
		if _, err := w.Write(text[from:c]); err != nil {
			t.Fatal(err)
		}
		from = c
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// each is all offsets of a text.
func each(text []byte) []int {
	cuts := make([]int, len(text))
	for i := range cuts {
		cuts[i] = i
	}
	return cuts
}

func seeds(f *testing.F) {
	for _, s := range []string{
		"password=hunter2x9\n", "a " + knownSecret + " b\n", "{\"password\":\"hunter2x9\",\"n\":73264981}\n",
		"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n-----END PRIVATE KEY-----\nx\n",
		"[\"-----BEGIN PRIVATE KEY-----\",\n\"MIIEvQIBADANBgkqhkiG9w0\",\ntrue]\n",
		"https://user:pa55word@example.com\n", "Authorization: Bearer abcdef0123456789\n",
		"\x1b[1mtoken\x1b[0m: \"" + "ghp" + "_w5xxluqjwgn4duxvcjqdzjmr3rhz1tcmloa5\"\n",
		"{\"a\":\"curl -u user:pa55word http\"}\n", "machine x login y password z1234\n",
		"apiVersion: v1\nkind: Secret\ndata:\n  a: UyFCXCpkJHpEc2I9\n", "token:\n  'w5xxluqjwgn4duxvcjq'\n",
		"Cookie: sid=w5xxluqjwgn4duxvcjq; x=y\n", "id,user,password\n\n1,ada,kQ7mZr3TnX0\n", "{\\\"secret\\\": \\\"w5xxluqjwgn4duxvcjq\\\"}\n",
		"SK" + "65eac72bb8876a498e15eb0e21f3a5c7 AK" + "IAGIREOGIAWSKEY321 8Nx6ZKiCJAFq2f1uwPPHb5UNLsAbCdEfGhIjKlMn\n",
	} {
		f.Add([]byte(s))
	}
}

// The output does not depend on how the input is split into writes.
func FuzzSplit(f *testing.F) {
	seeds(f)
	r := testRedactor()
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, lim := range []limits{usual, small} {
			want := masked(t, r, lim, text)
			if got := masked(t, r, lim, text, each(text)...); !bytes.Equal(got, want) {
				t.Fatalf("%q byte by byte:\n got %q\nwant %q", text, got, want)
			}
			step := 1 + len(text)/64
			for i := 0; i < len(text); i += step {
				if got := masked(t, r, lim, text, i); !bytes.Equal(got, want) {
					t.Fatalf("%q cut at %d:\n got %q\nwant %q", text, i, got, want)
				}
			}
		}
	})
}

// Masking twice changes nothing.
func FuzzTwice(f *testing.F) {
	seeds(f)
	r := testRedactor()
	f.Fuzz(func(t *testing.T, text []byte) {
		once := masked(t, r, usual, text)
		if twice := masked(t, r, usual, once); !bytes.Equal(once, twice) {
			t.Fatalf("%q:\n once %q\ntwice %q", text, once, twice)
		}
	})
}

// document reports whether b is a JSON object or array.
func document(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && (b[0] == '{' || b[0] == '[') && json.Valid(b)
}

// A JSON document stays one, and so does each line of NDJSON.
func FuzzJSON(f *testing.F) {
	seeds(f)
	r := testRedactor()
	f.Fuzz(func(t *testing.T, text []byte) {
		out := masked(t, r, usual, text)
		if document(text) && !document(out) {
			t.Fatalf("%q:\n got %q", text, out)
		}
		in, got := strings.Split(string(text), "\n"), strings.Split(string(out), "\n")
		if in[len(in)-1] == "" && len(in) > 1 {
			in, got = in[:len(in)-1], got[:max(0, len(got)-1)]
		}
		for _, l := range in {
			if !document([]byte(l)) {
				return
			}
		}
		if len(in) != len(got) {
			t.Fatalf("%q: %d lines, want %d: %q", text, len(got), len(in), out)
		}
		for i, l := range got {
			if !document([]byte(l)) {
				t.Fatalf("%q: line %d is %q", text, i, l)
			}
		}
	})
}

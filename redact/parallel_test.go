package redact

import (
	"bytes"
	"maps"
	"runtime"
	"strings"
	"testing"
)

// near are limits at which texts of some KB are masked on two cores.
var near = func() limits {
	l := usual
	l.minHalf, l.maxHalf = 8<<10, l.window
	return l
}()

// maskedTwice masks text in one write and in small ones, which are not masked on two cores,
// and reports where the results or the counts are not the same.
func maskedTwice(t *testing.T, r *Redactor, text []byte) (changed bool) {
	t.Helper()
	var whole, pieces bytes.Buffer
	w, p := r.Writer(&whole), r.Writer(&pieces)
	w.lines.lim, p.lines.lim = near, near
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	for rest := text; len(rest) > 0; {
		n := min(len(rest), near.minHalf)
		if _, err := p.Write(rest[:n]); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	for _, w := range []*Writer{w, p} {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if w.lines.second == nil || p.lines.second != nil {
		t.Fatalf("a second core was asked for in one write: %t, in small ones: %t", w.lines.second != nil, p.lines.second != nil)
	}
	if !bytes.Equal(whole.Bytes(), pieces.Bytes()) || !maps.Equal(w.Counts(), p.Counts()) {
		t.Errorf("masked on two cores: %d bytes, %v; in pieces: %d bytes, %v", whole.Len(), w.Counts(), pieces.Len(), p.Counts())
	}
	return len(w.Counts()) > 0
}

// TestParallel masks what lies across the middle of a long text: a key, a table and a
// value below its name begin in the first half, or one that is not known ends there.
func TestParallel(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	}
	key := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n", 24) + "-----END PRIVATE KEY-----\n"
	for name, text := range map[string]string{
		"key":   key,
		"table": "user,password\n" + strings.Repeat("somebody,hunter2x9\n", 60),
		"value": "token:\n  w5xxluqjwgn4duxvcjq\n",
		"lines": strings.Repeat("password=hunter2x9 and s3cr3t-V4lue\nnothing to see\n", 40),
	} {
		t.Run(name, func(t *testing.T) {
			r := New(Options{Values: []Value{{Rule: "env:X", Secret: "s3cr3t-V4lue"}}})
			filler := strings.Repeat("a line of a log that has nothing of interest in it\n", 400)
			for shift := 0; shift < len(text); shift += 1 + len(text)/8 {
				before := filler[:near.minHalf*3/2-shift]
				before = before[:strings.LastIndexByte(before, '\n')+1]
				after := filler[:near.minHalf*3/2-len(text)+shift]
				if !maskedTwice(t, r, []byte(before+text+after)) {
					t.Errorf("%d bytes before the middle: nothing was masked", shift)
				}
			}
		})
	}
}

// TestParallelIsBounded holds no more output than maxHalf, whatever is written at once.
func TestParallelIsBounded(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	}
	w := New(Options{}).Writer(new(bytes.Buffer))
	w.lines.lim = near
	if _, err := w.Write(bytes.Repeat([]byte("password=hunter2x9\n"), 1<<15)); err != nil {
		t.Fatal(err)
	}
	if n := cap(w.lines.second.sc.Out); n == 0 || n > 2*near.maxHalf {
		t.Errorf("the second half of 600 KB has room for %d bytes", n)
	}
}

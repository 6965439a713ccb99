package redact_test

import (
	"encoding/base64"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// failing takes n bytes and then fails.
type failing struct{ n int }

var errFull = errors.New("disk full")

func (f *failing) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// An error of the destination stays, and is returned at once.
func TestWriterError(t *testing.T) {
	for _, text := range []string{"line\n", strings.Repeat("long line\n", 1000), "password=hunter2x9\n", strings.Repeat("x", 1<<17)} {
		w := redact.New(redact.Options{}).Writer(&failing{2})
		if n, err := io.WriteString(w, text); !errors.Is(err, errFull) || n != 0 {
			t.Errorf("%.20q: Write = %d, %v; want 0, %v", text, n, err, errFull)
		}
		if _, err := io.WriteString(w, "more\n"); !errors.Is(err, errFull) {
			t.Errorf("%.20q: the next Write = %v, want %v", text, err, errFull)
		}
		if err := w.Close(); !errors.Is(err, errFull) {
			t.Errorf("%.20q: Close = %v, want %v", text, err, errFull)
		}
	}
	w := redact.New(redact.Options{}).Writer(&failing{0})
	if _, err := io.WriteString(w, "unfinished"); err != nil {
		t.Errorf("an unfinished line: Write = %v", err)
	}
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("an unfinished line: Close = %v, want %v", err, errFull)
	}
}

// Modes mask what they say.
func TestModes(t *testing.T) {
	const text = "password=hunter2x9 kn0wn-value\n"
	for mode, want := range map[redact.Mode]string{
		redact.All: "password=*** ***\n", redact.Known: "password=hunter2x9 ***\n", redact.Off: text,
	} {
		r := redact.New(redact.Options{Mode: mode, Values: []redact.Value{{Rule: "env:X", Secret: "kn0wn-value"}}})
		if got, _ := r.String(text); got != want {
			t.Errorf("mode %d: got %q, want %q", mode, got, want)
		}
		if got, _ := stream(t, r, text, 5, 12, 22); got != want {
			t.Errorf("mode %d: streamed %q, want %q", mode, got, want)
		}
	}
}

// Bytes leaves its argument as it is.
func TestBytes(t *testing.T) {
	r := redact.New(redact.Options{})
	in := []byte("password=hunter2x9")
	out, counts := r.Bytes(in)
	if string(in) != "password=hunter2x9" || string(out) != "password=***" || counts["assignment"] != 1 {
		t.Errorf("got %q, %v; the argument is %q", out, counts, in)
	}
	clean := []byte("nothing")
	if out, counts := r.Bytes(clean); &out[0] != &clean[0] || len(counts) != 0 {
		t.Errorf("got %q, %v", out, counts)
	}
	if out, counts := r.Bytes(nil); len(out) != 0 || len(counts) != 0 {
		t.Errorf("nil: got %q, %v", out, counts)
	}
}

// A Redactor may be used by many at once.
func TestConcurrent(t *testing.T) {
	r := redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: "kn0wn-value"}}})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if got, _ := r.String("password=hunter2x9 kn0wn-value"); got != "password=*** ***" {
					t.Errorf("got %q", got)
				}
			}
		})
	}
	wg.Wait()
}

// A long value in wrapped base64 is masked on all of its lines.
func TestWrappedBase64(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, width := range []int{64, 76} {
		for size := 60; size < 400; size += 7 {
			secret := make([]byte, size)
			for i := range secret {
				secret[i] = byte('!' + rnd.IntN(90))
			}
			r := redact.New(redact.Options{Mode: redact.Known, Values: []redact.Value{{Rule: "env:X", Secret: string(secret)}}})
			for shift := range 3 {
				e := base64.StdEncoding.EncodeToString(append([]byte("ab")[:shift], secret...))
				var text strings.Builder
				for len(e) > width {
					text.WriteString(e[:width] + "\n")
					e = e[width:]
				}
				text.WriteString(e + "\nend\n")
				got, _ := r.String(text.String())
				for l := range strings.Lines(got) {
					if l != "***\n" && l != "end\n" {
						t.Fatalf("%d bytes, %d columns, %d before: %q is left of\n%s", size, width, shift, l, &text)
					}
				}
			}
		}
	}
}

// A refusing takes nothing, and counts how often it was asked.
type refusing struct{ writes, empty int }

func (r *refusing) Write(p []byte) (int, error) {
	r.writes++
	if len(p) == 0 {
		r.empty++
	}
	return 0, io.ErrClosedPipe
}

// A Writer writes nothing after an error, and never an empty slice.
func TestWriterAfterAnError(t *testing.T) {
	to := &refusing{}
	w := redact.New(redact.Options{}).Writer(to)
	_, _ = w.Write(nil)
	for range 3 {
		_, _ = w.Write([]byte("line\n"))
	}
	if err := w.Close(); !errors.Is(err, io.ErrClosedPipe) || to.writes != 1 || to.empty != 0 {
		t.Errorf("%d writes, %d of them empty: %v", to.writes, to.empty, err)
	}
}

// TestShortLinesBelowHeader writes lines that end early, each by itself, below the header of
// chap-secrets, whose entries have three words.
func TestShortLinesBelowHeader(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"", " ", `"`, `""`, `a b "`, `a b ""`, "a b", "a b ***"} {
		var out strings.Builder
		w := redact.New(redact.Options{}).Writer(&out)
		for _, text := range []string{"# client\tserver\tsecret\n", line + "\n"} {
			if _, err := w.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if want := "# client\tserver\tsecret\n" + line + "\n"; out.String() != want {
			t.Errorf("%q: got %q, want %q", line, out.String(), want)
		}
	}
}

// What a command is asked for is masked on its first line, however that is cut; the command
// itself is not counted, and random text is no stored secret.
func TestAfter(t *testing.T) {
	for _, c := range []struct {
		mode          redact.Mode
		command       string
		text, want    string
		total, traced int
	}{
		{redact.All, "pass show prod/db", "hunter2x9\nlogin ada\nhunter2x9\n", "***\nlogin ada\nhunter2x9\n", 1, 1},
		{redact.All, "pass show prod/db", "hunter2x9", "***", 1, 1},
		{redact.All, "PGPASSWORD=hunter3y8 pass show prod/db", "no such entry\n", "no such entry\n", 0, 0},
		{redact.All, "sh -c '\npass show prod/db'", "hunter2x9\n", "***\n", 1, 1},
		{redact.All, "pass show " + strings.Repeat("x", 1024), "hunter2x9\n", "hunter2x9\n", 0, 0},
		{redact.All, "openssl rand -hex 16", "c73e732f890ac7d4e2f8d23c38c12b2c\n", "c73e732f890ac7d4e2f8d23c38c12b2c\n", 0, 0},
		{redact.All, "cat << EOF\ndata:\n  password:", "  Tr0ub4dor&3\n", "  Tr0ub4dor&3\n", 0, 0},
		{redact.Known, "pass show prod/db", "hunter2x9\n", "hunter2x9\n", 0, 0},
		{redact.Off, "pass show prod/db", "hunter2x9\n", "hunter2x9\n", 0, 0},
	} {
		for cut := range len(c.text) {
			var out strings.Builder
			w := redact.New(redact.Options{Mode: c.mode}).Writer(&out)
			traced, total := 0, 0
			if c.mode != redact.Off {
				w.Trace(func(redact.Finding) { traced++ })
			}
			w.After(func() []string { return []string{c.command} })
			for _, part := range []string{c.text[:cut], c.text[cut:]} {
				if _, err := io.WriteString(w, part); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			for _, n := range w.Counts() {
				total += n
			}
			if out.String() != c.want || total != c.total || traced != c.traced {
				t.Errorf("%q, cut at %d: %q, %d counted, %d traced", c.command, cut, out.String(), total, traced)
			}
		}
	}
	redact.New(redact.Options{}).Writer(io.Discard).After(func() []string { t.Error("it is called without output"); return nil })
}

package redact_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/redact"
)

// wide is s in UTF-16.
func wide(order binary.AppendByteOrder, s string) string {
	var b []byte
	for _, c := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, c)
	}
	return string(b)
}

// maskIn returns s masked, written in pieces.
func maskIn(t *testing.T, r *redact.Redactor, s string, pieces io.Reader) string {
	t.Helper()
	var out bytes.Buffer
	w := r.Writer(&out)
	if _, err := io.Copy(struct{ io.Writer }{w}, struct{ io.Reader }{pieces}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Secrets in a stream in UTF-16 are masked, and it stays one, however it is cut.
func TestWide(t *testing.T) {
	t.Parallel()
	r := redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: "pässwort-ключ🚀9"}}})
	in := "Ok: Käse 🚀 DB_PASSWORD=hunter2xQ9\r\ngot pässwort-ключ🚀9 and it\r\n\r\n" + strings.Repeat("привет ", 6000) + "\nAKIA" + "Q3EGRZ7H2LTN5WVB\n漢"
	want := "Ok: Käse 🚀 DB_PASSWORD=***\r\ngot *** and it\r\n\r\n" + strings.Repeat("привет ", 6000) + "\n***\n漢"
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, mark := range []string{"\ufeff", ""} {
			in, want := wide(order, mark+in), wide(order, mark+want)
			for _, odd := range []string{"", "x"} {
				for name, pieces := range map[string]io.Reader{
					"at once": strings.NewReader(in + odd), "byte by byte": iotest.OneByteReader(strings.NewReader(in + odd)), "in halves": iotest.HalfReader(strings.NewReader(in + odd)),
				} {
					if got := maskIn(t, r, in+odd, pieces); got != want+odd {
						t.Errorf("%v, mark %q, %s: %d bytes, want %d", order, mark, name, len(got), len(want+odd))
					}
				}
			}
			if got, _ := r.String(want); got != want {
				t.Errorf("%v, mark %q: masking twice changed it", order, mark)
			}
		}
	}
}

// Data that only begins like UTF-16 stays unchanged.
func TestWideBinary(t *testing.T) {
	t.Parallel()
	r := redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: "pässwort-ключ9"}}})
	rnd := rand.New(rand.NewPCG(5, 6))
	for range matrix.Times(100, 300) {
		b := make([]byte, rnd.IntN(4000))
		for i := range b {
			b[i] = byte(rnd.UintN(256))
			if rnd.IntN(2) == 0 {
				b[i] = [...]byte{0xd8, 0xdc, 0xdf, 0, 0xff}[rnd.IntN(5)]
			}
		}
		for _, first := range []string{"\xff\xfe", "\xfe\xff", "a\x00b\x00", "\x00a\x00b", "a\x00", "\x00", "\xff", ""} {
			s := first + string(b)
			if got := maskIn(t, r, s, iotest.HalfReader(strings.NewReader(s))); got != s {
				t.Fatalf("%q became %q", s, got)
			}
		}
	}
}

// A line that is complete is passed on in the same Write, whatever it begins with.
func TestWideHoldsNoLine(t *testing.T) {
	for _, line := range []string{"\n", "a\n", "a\x00\n", "\x00\n", "\xff\n", "\xfe\n", "ab\n", "a\x00b\n", wide(binary.LittleEndian, "\ufeffab\n"), wide(binary.BigEndian, "\ufeffab\n")} {
		var out bytes.Buffer
		w := redact.New(redact.Options{}).Writer(&out)
		for i := range len(line) {
			if _, err := w.Write([]byte(line[i : i+1])); err != nil {
				t.Fatal(err)
			}
		}
		if out.String() != line {
			t.Errorf("%q: %q was passed on", line, out.String())
		}
		if err := w.Close(); err != nil || out.String() != line {
			t.Errorf("%q: %q was passed on in the end (%v)", line, out.String(), err)
		}
	}
}

// A write that fails is reported, and none follows it.
func TestWideReportsAFailure(t *testing.T) {
	for at := range 3 {
		dst := failsAt{at: at}
		w := redact.New(redact.Options{}).Writer(&dst)
		_, err := io.WriteString(w, wide(binary.LittleEndian, "\ufeffone line")+"x") // half a character
		if err = errors.Join(err, w.Close()); dst.calls > at && (err == nil || dst.calls > at+1) {
			t.Errorf("write %d: %v, %d writes", at, err, dst.calls)
		}
	}
}

// failsAt fails in one of its calls.
type failsAt struct{ at, calls int }

func (f *failsAt) Write(b []byte) (int, error) {
	if f.calls++; f.calls == f.at+1 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

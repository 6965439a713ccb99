package redact

import (
	"errors"
	"io"
	"testing"
)

// What is used where a reference has no value is one; what is an argument of a call
// is not.
func TestFallback(t *testing.T) {
	r := New(Options{})
	for text, hidden := range map[string]bool{
		`password = os.getenv("PW") or "hunter2x9"`:      true,
		`password = os.getenv("PW"); x = y or "hunter2"`: false,
		`password = lookup(name or "hunter2x9", 1)`:      false,
	} {
		if got, _ := r.String(text); (got != text) != hidden {
			t.Errorf("%q became %q", text, got)
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

// Nothing more is written after an error, and nothing empty.
func TestWriterAfterAnError(t *testing.T) {
	to := &refusing{}
	w := New(Options{}).Writer(to)
	_, _ = w.Write(nil)
	for range 3 {
		_, _ = w.Write([]byte("line\n"))
	}
	if err := w.Close(); !errors.Is(err, io.ErrClosedPipe) || to.writes != 1 || to.empty != 0 {
		t.Errorf("%d writes, %d of them empty: %v", to.writes, to.empty, err)
	}
}

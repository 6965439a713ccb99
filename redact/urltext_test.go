package redact

import (
	"errors"
	"io"
	"testing"
)

// A line within a key is base64, or one of the headers that keys have.
func TestKeyText(t *testing.T) {
	for line, want := range map[string]bool{
		"MIIEvQIBADANBg==": true, "DEK-Info: AES-128-CBC,0": true, "Version: 1": true, "Comment: mine": true, "Hash: SHA256": true,
		"Name: ada": false, "dek-info: x": false, "A-: x": false, "DEK-Info:": false, "DEK-Info:x": false, "DEK-Info; x": false, "DEK-Info": false,
	} {
		if got := keyText([]byte(line)); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// A webhook's path of words, of few characters or of samples is not one to hide.
func TestPlaceholderURL(t *testing.T) {
	for path, want := range map[string]bool{
		"your/webhook/path": true, "T00000000/B00000000/XXXXXXXXXXXX": true, "000/111/000": true,
		"T9K4BE7LD/B7WAQ2CD3/9dKf8Ls4QwErTyUiOpAs": false, "qXzRvKpWnBtLsGhJd": false, "your/webhook/path7": false,
	} {
		if got := placeholderURL([]byte(path)); got != want {
			t.Errorf("%q: %v, want %v", path, got, want)
		}
	}
}

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

package term

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestStripper(t *testing.T) {
	for in, want := range map[string]string{
		"text\n":                     "text\n",
		"\x1b[31mred\x1b[0m\n":       "red\n",
		"a\x1b[1;38;5;196mb\x1b[Kc":  "abc",
		"\x1b]0;title\x07shown":      "shown",
		"\x1b]8;;http://x\x1b\\link": "link",
		"\x1b(Bascii\x1b=\x1b>":      "ascii",
		"\x1b[31":                    "",
		"50%\r100%\n":                "50%\r100%\n",
		"\x1b\x1b[1mbold":            "bold",
		"\x1bPx\x1b\\\x1b^x\x07\x1b_x\x1b\\\x1bXx\x07!":          "!",
		"\x1b]x\x1bc\x1b[1m!":                                    "!",
		"\x1b]" + strings.Repeat("x", maxSequence+1) + "end":     "xend",
		"\x1b]" + strings.Repeat("x", maxSequence-1) + "\x07end": "end",
	} {
		for _, size := range []int{1, 2, 3, 1000} {
			var got bytes.Buffer
			p := NewStripper(&got)
			for b := []byte(in); len(b) > 0; b = b[min(size, len(b)):] {
				if n, err := p.Write(b[:min(size, len(b))]); err != nil || n != min(size, len(b)) {
					t.Fatalf("%.40q: wrote %d, %v", in, n, err)
				}
			}
			if got.String() != want {
				t.Errorf("%.40q in pieces of %d: %.40q, want %q", in, size, got.String(), want)
			}
		}
	}
}

// An error of the writer is passed on, and met only where there is something to write.
func TestStripperIsNotWritten(t *testing.T) {
	full := errors.New("full")
	p := NewStripper(writerFunc(func([]byte) (int, error) { return 0, full }))
	if n, err := p.Write([]byte("\x1b[1m")); n != 4 || err != nil {
		t.Errorf("a sequence: %d, %v", n, err)
	}
	if n, err := p.Write([]byte("x")); n != 0 || !errors.Is(err, full) {
		t.Errorf("text: %d, %v", n, err)
	}
}

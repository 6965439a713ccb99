package term

import (
	"bytes"
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
	} {
		for _, size := range []int{1, 2, 3, 1000} {
			var got bytes.Buffer
			p := NewStripper(&got)
			for b := []byte(in); len(b) > 0; b = b[min(size, len(b)):] {
				if _, err := p.Write(b[:min(size, len(b))]); err != nil {
					t.Fatal(err)
				}
			}
			if got.String() != want {
				t.Errorf("%q in pieces of %d: %q, want %q", in, size, got.String(), want)
			}
		}
	}
}

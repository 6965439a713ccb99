package term

import (
	"strings"
	"testing"
	"unicode/utf8"
)

var cases = []struct{ name, in, want string }{
	{"plain", "one\n\ttwo, drei € 日本\n", "one\n\ttwo, drei € 日本\n"},
	{"a sequence", "\x1b[2J", "^[[2J"},
	{"a title", "\x1b]0;x\x07", "^[]0;x^G"},
	{"the clipboard", "\x1b]52;c;eA==\x1b\\", "^[]52;c;eA==^[\\"},
	{"a carriage return", "done\rfail", "done^Mfail"},
	{"a backspace and DEL", "a\b\x7f", "a^H^?"},
	{"CSI of eight bits", "\x9b2J", "<9B>2J"},
	{"CSI in UTF-8", "\u009b2J", "<U+009B>2J"},
	{"no UTF-8", "\xff\xc3(", "<FF><C3>("},
	{"cut short", "\xe6\x97", "<E6><97>"},
	{"the order turned round", "a\u202eb\u2066c", "a<U+202E>b<U+2066>c"},
	{"marks of direction", "\u200e\u200f\u061c\u2028\u2069", "<U+200E><U+200F><U+061C><U+2028><U+2069>"},
	{"their neighbors", "\u200d\u2010\u061b\u2027\u202f\u2065\u206a ~\u00a0", "\u200d\u2010\u061b\u2027\u202f\u2065\u206a ~\u00a0"},
	{"the last controls", "\x1f\u0080\u009f", "^_<U+0080><U+009F>"},
	{"the sign of a bad character", "\ufffd", "\ufffd"},
	{"NUL", "\x00", "^@"},
}

func TestText(t *testing.T) {
	for _, c := range cases {
		if got := Text(c.in); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if got, want := Text("\x1b[1mbold\x1b[0m\x1b[8m", "\x1b[1m", "\x1b[0m"), "\x1b[1mbold\x1b[0m^[[8m"; got != want {
		t.Errorf("with colours: got %q, want %q", got, want)
	}
}

// The cuts between writes do not matter.
func TestWriter(t *testing.T) {
	for _, c := range cases {
		for size := 1; size <= 4; size++ {
			var b strings.Builder
			w := NewWriter(&b)
			for rest := []byte(c.in); len(rest) > 0; rest = rest[min(size, len(rest)):] {
				if n, err := w.Write(rest[:min(size, len(rest))]); err != nil || n != min(size, len(rest)) {
					t.Fatalf("%s: wrote %d, %v", c.name, n, err)
				}
			}
			if err := w.Close(); err != nil || b.String() != c.want {
				t.Errorf("%s in writes of %d: got %q, %v, want %q", c.name, size, b.String(), err, c.want)
			}
		}
	}
}

// Text leaves no control sequence, and returns valid UTF-8.
func FuzzText(f *testing.F) {
	for _, c := range cases {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got := Text(in)
		if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && r != '\t' && (r < ' ' || r >= 0x7f && r < 0xa0) }); i >= 0 || !utf8.ValidString(got) {
			t.Errorf("%q became %q", in, got)
		}
		if again := Text(got); again != got {
			t.Errorf("%q became %q, and then %q", in, got, again)
		}
	})
}

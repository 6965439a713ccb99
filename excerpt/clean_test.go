package excerpt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/excerpt"
)

func TestClean(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"colours", "\x1b[1;31merror:\x1b[0m no\n", "error: no\n"},
		{"title", "\x1b]0;make\x07up\n\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n", "up\nlink\n"},
		{"8-bit CSI", "\x9b31mred\x9b0m\n", "red\n"},
		{"C1 in UTF-8", "\u009b31mred\u009b0m\n", "red\n"},
		{"character set", "\x1b(Bplain\x1b=\n", "plain\n"},
		{"redrawn", "  1%\r 50%\r100%\n", "100%\n"},
		{"redrawn and erased", " 50%\rdone\r    \r\n", "done\n"},
		{"CRLF", "a\r\nb\r\n", "a\nb\n"},
		{"backspace", "|\b/\b-\bok\n", "ok\n"},
		{"control characters", "a\x07b\x01\x01c\x7fd\te\n", "abcd\te\n"},
		{"NULs", "a\x00b" + strings.Repeat("\x00", 100) + "c\x00\n", "a b c \n"},
		{"bytes that are no UTF-8", "caf\xe9 \xff\xfe\n", "caf\ufffd \ufffd\ufffd\n"},
		{"other languages", "エラー: 署名が一致しません\nОшибка\n", "エラー: 署名が一致しません\nОшибка\n"},
		{"no newline", "a\nb", "a\nb"},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := excerpt.Clean(c.text); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := excerpt.Of(c.text, 1000).Text; got != c.want {
				t.Errorf("the excerpt is %q, want %q", got, c.want)
			}
		})
	}
}

// numbered returns n lines of the format, numbered from 0.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String()
}

func TestLinesAlikeFold(t *testing.T) {
	noise := numbered(60, "a line that is of no interest but long enough %d") // over 2 KiB
	folded := "a line that is of no interest but long enough 0\n... 58 lines (2-59) ...\na line that is of no interest but long enough 59\n"
	for _, c := range []struct{ name, text, want string }{
		{"eight", noise + numbered(8, "processed %d records of the batch"), folded +
			"processed 0 records of the batch\n... 6 lines (62-67) ...\nprocessed 7 records of the batch\n"},
		{"seven", noise + numbered(7, "processed %d records"), folded + numbered(7, "processed %d records")},
		{"no letters", noise + numbered(20, "%d 12 --- ==="), folded + numbered(20, "%d 12 --- ===")},
		{"short text", numbered(40, "processed %d records"), numbered(40, "processed %d records")},
		{"no gain", noise + numbered(8, "a%d"), folded + numbered(8, "a%d")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := excerpt.Of(c.text, 1<<20).Text; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

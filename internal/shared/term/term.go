// Package term shows text to a person at a terminal: tables that fit its width, JSON in
// colours, a status line. Text from other sources is made safe: control characters, and
// characters that change the order of others, are shown as less(1) shows them (^[, ^M,
// <9B>, <U+202E>).
//
// On a file that is not a terminal, text stays unchanged, since a program reads it.
package term

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// Text returns s with its control characters made visible. Newlines and tabs stay, and
// so does each occurrence of one of keep, such as a colour code that the caller added.
func Text(s string, keep ...string) string {
	if !strings.ContainsFunc(s, obeyed) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		if kept := prefixOf(s, keep); kept > 0 {
			b.WriteString(s[:kept])
			s = s[kept:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		if size == 1 && r == utf8.RuneError {
			fmt.Fprintf(&b, "<%02X>", s[0])
		} else {
			spell(&b, r)
		}
		s = s[size:]
	}
	return b.String()
}

func prefixOf(s string, keep []string) int {
	for _, k := range keep {
		if strings.HasPrefix(s, k) {
			return len(k)
		}
	}
	return 0
}

// obeyed reports whether a terminal may do something else with r than show it. A
// byte that is no UTF-8 may be a control of an 8-bit terminal (0x9B begins a
// sequence as ESC [ does).
func obeyed(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError:
		return true
	case r == 0x200e || r == 0x200f || r == 0x061c || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
		return true // UAX 9: they turn the order of what follows round
	}
	return false
}

func spell(b *strings.Builder, r rune) {
	switch {
	case !obeyed(r) || r == utf8.RuneError:
		b.WriteRune(r)
	case r < ' ' || r == 0x7f:
		b.WriteByte('^')
		b.WriteByte(byte(r) ^ 0x40)
	default:
		fmt.Fprintf(b, "<U+%04X>", r)
	}
}

// A Writer passes text on as [Text] returns it, however it is cut into writes. Close
// writes an incomplete character at the end.
type Writer struct {
	w    io.Writer
	keep []string
	rest []byte
}

// NewWriter returns a Writer to w. The texts of keep are passed on unchanged if they
// are not cut into two writes.
func NewWriter(w io.Writer, keep ...string) *Writer { return &Writer{w: w, keep: keep} }

func (v *Writer) Write(p []byte) (int, error) {
	b := p
	if len(v.rest) > 0 {
		b = slices.Concat(v.rest, p)
	}
	whole := len(b) - jsontext.Unfinished(b)
	v.rest = append([]byte(nil), b[whole:]...)
	if whole == 0 {
		return len(p), nil
	}
	if _, err := io.WriteString(v.w, Text(string(b[:whole]), v.keep...)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close writes the rest of the text. It does not close the underlying writer.
func (v *Writer) Close() error {
	if len(v.rest) == 0 {
		return nil
	}
	_, err := io.WriteString(v.w, Text(string(v.rest)))
	v.rest = nil
	return err
}

// Visible returns s with all control characters made visible, including newlines and
// tabs, and all bytes that are not UTF-8, for names from untrusted sources: the byte
// 0x9b begins an escape sequence on a terminal of eight bits (ECMA-48, 8.3.16).
func Visible(s string) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) < 0 {
		return s
	}
	q := strconv.Quote(s)
	return q[1 : len(q)-1]
}

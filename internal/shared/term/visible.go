package term

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

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

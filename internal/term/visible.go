package term

import (
	"strconv"
	"strings"
)

// Visible returns s with all control characters made visible, including newlines and
// tabs, for names from untrusted sources.
func Visible(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) < 0 {
		return s
	}
	q := strconv.Quote(s)
	return q[1 : len(q)-1]
}

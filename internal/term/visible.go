package term

import (
	"strconv"
	"strings"
)

// Visible spells out the characters without a shape of a text that may come from an
// archive of somebody else's, so that it moves no cursor and begins no line.
func Visible(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) < 0 {
		return s
	}
	q := strconv.Quote(s)
	return q[1 : len(q)-1]
}

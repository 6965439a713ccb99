package term

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// runeWidth returns how many columns of a terminal a character takes: none for those
// that go with the one before, two for wide ones.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), r >= 0x1160 && r <= 0x11ff:
		return 0
	}
	switch width.LookupRune(r).Kind() { // Unicode Standard Annex 11
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// textWidth returns how many columns a text without control characters takes.
func textWidth(s string) int {
	n := 0
	for n < len(s) && s[n] >= ' ' && s[n] < 0x7f {
		n++
	}
	for _, r := range s[n:] { // after the ASCII characters
		n += runeWidth(r)
	}
	return n
}

// head returns the longest beginning of s that takes at most width columns.
func head(s string, width int) string {
	for i, r := range s {
		if width -= runeWidth(r); width < 0 {
			return s[:i]
		}
	}
	return s
}

// clip cuts text to width columns, the last of which then says that there was
// more.
func clip(text string, width int) string {
	if textWidth(text) <= width {
		return text
	}
	if width < 1 {
		return ""
	}
	return head(text, width-1) + "…"
}

// fold breaks a text into lines of at most width columns: at blanks where it
// can, within a word that is too long for a line of its own.
func fold(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case textWidth(line)+1+textWidth(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
		for textWidth(line) > width && width > 1 {
			part := head(line, width)
			lines = append(lines, part)
			line = line[len(part):]
		}
	}
	return append(lines, line)
}

package excerpt

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// seenMost is how many bytes Seen returns at the most: more than any line of a gap has.
const seenMost = 120

// Seen returns the beginning of a line as a reader sees it: without the characters that
// take no room (Unicode's class Cf, variation selectors and the like), with one space
// for each run of blanks of any kind, and with none at the ends. A line that goes on
// after 120 such bytes ends in "\n".
func Seen(line string) string {
	var out []byte
	blank := false
	for _, r := range line {
		switch {
		case isUnseen(r):
			continue
		case isBlank(r):
			blank = true
			continue
		case len(out) >= seenMost:
			return string(append(out, '\n'))
		}
		if blank && len(out) > 0 {
			out = append(out, ' ')
		}
		out, blank = utf8.AppendRune(out, r), false
	}
	return string(out)
}

// isUnseen reports whether a character takes no room in a line.
func isUnseen(r rune) bool {
	if r < 0x80 {
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// isBlank reports whether a character is white space, ends a line, or moves a cursor.
func isBlank(r rune) bool {
	const braille = 0x2800 // a pattern without dots
	return r <= ' ' || r == 0x7f || r >= 0x80 && (r < 0xa0 || r == braille || unicode.Is(unicode.Z, r))
}

// IsGap reports whether a reader could take a line of a text for the line of a gap,
// whichever blanks it has, and where characters without room or blanks are around it.
func IsGap(line string) bool {
	if !mayBeGap(line) {
		return false
	}
	bare := strings.NewReplacer(" ", "", "…", "...").Replace(Seen(line))
	inner, ok := strings.CutPrefix(bare, "...")
	inner, end := strings.CutSuffix(inner, "...")
	rest := strings.TrimLeft(inner, "0123456789,")
	if !ok || !end || rest == inner {
		return false
	}
	return strings.HasPrefix(rest, "lines(") || strings.HasPrefix(rest, "bytesofline")
}

// mayBeGap reports whether the first character of line that a reader sees could be the
// first of a gap. It decides most lines by one byte.
func mayBeGap(line string) bool {
	first, ok := FirstSeen(line)
	return ok && (first == '.' || first == '…')
}

// FirstSeen returns the first character of line that a reader sees, and false if line has
// no such character.
func FirstSeen(line string) (rune, bool) {
	for i := 0; i < len(line); {
		r, size := rune(line[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(line[i:])
		}
		if !isBlank(r) && !isUnseen(r) {
			return r, true
		}
		i += size
	}
	return 0, false
}

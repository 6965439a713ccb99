package excerpt

import (
	"strings"
	"unicode/utf8"
)

// Best returns the line that best explains why something failed, together with the next
// one if it ends in a colon, cut to n characters, and its weight: 50 or more if it is
// certainly an error, less than 10 if only its rarity speaks for it, and 0 if there is
// no such line. Like Excerpt, it ends the text.
func (w *Writer) Best(n int) (line string, weight int) {
	w.finish()
	text, why := w.why.line(w.count, w.bytes)
	if text == nil {
		text, why = w.oddLine()
	}
	return strings.TrimSpace(shorten(string(text), n)), why
}

const (
	oddFrom     = 30 // priority of a line that is rarer than those around it
	oddMost     = 3  // most odd lines of a text of which the first is returned
	oddWeight   = 5
	oddIn       = 200 // least number of lines of a text that has a pattern
	oddFromEnds = 5   // lines at both ends, which often differ from the others
)

// oddLine returns the first line that resembles no other, in a text of many lines that
// has only a few such lines.
func (w *Writer) oddLine() (text []byte, weight int) {
	if w.num < oddIn {
		return nil, 0
	}
	n := 0
	for _, p := range w.candidates() {
		if p.num <= oddFromEnds || p.num > w.num-oddFromEnds || p.own(w.count) < oddFrom {
			continue
		}
		if n++; n > oddMost {
			return nil, 0
		}
		if text == nil {
			text, weight = untimed(p.text), oddWeight
		}
	}
	return text, weight
}

// shorten returns s in at most n characters. Of a line up to three times as long it keeps
// the beginning and the end, where errors that wrap others have the cause.
func shorten(s string, n int) string {
	const mark = " … "
	switch count := utf8.RuneCountInString(s); {
	case count <= n:
		return s
	case count <= 3*n && n > 2*len(mark):
		head := n / 3
		return firstRunes(s, head) + mark + s[len(firstRunes(s, count-(n-head-utf8.RuneCountInString(mark)))):]
	}
	return firstRunes(s, n)
}

// firstRunes returns the first n characters of s.
func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

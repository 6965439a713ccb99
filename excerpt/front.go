package excerpt

import (
	"bytes"
	"unicode/utf8"
)

// Front returns the beginning of a text, whole lines of at most budget bytes with the gap
// that follows. head is the beginning, of which Front shows no more; size and lines are
// those of the whole text. Of a first line that is longer it shows the beginning.
func Front(head []byte, size, lines int64, budget int) Excerpt {
	if size <= int64(len(head)) && len(head) <= budget {
		return Excerpt{Text: Clean(string(head))}
	}
	const room = 64 // for the gap
	shown := head[:max(0, min(len(head), budget-room))]
	n := int64(bytes.Count(shown, []byte{'\n'}))
	if n == 0 {
		return frontOfLine(shown, size, lines)
	}
	shown = shown[:bytes.LastIndexByte(shown, '\n')+1]
	text := Clean(string(shown))
	for len(text) > budget-room && n > 1 { // U+FFFD takes more than the byte that it replaces
		shown = shown[:bytes.LastIndexByte(shown[:len(shown)-1], '\n')+1]
		n--
		text = Clean(string(shown))
	}
	rest := Gap{First: n + 1, Last: lines, From: int64(len(shown)), To: size}
	next := rest
	if most := max(1, n*pageMost/int64(len(shown))); rest.Lines() > most {
		next.Last = rest.First + most - 1
	}
	return Excerpt{Text: text + rest.String() + "\n", OmittedBytes: size - rest.From, OmittedLines: rest.Lines(), Gaps: []Gap{rest}, next: next}
}

// pageMost is how many bytes the command for the next page prints, at most.
const pageMost = 16 << 10

// frontOfLine returns the beginning of a first line.
func frontOfLine(shown []byte, size, lines int64) Excerpt {
	for len(shown) > 0 && !utf8.Valid(shown[max(0, len(shown)-utf8.UTFMax):]) && !utf8.FullRune(shown[lastRune(shown):]) {
		shown = shown[:lastRune(shown)]
	}
	rest := Gap{First: 1, Last: 1, Bytes: true, From: int64(len(shown)), To: size}
	next := rest
	next.To = min(size, rest.From+pageMost)
	return Excerpt{Text: Clean(string(shown)) + rest.String() + "\n", OmittedBytes: size - rest.From, OmittedLines: max(0, lines-1), Gaps: []Gap{rest}, next: next}
}

// lastRune returns the offset at which the last character of b begins.
func lastRune(b []byte) int {
	i := len(b) - 1
	for i > 0 && i > len(b)-utf8.UTFMax && !utf8.RuneStart(b[i]) {
		i--
	}
	return max(i, 0)
}

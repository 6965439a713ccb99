package excerpt

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

const (
	frontRoom = 64  // bytes for the mark of the lines that a Front leaves out
	cutRoom   = 48  // bytes for the mark of the line that it cuts
	cutFrom   = 512 // least part of a line that a Front shows, in bytes
)

// Front returns the beginning of the text, at most budget bytes with the gaps that follow:
// whole lines, and the beginning of a long line if that fills the budget. head is the beginning
// of the text, of which Front shows no more. Like Excerpt, it ends the text.
func (w *Writer) Front(head []byte, budget int) Excerpt {
	w.finish()
	if w.bytes <= int64(len(head)) && len(head) <= budget {
		return Excerpt{Text: Clean(string(head))}
	}
	room := min(len(head), budget-frontRoom)
	for {
		x := w.front(head[:max(0, room)])
		over := len(x.Text) - budget // U+FFFD takes more than the byte that it replaces
		if over <= 0 || room <= 0 {
			return x
		}
		room -= max(over, 1)
	}
}

// front returns the excerpt that shows no more than shown, the beginning of the text.
func (w *Writer) front(shown []byte) Excerpt {
	n := int64(bytes.Count(shown, []byte{'\n'}))
	whole := bytes.LastIndexByte(shown, '\n') + 1
	cut := shown
	if n+1 < w.num {
		cut = shown[:max(whole, len(shown)-cutRoom)]
	}
	if x, ok := w.frontWithin(cut, n+1, whole); ok {
		return x
	}
	rest := Gap{First: n + 1, Last: w.num, From: int64(whole), To: w.bytes}
	text := Clean(string(shown[:whole])) + rest.String() + "\n"
	next := w.index.page(rest, Gap{First: rest.First, Last: rest.First, From: rest.From}, true)
	return Excerpt{Text: text, OmittedBytes: rest.To - rest.From, OmittedLines: rest.Lines(), Gaps: []Gap{rest}, next: next}
}

// frontWithin returns the excerpt that ends within a line, which begins at the offset whole, if
// enough of it is shown and it is known where it ends.
func (w *Writer) frontWithin(shown []byte, line int64, whole int) (Excerpt, bool) {
	end, known := w.lineEnd(line)
	for len(shown) > whole && !utf8.Valid(shown[max(whole, len(shown)-utf8.UTFMax):]) && !utf8.FullRune(shown[lastRune(shown):]) {
		shown = shown[:lastRune(shown)]
	}
	if cut := int64(len(shown)); !known || cut >= end || len(shown)-whole < cutFrom && whole > 0 {
		return Excerpt{}, false
	}
	x := Excerpt{Gaps: []Gap{{First: line, Last: line, Bytes: true, From: int64(len(shown)), To: end}}}
	text := Clean(string(shown)) + x.Gaps[0].String() + "\n"
	if end++; end < w.bytes {
		x.Gaps = append(x.Gaps, Gap{First: line + 1, Last: w.num, From: end, To: w.bytes})
		text += x.Gaps[1].String() + "\n"
	}
	for _, g := range x.Gaps {
		x.OmittedBytes += g.To - g.From
		x.OmittedLines += g.Lines()
	}
	x.Text = text
	x.next = bytesPage(Gap{To: w.bytes}, x.Gaps[0])
	return x, true
}

// lineEnd returns the offset of the newline that ends a line, or of the end of the text, if it
// is known.
func (w *Writer) lineEnd(line int64) (end int64, ok bool) {
	if line == w.num {
		if w.unfinished {
			return w.bytes, true
		}
		return w.bytes - 1, true
	}
	marks := w.index.marks
	i := sort.Search(len(marks), func(i int) bool { return marks[i].line > line })
	if i == len(marks) || marks[i].line != line+1 {
		return 0, false
	}
	return marks[i].off - 1, true
}

// lastRune returns the offset at which the last character of b begins.
func lastRune(b []byte) int {
	i := len(b) - 1
	for i > 0 && i > len(b)-utf8.UTFMax && !utf8.RuneStart(b[i]) {
		i--
	}
	return max(i, 0)
}

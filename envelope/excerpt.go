package envelope

import (
	"strings"

	"github.com/envwrap/envwrap/excerpt"
)

// newExcerpt returns at most n bytes of what w read.
func newExcerpt(w *excerpt.Writer, n int) *Excerpt {
	return excerptOf(w.Excerpt(n), w)
}

func excerptOf(x excerpt.Excerpt, source *excerpt.Writer) *Excerpt {
	out := &Excerpt{Text: x.Text, OmittedBytes: x.OmittedBytes, OmittedLines: x.OmittedLines, source: source}
	if g, ok := x.Largest(); ok {
		out.Gap = g.Option()
	}
	return out
}

// shrink is the excerpt within n bytes; 0 is no limit.
func (x *Excerpt) shrink(n int) *Excerpt {
	switch {
	case n == 0 || len(x.Text) <= n:
		return x
	case x.source != nil:
		return newExcerpt(x.source, n)
	}
	return excerptOf(excerpt.Shorten(excerpt.Excerpt{Text: x.Text, OmittedBytes: x.OmittedBytes, OmittedLines: x.OmittedLines}, n), nil)
}

// ends is what is at hand of a stream: its beginning and its end, and how much
// it was in all.
type ends struct {
	head, tail string
	bytes      int64
	lines      int64
	lineStart  bool // tail is known to begin a line
}

// within returns at most n bytes of both ends, a quarter from the beginning, and
// how much is left out between them.
func (e ends) within(n int) (head, tail string, omittedBytes, omittedLines int64) {
	if int64(len(e.head)) >= e.bytes {
		if len(e.head) <= n {
			return e.head, "", 0, 0
		}
		e.tail = e.head
	}
	head = firstLines(e.head, n/4)
	tail, atLine := e.lastLines(n - n/4)
	omittedBytes = max(e.bytes-int64(len(head)+len(tail)), 0)
	omittedLines = max(e.newlines()-newlines(head)-newlines(tail), 0)
	if omittedBytes > 0 && !atLine {
		omittedLines++
	}
	return head, tail, omittedBytes, omittedLines
}

// newlines counts those of the whole stream: one fewer than lines where the
// last line is unfinished.
func (e ends) newlines() int64 {
	if e.lines > 0 && !strings.HasSuffix(e.tail, "\n") {
		return e.lines - 1
	}
	return e.lines
}

// lastLines is the end of the stream within n bytes, and whether it begins a
// line.
func (e ends) lastLines(n int) (tail string, atLine bool) {
	if n >= len(e.tail) {
		if e.lineStart || int64(len(e.tail)) >= e.bytes {
			return e.tail, e.lineStart
		}
		n = len(e.tail) - 1 // what stands before must be known
	}
	from := len(e.tail) - max(n, 0)
	if from > 0 && e.tail[from-1] == '\n' {
		return e.tail[from:], true
	}
	if i := strings.IndexByte(e.tail[from:], '\n'); i >= 0 && from+i+1 < len(e.tail) {
		return e.tail[from+i+1:], true
	}
	return tailBytes(e.tail, n), false
}

// firstLines is the beginning of s within n bytes: whole lines where there is
// one, else whole characters.
func firstLines(s string, n int) string {
	s = headBytes(s, n)
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		return s[:i+1]
	}
	return s
}

func newlines(s string) int64 { return int64(strings.Count(s, "\n")) }

package envelope

import (
	"strings"

	"github.com/envwrap/envwrap/excerpt"
)

// newExcerpt returns at most n bytes of what w read.
func newExcerpt(w *excerpt.Writer, n int) *Excerpt {
	x := excerptOf(w.Excerpt(n), w)
	if over := len(x.Text) - n; over > 0 && over < n { // what marks its own lines takes room, too
		x = excerptOf(w.Excerpt(n-over), w)
	}
	return x
}

// excerptOf returns x as an envelope has it. Lines of the text that read like its gaps
// are indented.
func excerptOf(x excerpt.Excerpt, w *excerpt.Writer) *Excerpt {
	out := &Excerpt{Text: x.Marked(), OmittedBytes: x.OmittedBytes, OmittedLines: x.OmittedLines, writer: w}
	if g, ok := x.Largest(); ok {
		out.Gap = g.Option()
	}
	return out
}

// shrink returns the excerpt within n bytes; 0 is no limit.
func (x *Excerpt) shrink(n int) *Excerpt {
	switch {
	case n == 0 || len(x.Text) <= n:
		return x
	case x.writer != nil:
		return newExcerpt(x.writer, n)
	}
	return excerptOf(excerpt.Shorten(excerpt.Excerpt{Text: x.Text, OmittedBytes: x.OmittedBytes, OmittedLines: x.OmittedLines}, n), nil)
}

// Ends returns at most n bytes from both ends of a text, a quarter of them from the
// beginning, and how many bytes and lines are left out between.
func (s *Summarizer) Ends(n int) (head, tail string, omittedBytes, omittedLines int64) {
	s.end()
	if !s.readable() {
		return "", "", s.bytes, s.lines()
	}
	head, tail = string(s.head), string(s.tail)
	if int64(len(head)) >= s.bytes {
		if len(head) <= n {
			return head, "", 0, 0
		}
		tail = head
	}
	head = firstLines(head, n/4)
	tail, atLine := tailLines(tail, n-n/4, int64(len(tail)) >= s.bytes)
	omittedBytes = max(s.bytes-int64(len(head)+len(tail)), 0)
	omittedLines = max(s.newlines-int64(strings.Count(head, "\n")+strings.Count(tail, "\n")), 0)
	if omittedBytes > 0 && !atLine {
		omittedLines++
	}
	return head, tail, omittedBytes, omittedLines
}

// tailLines returns the end of s within n bytes, whole lines where there is one, else
// whole characters, and whether it begins a line. Unless s is whole, it may begin
// within a line.
func tailLines(s string, n int, whole bool) (tail string, atLine bool) {
	if n >= len(s) {
		if whole {
			return s, false
		}
		n = len(s) - 1 // what comes before must be known
	}
	from := len(s) - max(n, 0)
	if from > 0 && s[from-1] == '\n' {
		return s[from:], true
	}
	if i := strings.IndexByte(s[from:], '\n'); i >= 0 && from+i+1 < len(s) {
		return s[from+i+1:], true
	}
	return tailBytes(s, n), false
}

// firstLines returns the beginning of s within n bytes: whole lines where there is
// one, else whole characters.
func firstLines(s string, n int) string {
	s = headBytes(s, n)
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		return s[:i+1]
	}
	return s
}

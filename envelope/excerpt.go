package envelope

import (
	"github.com/envwrap/envwrap/excerpt"
)

// An Excerpt shows parts of a stream that is not in the envelope: see
// [excerpt.Excerpt].
type Excerpt struct {
	Text         string
	OmittedBytes int64
	OmittedLines int64
	// Gap is the option of "envwrap artifact cat" that prints the largest gap:
	// "--lines 118:529"; "" where nothing is left out, or it is not known.
	Gap string `json:",omitempty"`

	writer *excerpt.Writer // has the text's lines for a shorter excerpt; nil in one that was read
}

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

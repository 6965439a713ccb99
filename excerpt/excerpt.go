package excerpt

import "strings"

// An Excerpt is a selection of a text's lines.
type Excerpt struct {
	// Text is the excerpt: UTF-8 without escape sequences. Lines that were left out are
	// replaced by a line "... 412 lines (118-529) ...", and a part of a line by "...
	// 48,120 bytes of line 3 ...".
	Text string

	OmittedBytes int64 // bytes of the text that are not shown
	OmittedLines int64 // lines of which nothing is shown
	Gaps         []Gap // what was left out, in the order of the text

	next Gap // what to read next
}

// Next returns what to read next, at most 16 KiB: the part of a gap around the best line that
// is not shown, the page that follows the beginning, or that at the beginning of the largest
// gap. It returns false if nothing is left out.
func (x *Excerpt) Next() (Gap, bool) { return x.next, len(x.Gaps) > 0 }

// Marked returns the text of the excerpt with a space before each line of the text that
// reads like the line of a gap, so that only the gaps do.
func (x *Excerpt) Marked() string {
	var b strings.Builder
	gaps, rest, done := x.Gaps, x.Text, 0
	for at := 0; at < len(rest); {
		end := len(rest)
		if i := strings.IndexByte(rest[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := rest[at:end]
		switch {
		case IsGap(line) && (len(gaps) == 0 || gaps[0].String() != strings.TrimSuffix(line, "\n")):
			b.WriteString(rest[done:at])
			b.WriteByte(' ')
			done = at
		default:
			for len(gaps) > 0 && strings.Contains(line, gaps[0].String()) {
				gaps = gaps[1:]
			}
		}
		at = end
	}
	if done == 0 && b.Len() == 0 {
		return x.Text
	}
	return b.String() + rest[done:]
}

// Excerpt returns an excerpt of at most budget bytes, which is never longer than the
// text. A budget too small for a gap that replaces all lines yields that gap, or the
// text if it is shorter. Excerpt ends the text: a later Write fails. It may be called
// again, with any budget up to Max.
func (w *Writer) Excerpt(budget int) Excerpt {
	w.finish()
	if w.bytes == 0 {
		return Excerpt{}
	}
	c := w.choose(w.candidates(), min(budget, w.max()))
	return c.excerpt()
}

// Of returns an excerpt of at most budget bytes of a text that is in memory.
func Of(text string, budget int) Excerpt {
	w := Writer{Max: budget}
	_, _ = w.Write([]byte(text))
	return w.Excerpt(budget)
}

// Folded returns the whole text but for lines that are folded: see "Cleaning" in the
// package's documentation.
func Folded(text string) Excerpt {
	if len(text) < foldAbove {
		return Excerpt{Text: Clean(text)}
	}
	w := Writer{Max: len(text)}
	_, _ = w.Write([]byte(text))
	w.finish()
	c := choice{w: &w, all: w.candidates(), size: len(text)}
	for i := range c.all {
		if w.clean < foldAbove || !c.all[i].folded() {
			c.picked = append(c.picked, i)
		}
	}
	return c.excerpt()
}

// inLongerText returns g with the line numbers and offsets of the longer text that w's text is
// a part of.
func (w *Writer) inLongerText(g Gap) Gap {
	before := max(w.FirstLine-1, 0)
	g.First, g.Last = g.First+before, g.Last+before
	g.From, g.To = g.From+w.FirstByte, g.To+w.FirstByte
	return g
}

// excerpt returns the excerpt of the picked pieces.
func (c *choice) excerpt() Excerpt {
	var x Excerpt
	var gaps []Gap // of this text
	text := make([]byte, 0, c.size)
	var before *piece
	between := func(a, b *piece) {
		var buf [3]gapMark
		for _, m := range c.marks(buf[:0], a, b) {
			if m.From < m.To {
				gaps = append(gaps, m.Gap)
				m.Gap = c.w.inLongerText(m.Gap)
				text = append(text, m.String()...)
				x.OmittedBytes += m.To - m.From
				x.OmittedLines += m.Lines()
				x.Gaps = append(x.Gaps, m.Gap)
			}
			if m.newline {
				text = append(text, '\n')
			}
		}
	}
	for _, i := range c.picked {
		p := &c.all[i]
		between(before, p)
		text = append(text, p.text...)
		if c.shown(p) > len(p.text) {
			text = append(text, '\n')
		}
		before = p
	}
	between(before, nil)
	x.Text = string(text)
	x.next = c.w.inLongerText(c.next(gaps))
	return x
}

// next returns what to read next of the gaps.
func (c *choice) next(gaps []Gap) Gap {
	if p := c.best; p != nil {
		for _, g := range gaps {
			if g.From <= p.off && p.off < g.To {
				return c.w.index.page(g, Gap{First: p.num, Last: p.num, From: p.off, To: p.end()}, p.first)
			}
		}
	}
	return c.w.index.firstPage(gaps)
}

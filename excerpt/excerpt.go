package excerpt

import "strconv"

// An Excerpt is what is shown of a text.
type Excerpt struct {
	// Text is the excerpt: UTF-8 without escape sequences. Each run of lines
	// left out is a line of its own, "... 412 lines (118-529) ...", and each
	// part left out of a line is "... 48,120 bytes of line 3 ..." in its place.
	Text string

	OmittedBytes int64 // of the text, left out
	OmittedLines int64 // lines of which nothing is shown
	Gaps         []Gap // what was left out, in the order of the text
}

// A Gap is what was left out in one place: whole lines, or a part of one.
type Gap struct {
	First, Last int64 // lines, from 1; a part of a line has both alike
	Bytes       bool  // a part of a line
	From, To    int64 // offsets in the text
}

// Lines returns how many whole lines are left out.
func (g Gap) Lines() int64 {
	if g.Bytes {
		return 0
	}
	return g.Last - g.First + 1
}

// String returns the gap as the excerpt has it.
func (g Gap) String() string {
	if g.Bytes {
		return "... " + commas(g.To-g.From) + " bytes of line " + strconv.FormatInt(g.First, 10) + " ..."
	}
	return "... " + commas(g.Lines()) + " lines (" + strconv.FormatInt(g.First, 10) + "-" + strconv.FormatInt(g.Last, 10) + ") ..."
}

// Option returns the option of "envwrap artifact cat" that prints what was left
// out: "--lines 118:529" or "--bytes 4096:52216". The first byte is number 0,
// and the last of the two is not printed.
func (g Gap) Option() string {
	if g.Bytes {
		return "--bytes " + strconv.FormatInt(g.From, 10) + ":" + strconv.FormatInt(g.To, 10)
	}
	return "--lines " + strconv.FormatInt(g.First, 10) + ":" + strconv.FormatInt(g.Last, 10)
}

// Largest returns the gap with the most bytes, and false where nothing is left
// out.
func (x *Excerpt) Largest() (Gap, bool) {
	var largest Gap
	for _, g := range x.Gaps {
		if g.To-g.From > largest.To-largest.From {
			largest = g
		}
	}
	return largest, len(x.Gaps) > 0
}

func digits(n int64) int {
	d := 1
	for ; n >= 10; n /= 10 {
		d++
	}
	return d
}

// commas spells n with a comma before each three digits.
func commas(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Excerpt returns what a diagnosis needs of the text in at most budget bytes,
// and never more than the text has. A budget that has no room for the gap that
// would be all there is gives that gap all the same, or the text where that is
// shorter. After it nothing can be written; it may be called again, with another
// budget up to Max.
func (w *Writer) Excerpt(budget int) Excerpt {
	w.finish()
	if w.bytes == 0 {
		return Excerpt{}
	}
	c := w.choose(w.candidates(), min(budget, w.max()))
	return c.excerpt()
}

// Of returns the excerpt of a text that is at hand, in at most budget bytes.
func Of(text string, budget int) Excerpt {
	w := Writer{Max: budget}
	_, _ = w.Write([]byte(text))
	return w.Excerpt(budget)
}

// Folded returns all of a text that is at hand but the lines that are folded: see
// "Cleaning" in the package's documentation.
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

// A mark is the line that an excerpt has for a gap.
type mark struct {
	Gap          // of no bytes where only the end of a line is missing
	newline bool // follows
}

// size returns the bytes that the mark takes, after that many lines of a longer
// text.
func (m mark) size(before int64) int {
	n := 0
	if m.newline {
		n++
	}
	if m.From == m.To {
		return n
	}
	m.First, m.Last = m.First+before, m.Last+before
	count := digits(m.To - m.From)
	if m.Bytes {
		n += len("... ") + len(" bytes of line ") + digits(m.First) + len(" ...")
	} else {
		count = digits(m.Lines())
		n += len("... ") + len(" lines (") + digits(m.First) + len("-") + digits(m.Last) + len(") ...")
	}
	return n + count + (count-1)/3
}

// placed returns g as it is in the longer text that w's is a part of.
func (w *Writer) placed(g Gap) Gap {
	before := max(w.FirstLine-1, 0)
	g.First, g.Last = g.First+before, g.Last+before
	g.From, g.To = g.From+w.FirstByte, g.To+w.FirstByte
	return g
}

// marks appends the marks between a and b, which were picked, to out: for the
// rest of a's line, for the lines between, and for the beginning of b's line.
// nil is the beginning or the end of the text.
func (c *choice) marks(out []mark, a, b *piece) []mark {
	within := func(from, to, line int64, newline bool) {
		if from < to || newline {
			out = append(out, mark{Gap{First: line, Last: line, Bytes: true, From: from, To: to}, newline})
		}
	}
	from, first := int64(0), int64(1)
	if a != nil {
		from, first = a.end(), a.num+1
	}
	if a != nil && !a.last {
		if b != nil && b.num == a.num {
			within(from, b.off, a.num, false)
			return out
		}
		newline := !c.w.unfinished || a.num < c.w.num
		end := a.long.end
		if newline {
			end--
		}
		within(from, end, a.num, newline)
		from = a.long.end
	}
	to, last := c.w.bytes, c.w.num
	if b != nil {
		to, last = b.off, b.num-1
		if !b.first {
			to = b.long.begin
		}
	}
	if from < to {
		out = append(out, mark{Gap{First: first, Last: last, From: from, To: to}, true})
	}
	if b != nil && !b.first {
		within(to, b.off, b.num, false)
	}
	return out
}

// excerpt spells what was picked.
func (c *choice) excerpt() Excerpt {
	var x Excerpt
	text := make([]byte, 0, c.size)
	var before *piece
	between := func(a, b *piece) {
		var buf [3]mark
		for _, m := range c.marks(buf[:0], a, b) {
			if m.From < m.To {
				m.Gap = c.w.placed(m.Gap)
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
	return x
}

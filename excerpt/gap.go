package excerpt

import "strconv"

// A Gap is a place where whole lines, or a part of a line, were left out.
type Gap struct {
	First, Last int64 // line numbers, from 1; equal for a part of a line
	Bytes       bool  // a part of a line
	From, To    int64 // offsets in the text
}

// Lines returns the number of whole lines that are left out.
func (g Gap) Lines() int64 {
	if g.Bytes {
		return 0
	}
	return g.Last - g.First + 1
}

// String returns the text that marks the gap in an excerpt.
func (g Gap) String() string {
	if g.Bytes {
		return "... " + commas(g.To-g.From) + " bytes of line " + strconv.FormatInt(g.First, 10) + " ..."
	}
	return "... " + commas(g.Lines()) + " lines (" + strconv.FormatInt(g.First, 10) + "-" + strconv.FormatInt(g.Last, 10) + ") ..."
}

// Option returns the option of "envwrap artifact cat" that prints what was left out:
// "--lines 118:529" or "--bytes 4096:52216". Bytes are counted from 0, and the second
// number belongs to the byte after the last.
func (g Gap) Option() string {
	if g.Bytes {
		return "--bytes " + strconv.FormatInt(g.From, 10) + ":" + strconv.FormatInt(g.To, 10)
	}
	return "--lines " + strconv.FormatInt(g.First, 10) + ":" + strconv.FormatInt(g.Last, 10)
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

// A gapMark is the line that an excerpt has for a gap.
type gapMark struct {
	Gap          // of no bytes where only the end of a line is missing
	newline bool // follows
}

// size returns the bytes that the mark takes, after that many lines of a longer
// text.
func (m gapMark) size(before int64) int {
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

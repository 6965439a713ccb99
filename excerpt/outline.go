package excerpt

import (
	"bytes"
	"slices"
)

// An Outline reads a [Listing] and keeps the first lines of each file or directory. The zero
// value is ready to use. Its memory is bounded; it is not safe for concurrent use.
type Outline struct {
	groups []outlined
	part   []byte // of an unfinished line
	kept   int    // bytes of all lines kept
	lines  int64
	bytes  int64
	full   bool // there are more groups than can be kept
}

// An outlined is the run of lines of one file or directory.
type outlined struct {
	name  []byte
	first int64 // number of its first line, from 1
	off   int64 // of its first line
	end   int64 // of its last line
	n     int64 // lines
	lines []outlineText
}

// An outlineText is a line that is shown: its beginning if it is long.
type outlineText struct {
	text []byte
	size int64 // of the whole line, with its newline
	cut  Gap   // the rest of it
}

// Bounds of an Outline's memory.
const (
	outlineLines  = 24        // of a group
	outlineLine   = 300       // bytes of a line, which is shown only if it is not longer
	outlineGroups = 4 << 10   // groups
	outlineMost   = 256 << 10 // bytes of lines
)

// Write reads the next bytes of the list. It never fails.
func (o *Outline) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			o.part = append(o.part, p...)
			break
		}
		line := p[:end]
		if len(o.part) > 0 {
			o.part = append(o.part, line...)
			line = o.part
		}
		o.add(line, int64(len(line)+1))
		o.part = o.part[:0]
		p = p[end+1:]
	}
	return n, nil
}

func (o *Outline) add(line []byte, size int64) {
	o.lines++
	off := o.bytes
	o.bytes += size
	line = bytes.TrimSuffix(line, []byte{'\r'})
	name := groupOf(line)
	if last := len(o.groups) - 1; last >= 0 && (name == nil || bytes.Equal(name, o.groups[last].name)) {
		g := &o.groups[last]
		g.n++
		g.end = o.bytes
		o.keep(g, line, off, size)
		return
	}
	if o.full = o.full || len(o.groups) == outlineGroups; o.full {
		return
	}
	o.groups = append(o.groups, outlined{name: bytes.Clone(name), first: o.lines, off: off, end: o.bytes, n: 1})
	o.keep(&o.groups[len(o.groups)-1], line, off, size)
}

func (o *Outline) keep(g *outlined, line []byte, off, size int64) {
	if int64(len(g.lines)) != g.n-1 || len(g.lines) == outlineLines || o.kept > outlineMost {
		return
	}
	l := outlineText{size: size}
	if len(line) > outlineLine {
		n := cutBefore(line, outlineLine)
		l.cut = Gap{First: o.lines, Last: o.lines, Bytes: true, From: off + int64(n), To: off + int64(len(line))}
		line = line[:n]
	}
	l.text = bytes.Clone(line)
	g.lines = append(g.lines, l)
	o.kept += len(line)
}

// Excerpt returns the first lines of each file or directory, as many as fit into budget
// bytes, and how many follow. It reports false if not every one fits, or if there is only
// one: then a list is read from its beginning.
func (o *Outline) Excerpt(budget int) (Excerpt, bool) {
	if len(o.part) > 0 {
		line := o.part
		o.part = nil
		o.add(line, int64(len(line)))
	}
	if o.full || len(o.groups) < 2 {
		return Excerpt{}, false
	}
	for most := int64(outlineLines); most > 0; most-- {
		if x, ok := o.excerpt(most, budget); ok {
			return x, true
		}
	}
	return Excerpt{}, false
}

func (o *Outline) excerpt(most int64, budget int) (Excerpt, bool) {
	var x Excerpt
	var text []byte
	for i := range o.groups {
		g := &o.groups[i]
		shown := min(most, int64(len(g.lines)))
		if shown == 0 {
			return x, false
		}
		if len(g.lines) == int(g.n) && g.n == most+1 { // a gap takes as much
			shown = g.n
		}
		from := g.off
		for _, line := range g.lines[:shown] {
			text = append(text, Clean(string(line.text))...)
			if line.cut.From < line.cut.To {
				text = append(text, line.cut.String()...)
				x.Gaps = append(x.Gaps, line.cut)
				x.OmittedBytes += line.cut.To - line.cut.From
			}
			text = append(text, '\n')
			from += line.size
		}
		if shown < g.n {
			gap := Gap{First: g.first + shown, Last: g.first + g.n - 1, From: from, To: g.end}
			text = append(append(text, gap.String()...), '\n')
			x.Gaps = append(x.Gaps, gap)
			x.OmittedLines += gap.Lines()
			x.OmittedBytes += gap.To - gap.From
		}
		if len(text) > budget {
			return x, false
		}
	}
	x.Text = string(text)
	if len(x.Gaps) > 0 {
		x.next = slices.MaxFunc(x.Gaps, func(a, b Gap) int { return int(a.Lines() - b.Lines()) }).page()
	}
	return x, true
}

package excerpt

import (
	"bytes"
	"sort"
)

// An Outline reads a [Listing] and keeps the first lines of each file or directory. The zero
// value is ready to use. Its memory is bounded; it is not safe for concurrent use.
type Outline struct {
	groups []outlined
	part   []byte // of an unfinished line
	depth  int    // if not 0, groups are directories with at most so many names in their paths
	most   int    // bytes of lines kept of a group besides its first
	kept   int    // bytes of all lines kept
	lines  int64
	bytes  int64
	index  lineIndex
	full   bool // there are more groups than can be kept
}

// An outlined is the run of lines of one file or directory.
type outlined struct {
	name  []byte
	file  bool  // not a directory
	first int64 // number of its first line, from 1
	off   int64 // of its first line
	end   int64 // of its last line
	n     int64 // lines
	lines []outlineText
	kept  int // bytes of lines
}

// An outlineText is a line that is shown: its beginning if it is long.
type outlineText struct {
	text []byte
	size int64 // of the whole line, with its newline
	cut  Gap   // the rest of it
}

// Bounds of an Outline's memory.
const (
	outlineLine   = 300       // bytes of a line, which is shown only if it is not longer
	outlineGroups = 4 << 10   // groups
	outlineMost   = 256 << 10 // bytes of lines besides the first of each group
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
	o.index.add(o.lines, off)
	o.bytes += size
	line = bytes.TrimSuffix(line, []byte{'\r'})
	name := groupOf(line)
	file := len(line) > len(name)+1 && name != nil && line[len(name)] == ':'
	if o.depth > 0 && name != nil {
		name, file = directory(name, file, o.depth), false
	}
	if last := len(o.groups) - 1; last >= 0 && (name == nil || bytes.Equal(name, o.groups[last].name)) {
		g := &o.groups[last]
		g.n++
		g.end = o.bytes
		o.keep(g, line, off, size)
		return
	}
	if len(o.groups) == outlineGroups {
		o.fold()
	}
	if o.full {
		return
	}
	o.groups = append(o.groups, outlined{name: append([]byte{}, name...), file: file, first: o.lines, off: off, end: o.bytes, n: 1})
	o.keep(&o.groups[len(o.groups)-1], line, off, size)
}

func (o *Outline) keep(g *outlined, line []byte, off, size int64) {
	if o.most == 0 {
		o.most = outlineMost
	}
	if int64(len(g.lines)) != g.n-1 || g.n > 1 && g.kept+len(line) > o.most {
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
	if g.n == 1 {
		return
	}
	g.kept += len(line)
	o.kept += len(line)
	o.bound()
}

// bound drops lines of the groups that have the most of them while all are more than may be kept.
func (o *Outline) bound() {
	for o.kept > outlineMost {
		o.most /= 2
		o.trim()
	}
}

// trim drops lines of each group that has more of them than it may.
func (o *Outline) trim() {
	for i := range o.groups {
		g := &o.groups[i]
		for n := len(g.lines); n > 1 && g.kept > o.most; n = len(g.lines) {
			g.kept -= len(g.lines[n-1].text)
			o.kept -= len(g.lines[n-1].text)
			g.lines = g.lines[:n-1]
		}
	}
}

// fold makes groups of directories out of those of files, or of directories above them, until
// half of the groups are left.
func (o *Outline) fold() {
	if o.depth == 0 {
		o.depth = o.deepest() + 1
	}
	for len(o.groups) > outlineGroups/2 {
		if o.depth--; o.depth == 0 {
			o.full = true
			return
		}
		spans := o.spans(o.depth)
		for i, s := range spans {
			g := o.groups[s.from]
			for j := s.from + 1; j < s.to; j++ {
				o.join(&g, &o.groups[j])
			}
			g.name, g.file = directory(g.name, g.file, o.depth), false
			o.groups[i] = g
		}
		o.groups = o.groups[:len(spans)]
		o.bound()
	}
}

// join adds to g the lines of the group that follows, and keeps their texts while none before
// them is missing.
func (o *Outline) join(g, next *outlined) {
	if len(g.lines) == int(g.n) {
		size := len(next.lines[0].text) + next.kept
		o.kept += size - next.kept
		g.lines = append(g.lines, next.lines...)
		g.kept += size
	} else {
		o.kept -= next.kept
	}
	g.n += next.n
	g.end = next.end
}

// directory returns the directory of a file, or a directory itself, without the names after the
// first depth ones.
func directory(name []byte, file bool, depth int) []byte {
	if file {
		name = name[:bytes.LastIndexByte(name, '/')+1]
	}
	name = bytes.TrimRight(name, "/")
	for i, c := range name {
		if c != '/' {
			continue
		}
		if depth--; depth == 0 {
			return name[:i]
		}
	}
	return name
}

// deepest returns the largest number of names in the path of a directory.
func (o *Outline) deepest() int {
	deepest := 0
	for i := range o.groups {
		deepest = max(deepest, 1+bytes.Count(directory(o.groups[i].name, o.groups[i].file, 1<<30), []byte{'/'}))
	}
	return deepest
}

// A groupSpan is a run of groups that an excerpt shows as one.
type groupSpan struct{ from, to int }

// spans returns the runs of groups that are in the same directory, by the first depth names of
// its path; each group alone if depth is 0.
func (o *Outline) spans(depth int) []groupSpan {
	var spans []groupSpan
	var before []byte
	for i := range o.groups {
		if depth > 0 {
			name := directory(o.groups[i].name, o.groups[i].file, depth)
			if i > 0 && bytes.Equal(name, before) {
				spans[len(spans)-1].to++
				continue
			}
			before = name
		}
		spans = append(spans, groupSpan{i, i + 1})
	}
	return spans
}

// Excerpt returns the first lines of each file or directory, as many as fit into budget
// bytes, and how many follow. If not every file fits, it returns those of each directory, if
// those are too many, too, of the directories above. It reports false if there is only one, or
// none of this fits: then a list is read from its beginning.
func (o *Outline) Excerpt(budget int) (Excerpt, bool) {
	if len(o.part) > 0 {
		line := o.part
		o.part = nil
		o.add(line, int64(len(line)))
	}
	if o.full || len(o.groups) < 2 {
		return Excerpt{}, false
	}
	if x, ok := o.fill(o.spans(0), budget); ok {
		return x, true
	}
	for depth := o.deepest(); depth > 0; depth-- {
		spans := o.spans(depth)
		if len(spans) < 2 {
			break
		}
		if x, ok := o.fill(spans, budget); ok {
			return x, true
		}
	}
	return Excerpt{}, false
}

// fill returns the excerpt that shows as many lines of each span as fit into budget bytes, and
// one more of the first spans. It reports false if one line of each does not fit.
func (o *Outline) fill(spans []groupSpan, budget int) (Excerpt, bool) {
	x, ok := o.excerpt(spans, 1, 0, budget)
	if !ok {
		return Excerpt{}, false
	}
	most := 0
	for i := range o.groups {
		most += len(o.groups[i].lines)
	}
	over := func(lines, more int) bool {
		longer, ok := o.excerpt(spans, lines, more, budget)
		if ok {
			x = longer
		}
		return !ok
	}
	lines := max(1, sort.Search(most, func(i int) bool { return over(i+1, 0) }))
	sort.Search(len(spans)-1, func(i int) bool { return over(lines, i+1) })
	x.next = o.index.firstPage(x.Gaps)
	return x, true
}

// excerpt returns the first lines of each span, one more of the first spans, and false if that
// is more than budget bytes. A span of several groups shows a line of each before it shows
// a second one of any.
func (o *Outline) excerpt(spans []groupSpan, lines, more, budget int) (Excerpt, bool) {
	var x Excerpt
	var text []byte
	for k, s := range spans {
		left := lines
		if k < more {
			left++
		}
		groups := s.to - s.from
		shown := min(left, groups)
		for i := range shown {
			g := &o.groups[s.from+i]
			rest := Gap{Last: g.first + g.n - 1, To: g.end}
			if i == shown-1 {
				last := &o.groups[s.to-1]
				rest.Last, rest.To = last.first+last.n-1, last.end
			}
			n := left / groups
			if i < left%groups {
				n++
			}
			text = g.appendLines(text, &x, n, &rest)
			if rest.First <= rest.Last {
				text = append(append(text, rest.String()...), '\n')
				x.leaveOut(rest)
			}
			if len(text) > budget {
				return x, false
			}
		}
	}
	x.Text = string(text)
	return x, true
}

// appendLines appends to text the first lines of g, one more if that is all, and sets where the
// rest begins.
func (g *outlined) appendLines(text []byte, x *Excerpt, lines int, rest *Gap) []byte {
	shown := min(lines, len(g.lines))
	if len(g.lines) == int(g.n) && shown == len(g.lines)-1 { // a gap takes as much
		shown++
	}
	rest.First, rest.From = g.first+int64(shown), g.off
	for _, line := range g.lines[:shown] {
		text = append(text, Clean(string(line.text))...)
		if line.cut.From < line.cut.To {
			text = append(text, line.cut.String()...)
			x.leaveOut(line.cut)
		}
		text = append(text, '\n')
		rest.From += line.size
	}
	return text
}

// leaveOut adds a gap.
func (x *Excerpt) leaveOut(g Gap) {
	x.Gaps = append(x.Gaps, g)
	x.OmittedLines += g.Lines()
	x.OmittedBytes += g.To - g.From
}

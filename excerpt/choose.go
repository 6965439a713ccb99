package excerpt

import (
	"cmp"
	"slices"
)

// foldAbove is the least size of a text, in bytes, whose repeated lines are folded.
const foldAbove = 2 << 10

// A choice selects the candidates that an excerpt shows within a budget.
type choice struct {
	w      *Writer
	all    []piece
	budget int
	size   int    // bytes of what was picked, with its gaps
	picked []int  // in the order of the text
	best   *piece // of those that were not picked, the one of the highest priority
}

// choose picks the best of the candidates.
func (w *Writer) choose(all []piece, budget int) *choice {
	c := &choice{w: w, all: all, budget: budget}
	c.size = c.gap(nil, nil)
	prio := c.priorities()
	order := make([]int, 0, len(all))
	for i := range all {
		if w.clean < foldAbove || !all[i].folded() {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(prio[b], prio[a]) })
	for range 2 {
		rest := order[:0]
		for _, i := range order {
			if !c.pick(i) {
				rest = append(rest, i)
			}
		}
		order = rest
		c.close(order)
	}
	for _, i := range order {
		if _, shown := slices.BinarySearch(c.picked, i); !shown && all[i].own(w.count) >= evidence {
			c.best = &all[i]
			break
		}
	}
	return c
}

// priorities returns a priority for each piece: that of its content or, if higher, that
// of its distance from the beginning or the end of the text.
func (c *choice) priorities() []int {
	prio := make([]int, len(c.all))
	tail, head := c.budget*tailPercent/100, c.budget*headPercent/100
	if !c.evident() {
		tail, head = c.budget*3/8, c.budget/8
	}
	size := 0
	lines := 0
	for i := len(c.all) - 1; i >= 0; i-- {
		p := &c.all[i]
		size += len(p.text) + 1
		prio[i] = endPriority(size, tail, c.budget, 3)
		if len(p.text) > 0 && lines < lastLines {
			prio[i] += 30 * endScale
			lines++
		}
	}
	size = 0
	for i := range c.all {
		p := &c.all[i]
		size += len(p.text) + 1
		prio[i] = max(prio[i], endPriority(size, head, c.budget, 1))
		content := int(p.prio) * (80 + int(20*p.off/c.w.bytes)) / 80
		prio[i] = 4*max(prio[i], endScale*content) + min(prio[i], endScale*content)
	}
	return prio
}

const (
	tailPercent = 25
	headPercent = 6
	lastLines   = 3
)

// endScale divides one step of a piece's priority, so that of two pieces near an end of
// the text the nearer one goes first.
const endScale = 64

// endPriority returns the priority, in units of 1/endScale, of a piece that is size bytes
// from an end of the text. The first quota bytes from that end have a high priority,
// those up to weight quarters of the budget a low one.
func endPriority(size, quota, budget, weight int) int {
	switch {
	case size <= quota:
		return 44*endScale - 8*endScale*size/max(quota, 1)
	case size <= budget*weight/4:
		return 8*endScale - 2*endScale*size/max(budget*weight, 1)
	}
	return 0
}

// evident reports whether any line says by its words that something failed.
func (c *choice) evident() bool {
	for i := range c.all {
		if c.all[i].score >= 30 {
			return true
		}
	}
	return false
}

// pick adds candidate i to the choice and reports whether the budget has room for it.
func (c *choice) pick(i int) bool {
	at, found := slices.BinarySearch(c.picked, i)
	if found {
		return true
	}
	before, next := c.neighbours(at)
	p := &c.all[i]
	if c.splits(before, p, next) && c.size+c.shown(p)+leastMark(p.num+max(c.w.FirstLine-1, 0)) > c.budget {
		return false // so are most of a long text
	}
	size := c.size + c.shown(p) - c.gap(before, next) + c.gap(before, p) + c.gap(p, next)
	if size > c.budget {
		return false
	}
	c.size = size
	c.picked = slices.Insert(c.picked, at, i)
	return true
}

// splits reports whether p is a line amid whole lines that are left out between a and b.
func (c *choice) splits(a, p, b *piece) bool {
	from, to := int64(0), c.w.bytes
	if a != nil {
		from = a.end()
	}
	if b != nil {
		to = b.off
	}
	return p.first && p.last && (a == nil || a.last) && (b == nil || b.first) && from < p.off && p.end() < to
}

// leastMark returns the least that an excerpt grows by for the second mark of a gap that
// line num splits: a number of lines is at most one byte longer than those of both parts
// together, and the numbers beside num have the digits of num twice, but for one.
func leastMark(num int64) int { return len("...  lines (-) ...\n") - 1 + 2*digits(num) - 1 }

// shown returns the bytes that p takes in the excerpt, with its newline.
func (c *choice) shown(p *piece) int {
	if p.last && !(c.w.unfinished && p.end() == c.w.bytes) {
		return len(p.text) + 1
	}
	return len(p.text)
}

// close shows the pieces of each gap whose line would be as long as the pieces.
func (c *choice) close(rest []int) {
	rest = slices.Clone(rest)
	slices.Sort(rest)
	for len(rest) > 0 {
		n, size := 1, c.shown(&c.all[rest[0]])
		for n < len(rest) && rest[n] == rest[n-1]+1 && c.all[rest[n]].off == c.all[rest[n-1]].end() {
			size += c.shown(&c.all[rest[n]])
			n++
		}
		if size <= longestGap {
			c.closeGap(rest[:n], size)
		}
		rest = rest[n:]
	}
}

// closeGap shows run, adjacent candidates of size bytes in all, if the excerpt does not
// grow: they are the whole of their gap, and its line is as long.
func (c *choice) closeGap(run []int, size int) {
	at, _ := slices.BinarySearch(c.picked, run[0])
	before, next := c.neighbours(at)
	first, end := &c.all[run[0]], &c.all[run[len(run)-1]]
	size += c.gap(before, first) + c.gap(end, next) - c.gap(before, next)
	if size <= 0 {
		c.size += size
		c.picked = slices.Insert(c.picked, at, run...)
	}
}

// neighbours returns the picked pieces with the indexes at-1 and at; nil means the
// beginning or the end of the text.
func (c *choice) neighbours(at int) (before, next *piece) {
	if at > 0 {
		before = &c.all[c.picked[at-1]]
	}
	if at < len(c.picked) {
		next = &c.all[c.picked[at]]
	}
	return before, next
}

// gap returns the bytes that the marks between a and b take; nil means the beginning or
// the end of the text.
func (c *choice) gap(a, b *piece) int {
	var buf [3]gapMark
	n := 0
	for _, m := range c.marks(buf[:0], a, b) {
		n += m.size(max(c.w.FirstLine-1, 0))
	}
	return n
}

// marks appends to out the marks between the picked pieces a and b: for the rest of a's
// line, for the lines between, and for the beginning of b's line. nil means the beginning
// or the end of the text.
func (c *choice) marks(out []gapMark, a, b *piece) []gapMark {
	within := func(from, to, line int64, newline bool) {
		if from < to || newline {
			out = append(out, gapMark{Gap{First: line, Last: line, Bytes: true, From: from, To: to}, newline})
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
		out = append(out, gapMark{Gap{First: first, Last: last, From: from, To: to}, true})
	}
	if b != nil && !b.first {
		within(to, b.off, b.num, false)
	}
	return out
}

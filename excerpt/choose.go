package excerpt

import (
	"cmp"
	"slices"
)

// foldAbove is how many bytes a text has whose lines are folded.
const foldAbove = 2 << 10

// candidates returns all pieces that are still known, in the order of the text,
// with their final priorities.
func (w *Writer) candidates() []piece {
	var all []piece
	for _, b := range w.heads {
		all = append(all, b.pieces...)
	}
	n := len(all)
	all = append(all, w.pool.heap...)
	slices.SortFunc(all[n:], func(a, b piece) int { return cmp.Compare(a.off, b.off) })
	for _, b := range w.tails {
		all = append(all, b.pieces...)
	}
	if w.cur != nil {
		all = append(all, w.cur.pieces...)
	}
	for i := range all {
		all[i].prio = 0
	}
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].off == all[to-1].end() {
			to++
		}
		rank(all[from:to], nil, new([after]int), w.count)
		from = to
	}
	return all
}

// A choice is what an excerpt shows of the candidates, within a budget.
type choice struct {
	w      *Writer
	all    []piece
	budget int
	size   int   // bytes of what was picked, with its gaps
	picked []int // in the order of the text
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
	return c
}

// priorities returns those of the pieces and, where higher, of their places: the
// beginning and the end of a text say much whatever they say.
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
		prio[i] = place(size, tail, c.budget, 3)
		if len(p.text) > 0 && lines < lastLines {
			prio[i] += 30 * places
			lines++
		}
	}
	size = 0
	for i := range c.all {
		p := &c.all[i]
		size += len(p.text) + 1
		prio[i] = max(prio[i], place(size, head, c.budget, 1))
		said := int(p.prio) * (80 + int(20*p.off/c.w.bytes)) / 80
		prio[i] = 4*max(prio[i], places*said) + min(prio[i], places*said)
	}
	return prio
}

const (
	tailPercent = 25
	headPercent = 6
	lastLines   = 3
)

// places is how much finer the priority of a place is than that of a line: what
// is nearer to an end goes first.
const places = 64

// place returns the priority, in parts of places, of the place size bytes from an
// end of which quota bytes are of interest.
func place(size, quota, budget, weight int) int {
	switch {
	case size <= quota:
		return 44*places - 8*places*size/max(quota, 1)
	case size <= budget*weight/4:
		return 8*places - 2*places*size/max(budget*weight, 1)
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

// pick takes the candidate i if there is room for it.
func (c *choice) pick(i int) bool {
	at, found := slices.BinarySearch(c.picked, i)
	if found {
		return true
	}
	before, next := c.neighbours(at)
	p := &c.all[i]
	size := c.size + c.shown(p) - c.gap(before, next) + c.gap(before, p) + c.gap(p, next)
	if size > c.budget {
		return false
	}
	c.size = size
	c.picked = slices.Insert(c.picked, at, i)
	return true
}

// shown returns how many bytes p takes.
func (c *choice) shown(p *piece) int {
	if p.last && !(c.w.unfinished && p.end() == c.w.bytes) {
		return len(p.text) + 1
	}
	return len(p.text)
}

// close shows what is no longer than the gap that it is.
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

// closeGap shows run, neighbours that take size bytes, if that is all that the
// gap around them is, and not longer.
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

// neighbours returns the pieces before and at place at of those picked; nil is
// the beginning or the end of the text.
func (c *choice) neighbours(at int) (before, next *piece) {
	if at > 0 {
		before = &c.all[c.picked[at-1]]
	}
	if at < len(c.picked) {
		next = &c.all[c.picked[at]]
	}
	return before, next
}

// gap returns how many bytes the marks between a and b take; nil is the
// beginning or the end of the text.
func (c *choice) gap(a, b *piece) int {
	var buf [3]mark
	n := 0
	for _, m := range c.marks(buf[:0], a, b) {
		n += m.size(max(c.w.FirstLine-1, 0))
	}
	return n
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

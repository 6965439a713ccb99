package rules

import (
	"slices"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/literal"
)

const (
	manyHits   = 512     // after which a text is compared with what precedes it
	maxBetween = 64      // hits between one and its repetition
	maxLiteral = 64      // bytes of a literal, with those beside it that its windows have
	inSight    = 1 << 10 // bytes on each side of a hit on which its Quick function may depend
	leastAhead = 8 << 10 // bytes of a repetition that is worth its copy
)

// A Repetition finds the literals in a text, and of a part that consists of the same bytes
// again and again only those of its beginning: the others are copies. A text that was made
// to be slow costs about as much as one in which nothing is found.
type Repetition struct {
	compared int // hits after which the text was compared
	resume   int // offset of the first window to be looked at
	parts    []repeated
}

// A repeated is a part b[from:to] of a text that is the same as the size bytes before it,
// again and again.
type repeated struct{ from, to, size int }

// Copies reports whether what has a window at i is a copy.
func (r *Repetition) Copies(i int) bool { return i < r.resume }

// Note notes where b begins to repeat itself. The hits have the literals with a window at
// i or before it; the offsets of its calls ascend.
func (r *Repetition) Note(hits []literal.Hit, b []byte, i int) {
	if len(hits)-r.compared >= manyHits {
		r.compare(hits, b, i)
	}
}

// compare notes the part that repeats itself at the window at i, if one does.
func (r *Repetition) compare(hits []literal.Hit, b []byte, i int) {
	r.compared = len(hits)
	last, begin := hits[len(hits)-1], i-2*inSight
	for k := len(hits) - 2; k >= max(0, len(hits)-maxBetween); k-- {
		size := last.Pos - hits[k].Pos
		if hits[k].Index != last.Index || size <= 0 || begin-size < r.resume || size > inSight {
			continue
		}
		if n := ascii.CommonPrefix(b[begin-size:], b[begin:]); n >= i-begin+leastAhead {
			r.parts = append(r.parts, repeated{from: i - maxLiteral, to: begin + n - inSight - maxLiteral, size: size})
			r.resume = r.parts[len(r.parts)-1].to - 2 // a window may begin before its literal
			return
		}
	}
}

// copied returns hits, of which those from first on are in order, with the copies.
func (r *Repetition) copied(hits []literal.Hit, first int) []literal.Hit {
	if len(r.parts) == 0 {
		return hits
	}
	n := first + indexFrom(hits[first:], r.parts[0].from)
	found := slices.Clone(hits[n:])
	hits = hits[:n]
	for _, p := range r.parts {
		n := indexFrom(found, p.from)
		hits = append(hits, found[:n]...)
		one := hits[first+indexFrom(hits[first:], p.from-p.size):]
		found = found[indexFrom(found, p.to):]
		for shift := p.size; len(one) > 0 && one[0].Pos+shift < p.to; shift += p.size {
			for _, h := range one {
				if h.Pos += shift; h.Pos < p.to {
					hits = append(hits, h)
				}
			}
		}
	}
	return append(hits, found...)
}

// indexFrom returns the index of the first of hits, which are in order, at or after pos.
func indexFrom(hits []literal.Hit, pos int) int {
	i, _ := slices.BinarySearchFunc(hits, pos, func(h literal.Hit, pos int) int { return h.Pos - pos })
	return i
}

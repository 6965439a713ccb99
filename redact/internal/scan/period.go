package scan

import (
	"cmp"
	"slices"
	"sort"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/literal"
	"github.com/envwrap/envwrap/redact/internal/match"
)

const (
	manyHits   = 32      // of a line that may repeat itself
	maxBetween = 16      // hits between one and its repetition
	maxPeriod  = 2 << 10 // bytes
	inSight    = 512     // bytes before a hit on which its result may depend
	ahead      = 1 << 10 // bytes after a hit on which its result may depend
)

// A period is a part of a line that consists of the same bytes again and again. Matchers
// look at the beginning and the end of that part. What they find in one period after the
// beginning is in each that follows: a line that was made to be slow costs about as much as
// a short one.
//
// The period is twice the least one, so that marks in pairs, such as quotes, are as in the
// one before.
type period struct {
	size     int // 0 outside of such a part
	from, to int
	start    int // offset of the first hit of the period that is copied, 0 before it
	spans    int // how many spans there were then
	runs     int // how many encoded runs
}

// next returns the index of the next hit to be looked at: i, or that of a later one if what
// is between is repeated.
func (p *period) next(v *match.View, hits []literal.Hit, i int) int {
	pos := hits[i].Pos
	switch {
	case p.size == 0 || pos >= p.to-ahead:
		p.find(v, hits, i)
	case pos < p.from+inSight:
	case p.start > 0 && pos == p.start+p.size:
		return p.skip(v, hits, i)
	case p.start == 0 || pos > p.start+p.size:
		p.start, p.spans, p.runs = pos, len(v.Spans), len(v.EncodedRuns)
		v.Forget()
	}
	return i
}

// find sets p to the part that repeats itself at the hit i, if one does.
func (p *period) find(v *match.View, hits []literal.Hit, i int) {
	*p = period{}
	at, end := hits[i], min(v.Hi, v.Limit)
	if i < manyHits || end-at.Pos < inSight+ahead {
		return
	}
	before := hits[i-1-i%maxBetween]
	size := 2 * (at.Pos - before.Pos)
	if before.Index != at.Index || size == 0 || size > maxPeriod || at.Pos-size < v.Lo {
		return
	}
	if n := ascii.CommonPrefix(v.Text[at.Pos-size:end], v.Text[at.Pos:end]); n >= inSight+3*size+ahead {
		*p = period{size: size, from: at.Pos, to: at.Pos + n}
	}
}

// skip adds what was found in the period before the hit i for each that follows, and returns
// the index of the first hit after them.
func (p *period) skip(v *match.View, hits []literal.Hit, i int) int {
	pos := hits[i].Pos
	times := max(0, (p.to-ahead-pos)/p.size)
	v.Spans = p.repeat(v.Spans, p.spans, times)
	v.EncodedRuns = p.repeat(v.EncodedRuns, p.runs, times)
	if v.NameTo >= p.start {
		v.NameTo += times * p.size
	}
	end := pos + times*p.size
	*p = period{}
	return i + sort.Search(len(hits)-i-1, func(k int) bool { return hits[i+k].Pos >= end })
}

// repeat appends the spans from one on again, moved by the size of p, and so on some times,
// as far as they are within p: the password of an option may be many words after the
// program's name. A span that is another moved by periods is left out.
func (p *period) repeat(spans []match.Span, from, times int) []match.Span {
	one := slices.Clone(spans[from:])
	slices.SortFunc(one, func(a, b match.Span) int {
		return cmp.Or(cmp.Compare(a.Start%p.size, b.Start%p.size), cmp.Compare(a.End-a.Start, b.End-b.Start), cmp.Compare(a.Start, b.Start))
	})
	one = slices.CompactFunc(one, func(a, b match.Span) bool {
		return a.Start%p.size == b.Start%p.size && a.End-a.Start == b.End-b.Start
	})
	for i := range times {
		for _, s := range one {
			s.Start, s.End = s.Start+(i+1)*p.size, s.End+(i+1)*p.size
			if s.End <= p.to {
				spans = append(spans, s)
			}
		}
	}
	return spans
}

package envelope

import (
	"cmp"
	"slices"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// InlineSize returns the size in bytes of r's `data` in compact protocol/v1, which is
// compared with --inline-limit whatever the dialect and layout. Both streams of r have
// to be inline.
func InlineSize(r *Result) int {
	doc, _ := wire.Encode(protocolData(newView(r, EncodeOptions{})))
	return len(doc)
}

// Fits reports whether the streams of r may stay where they are: InlineSize is at most
// limit, and the envelope is within the budget without shortening anything or leaving
// out output that is not stored.
func (p Placement) Fits(r *Result, limit int64) bool {
	if r.ordinary() && r.Stdout.textSize()+r.Stderr.textSize() > limit {
		return false // what is that long needs not be written to know its size
	}
	return int64(InlineSize(r)) <= limit && (p.fits == nil || p.fits(r))
}

// textSize returns how many bytes of text an ordinary run's data has of the stream,
// each of which takes one byte or more there.
func (s *Stream) textSize() int64 {
	if s.Artifact != "" || s.JSON != nil || len(s.Binary) > 0 {
		return 0
	}
	return int64(len(s.Text))
}

// MakeRoom calls move for slots, the heaviest first, until fits returns true. A slot of
// weight 0 is never moved.
func MakeRoom[S any](slots []S, weight func(S) int64, fits func() bool, move func(S)) {
	slots = slices.Clone(slots)
	slices.SortStableFunc(slots, func(a, b S) int { return cmp.Compare(weight(b), weight(a)) })
	for _, s := range slots {
		if weight(s) <= 0 || fits() {
			return
		}
		move(s)
	}
}

func (d *dialect) Placement(o EncodeOptions) Placement {
	p := Placement{fits: func(r *Result) bool { return d.fits(r, o) }}
	if d.keep != nil {
		p.Keep = d.keep(o)
	}
	return p
}

// fits reports whether r can be spelled within the budget, with nothing shrunk and
// nothing left out that is in no store.
func (d *dialect) fits(r *Result, o EncodeOptions) bool {
	v := newView(r, o)
	if d.complete != nil && !d.complete(v) {
		return false
	}
	if o.Budget == 0 && d.limit == 0 && !v.Progress {
		return true
	}
	doc, _ := d.spell(v)
	return d.within(v, doc)
}

package envelope

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// Encode returns r as an envelope of dialect d: valid UTF-8, with one final newline. r
// is not changed. If the envelope exceeds the budget, excerpts are shortened, then
// previews, tails and argv; status, codes, message and digests are not, so a budget
// below some 2,000 characters may be exceeded. An error means that JSON in r is
// invalid; the envelope is complete nevertheless, with null in its place.
func Encode(d Dialect, r *Result, o EncodeOptions) ([]byte, error) {
	v := newView(r, o)
	doc, err := d.self().spell(v)
	if !d.self().within(v, doc) {
		doc, err = d.self().shrink(v)
	}
	if err != nil {
		return doc, fmt.Errorf("spell %s envelope: %w", d.Name(), err)
	}
	return doc, nil
}

// Prepare makes the tables that the first [Encode] with d needs: it encodes nothing, which
// takes some 0.1 ms in a process that has not encoded before.
func Prepare(d Dialect) { _, _ = Encode(d, &Result{Outcome: Outcome{Kind: Success}}, EncodeOptions{}) }

// shrink writes an envelope that is within the budget, if one of the cuts is, with the longest
// excerpts that fit: more output never shows less text.
func (d *dialect) shrink(v *view) (doc []byte, err error) {
	longest := v.longestExcerpt()
	for _, cut := range cuts {
		if cut.preview == 0 && cut.excerpt >= longest {
			continue // nothing would be shorter
		}
		v.cut = cut
		if doc, err = d.spell(v); d.within(v, doc) {
			break
		}
		longest = min(longest, cut.excerpt)
	}
	size := v.cut.excerpt
	longestWithin(size, longest, func(n int) bool {
		v.cut.excerpt = n
		longer, e := d.spell(v)
		if !d.within(v, longer) {
			return false
		}
		doc, err, size = longer, e, n
		return true
	})
	v.cut.excerpt = size
	return doc, err
}

// excerptStep is how much shorter than the longest that fits an excerpt may be, in bytes.
const excerptStep = 32

// longestWithin calls fits with sizes above least, which fits, and below most, which does not,
// until the longest that fits is known to excerptStep bytes.
func longestWithin(least, most int, fits func(n int) bool) {
	for most-least > excerptStep {
		if n := (least + most) / 2; fits(n) {
			least = n
		} else {
			most = n
		}
	}
}

// spell writes one envelope, whatever its size.
func (d *dialect) spell(v *view) ([]byte, error) {
	if d.text != nil {
		doc := d.text(v)
		if v.opt.Below { // which has its own end
			return doc, nil
		}
		return append(doc, '\n'), nil
	}
	w := d.blank()
	w.fill(v)
	doc, err := wire.Encode(w)
	doc = d.leanForm(v, doc)
	if d.frame != nil {
		return append(d.frame(doc, v), '\n'), err
	}
	if doc = escapeHidden(doc); v.opt.Layout == LayoutPretty || v.opt.Layout == LayoutDefault && d.indented {
		doc = wire.Indent(doc)
	}
	return append(doc, '\n'), err
}

func (d *dialect) within(v *view, doc []byte) bool {
	if v.Progress && len(doc) > ProgressMost {
		return false
	}
	budget := v.opt.Budget
	return (d.limit == 0 || len(doc) <= d.limit) && (budget == 0 || len(doc) <= budget || units(doc) <= budget)
}

// The cuts, in the order in which they are tried; the excerpt is then the longest that fits,
// up to that of the cut before. What an agent can get
// writesToFile goes first; what only the envelope knows goes last.
var cuts = [...]textLimits{
	{excerpt: 8 << 10},
	{excerpt: 1 << 10},
	{excerpt: 1 << 9, preview: 768},
	{excerpt: 1 << 8, preview: 512},
	{excerpt: 1 << 7, preview: 256, tail: 16 << 10},
	{excerpt: 1, preview: 1, tail: 4 << 10},
	{excerpt: 1, preview: 1, tail: 1 << 10},
	{excerpt: 1, preview: 1, tail: 500},
	{excerpt: 1, preview: 1, tail: 200},
	{excerpt: 1, preview: 1, tail: 200, argv: 2 << 10},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 9},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 8, text: 400},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 8, text: 300, inline: 16 << 10},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 8, text: 300, inline: 8 << 10},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 7, text: 200, inline: 4 << 10},
	{excerpt: 1, preview: 1, tail: 50, argv: 1 << 6, text: 150, inline: 2 << 10},
	{excerpt: 1, preview: 1, tail: 1, argv: 1 << 6, text: 100, inline: 1 << 9},
	{excerpt: 1, preview: 1, tail: 1, argv: 32, text: 80, inline: 64},
}

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
		return false // text of this length exceeds the limit before it is encoded
	}
	return int64(InlineSize(r)) <= limit && (p.fits == nil || p.fits(r))
}

// ShrinkExcerpts shortens the excerpts of r until r fits into limit and the budget, to least
// bytes each at the least. Which excerpts fit does not depend on how long the run took and on
// what it used of the machine.
func (p Placement) ShrinkExcerpts(r *Result, limit int64, least int) {
	defer func(usage *Usage, lasted time.Duration) { r.Usage, r.Duration = usage, lasted }(r.Usage, r.Duration)
	r.Usage, r.Duration = &Usage{UserMS: 1e8, SysMS: 1e8, MaxRSSBytes: 1e12}, 1e8*time.Millisecond
	streams := []*Stream{&r.Stdout, &r.Stderr}
	if r.Exec != nil {
		streams = append(streams, &r.Exec.Stdout, &r.Exec.Stderr)
	}
	size := 0
	whole := make([]*Excerpt, len(streams))
	for i, s := range streams {
		if s.Artifact != "" && s.Excerpt != nil {
			whole[i] = s.Excerpt
			size = max(size, len(s.Excerpt.Text))
		}
	}
	if size <= least || p.Fits(r, limit) {
		return
	}
	cut := func(n int) {
		for i, x := range whole {
			if x != nil {
				streams[i].Excerpt = x.Within(n)
			}
		}
	}
	best := least
	longestWithin(least, size, func(n int) bool {
		cut(n)
		if !p.Fits(r, limit) {
			return false
		}
		best = n
		return true
	})
	cut(best)
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

// EncodeProgress returns a progress event of protocol/v1: one line of at most
// ProgressMost bytes. run has the facts that are known before the end: command, ids, workspace,
// agent. now is the event's time and seq its number, from 0. A long message is cut; a
// workspace that does not fit is left out.
func EncodeProgress(run *Result, now time.Time, seq int, p Progress) ([]byte, error) {
	r := *run
	r.Ended, r.Duration, r.Warnings, r.Redactions = now, p.Elapsed, nil, wire.Redactions{}
	number := wire.Count(seq)
	w := protocolDoc{Version: 1, Status: "progress"}
	for {
		v := newView(&r, EncodeOptions{})
		w.Command, w.Data = wire.Command(v.Command), p.data()
		w.Meta.fill(v)
		w.Meta.Seq = &number
		doc, err := wire.Encode(&w)
		doc = escapeHidden(doc)
		if err != nil || len(doc) < ProgressMost {
			return append(doc, '\n'), err
		}
		switch {
		case len(p.Message) > 16:
			p.Message = p.Message[:len(p.Message)/2]
		case r.Workspace != "":
			r.Workspace = ""
		default:
			return append(doc, '\n'), nil // ids and command that a caller made this long
		}
	}
}

package envelope

import (
	"fmt"

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
	for i := 0; i < len(cuts) && !d.self().within(v, doc); i++ {
		v.cut = cuts[i]
		doc, err = d.self().spell(v)
	}
	if err != nil {
		return doc, fmt.Errorf("spell %s envelope: %w", d.Name(), err)
	}
	return doc, nil
}

// spell writes one envelope, whatever its size.
func (d *dialect) spell(v *view) ([]byte, error) {
	if d.text != nil {
		return append(d.text(v), '\n'), nil
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

// The cuts, in the order in which they are tried. What an agent can get
// elsewhere goes first; what only the envelope knows goes last.
var cuts = [...]cut{
	{excerpt: 3 << 10},
	{excerpt: 2 << 10},
	{excerpt: 3 << 9},
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

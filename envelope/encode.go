package envelope

import (
	"fmt"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// Encode spells r in d: one envelope and one final newline, valid UTF-8. r is
// not changed. Over the budget, excerpts shrink, then previews, tails and argv;
// status, codes, message and digests stay, so a budget below some 2,000
// characters may be passed. An error means that r holds JSON that is none; the
// envelope is whole then too, with null in its place.
func Encode(d Dialect, r *Result, o EncodeOptions) ([]byte, error) {
	v := look(r, o)
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

// fits reports whether r can be spelled within the budget, with nothing shrunk and
// nothing left out that is in no store.
func (d *dialect) fits(r *Result, o EncodeOptions) bool {
	v := look(r, o)
	if d.complete != nil && !d.complete(v) {
		return false
	}
	if o.Budget == 0 && d.limit == 0 && !v.Progress {
		return true
	}
	doc, _ := d.spell(v)
	return d.within(v, doc)
}

// InlineSize is the size in bytes of the compact protocol/v1 `data` of r as r
// stands: ask while both streams are inline. It is the one measure against
// --inline-limit, whatever the dialect and layout.
func InlineSize(r *Result) int {
	doc, _ := wire.Encode(look(r, EncodeOptions{}).protocolData())
	return len(doc)
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
		doc = d.frame(doc, v)
	} else if v.opt.Layout == LayoutPretty || v.opt.Layout == LayoutDefault && d.indented {
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

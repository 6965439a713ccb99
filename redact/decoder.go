package redact

import (
	"slices"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
)

// maxLayers is how many layers of encoding are looked through.
const maxLayers = 3

// A finder finds the secrets in a text that was decoded.
type finder interface {
	// inDecoded returns the secrets in text, also those that were folded before they were
	// encoded.
	inDecoded(text []byte) []span
	// inLines returns the secrets in text as it is.
	inLines(text []byte) []span
	// beginsAtEnd reports whether the beginning of a secret may end text, and of which rule.
	beginsAtEnd(text []byte) (rule string, ok bool)
}

// A decoder finds secrets in what is encoded on a line: it decodes runs of base64, hex and
// escapes, and marks those whose text has a secret in it, by its finder.
type decoder struct {
	finder finder
	layer  int  // of encoding that the line is in, 0 outside of any
	left   *int // how much of what is compressed may still be unpacked for the line

	line, raw []byte // scratch: a line of a folded text with what came before it, and what it stands for
}

// innermost reports whether nothing is decoded in this layer.
func (d *decoder) innermost() bool { return d.layer >= maxLayers }

// runs looks into the encoded runs of the line, and marks each that has a
// secret in it, whole.
func (d *decoder) runs(v *view, runs []span) {
	if d.innermost() {
		return
	}
	for _, r := range runs {
		switch {
		case r.start >= v.limit || covered(v.spans, r):
		case r.rule != "":
			v.add(r.start, r.end, r.rule)
		default:
			d.run(v, r)
		}
	}
}

// run marks the run r where it has a secret in it.
func (d *decoder) run(v *view, r span) {
	b := v.Text[r.start:r.end]
	if ascii.Contains(b, '%') {
		d.escaped(v, r)
		return
	}
	var buf [decode.MaxReadings]decode.Reading
	for _, way := range decode.Readings(buf[:0], b) {
		text := d.textOf(way, b)
		if rule, ok := d.secretIn(text); ok {
			v.add(r.start, r.end+ascii.Run(v.Text[r.end:v.Hi], ascii.Equals), rule)
			return
		}
		if decode.Textual(text) {
			return // which no other reading of it would be
		}
	}
}

// covered reports whether one of the spans that were found has the run in it.
func covered(spans []span, run span) bool {
	return slices.ContainsFunc(spans, func(s span) bool { return s.start <= run.start && run.end <= s.end })
}

// secretIn reports whether text, which was decoded, has a secret in it, and by
// which rule the first is one.
func (d *decoder) secretIn(text []byte) (rule string, ok bool) {
	for _, s := range d.finder.inDecoded(text) {
		return s.rule, true
	}
	return "", false
}

// harmless returns a function that reports whether an address has no secret in it, nil in
// the innermost layer.
func (d *decoder) harmless() func(address []byte) bool {
	if d.innermost() {
		return nil
	}
	return func(address []byte) bool {
		_, secret := d.secretIn(address)
		return !secret
	}
}

// textOf returns what the run b stands for, read in one way.
func (d *decoder) textOf(way decode.Reading, b []byte) []byte {
	if way.Reversed {
		b = slices.Clone(b)
		slices.Reverse(b)
	}
	return d.plainText(way.Decode(make([]byte, 0, len(b)), b[way.Skip:]))
}

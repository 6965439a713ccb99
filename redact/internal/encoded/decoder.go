// Package encoded finds secrets in texts that are encoded on a line: in base64, base32 and
// hex, with escapes of URLs or strings, compressed, and several of these within each
// other.
package encoded

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/match"
)

// maxLayers is how many layers of encoding are decoded.
const maxLayers = 3

// A Finder finds the secrets in a text that was decoded.
type Finder interface {
	// inDecoded returns the secrets in text, also those that were folded before they were
	// encoded.
	InDecoded(text []byte) []match.Span
	// inLines returns the secrets in the undecoded text.
	InLines(text []byte) []match.Span
	// beginsAtEnd reports whether the beginning of a secret may end text, and of which rule.
	BeginsAtEnd(text []byte) (rule string, ok bool)
}

// A Decoder finds secrets in the encoded texts of a line: it decodes runs of base64, hex
// and escapes, and adds spans for those with a secret in them, by its finder.
type Decoder struct {
	finder Finder
	unpacker

	line, raw []byte // scratch: a line of a folded text with what came before it, and what it stands for

	seed  maphash.Seed
	clean [16]uint64 // hashes of folded texts in which no secret was found last, for lines come again
	next  uint8
}

// NewDecoder returns a decoder for lines that are not encoded themselves.
func NewDecoder(f Finder) Decoder {
	return Decoder{finder: f, unpacker: unpacker{left: new(int)}, seed: maphash.MakeSeed()}
}

// Nest makes d the decoder for texts that outer has decoded.
func (d *Decoder) Nest(outer *Decoder) { d.layer, d.left = outer.layer+1, outer.left }

// Innermost reports whether nothing is decoded in this layer.
func (d *Decoder) Innermost() bool { return d.layer >= maxLayers }

// Runs decodes the runs of the line, and adds a span for each that has a secret in it,
// whole. A run that has a rule is a secret itself.
func (d *Decoder) Runs(v *match.View, runs []match.Span) {
	if d.Innermost() {
		return
	}
	found := slices.Clone(v.Spans)
	slices.SortFunc(found, func(a, b match.Span) int { return cmp.Compare(a.Start, b.Start) })
	for i := 1; i < len(found); i++ {
		found[i].End = max(found[i].End, found[i-1].End) // of those up to it
	}
	for _, r := range runs {
		i, _ := slices.BinarySearchFunc(found, r.Start+1, func(s match.Span, at int) int { return s.Start - at })
		switch {
		case r.Start >= v.Limit, i > 0 && found[i-1].End >= r.End, covered(v.Spans[len(found):], r):
		case r.Rule != "":
			v.Add(r.Start, r.End, r.Rule)
		default:
			d.run(v, r)
		}
	}
}

// run adds a span for the run r if it has a secret in it.
func (d *Decoder) run(v *match.View, r match.Span) {
	b := v.Text[r.Start:r.End]
	if ascii.Contains(b, '%') {
		d.escaped(v, r)
		return
	}
	var buf [decode.MaxReadings]decode.Reading
	for _, way := range decode.Readings(buf[:0], b) {
		text := d.textOf(way, b)
		if rule, ok := d.secretIn(text); ok {
			v.Add(r.Start, r.End+ascii.Run(v.Text[r.End:v.Hi], ascii.Equals), rule)
			return
		}
		if decode.Textual(text) {
			return // which no other reading of it would be
		}
	}
}

// escaped adds a span for the run r, which has escapes of a URL, if there is a secret in
// the text that they encode, which may be compressed.
func (d *Decoder) escaped(v *match.View, r match.Span) {
	text := string(v.Text[r.Start:r.End])
	if ascii.HasFold(v.Text[r.Start:r.End], escapedGzip) {
		text = strings.ReplaceAll(text, "+", " ")
	}
	if rule, ok := d.secretIn(d.plainText([]byte(decode.URL(text)))); ok {
		v.Add(r.Start, r.End, rule)
	}
}

// covered reports whether one of the spans contains the run.
func covered(spans []match.Span, run match.Span) bool {
	return slices.ContainsFunc(spans, func(s match.Span) bool { return s.Start <= run.Start && run.End <= s.End })
}

// secretIn reports whether text, which was decoded, has a secret in it, and the rule of
// the first.
func (d *Decoder) secretIn(text []byte) (rule string, ok bool) {
	for _, s := range d.finder.InDecoded(text) {
		return s.Rule, true
	}
	return "", false
}

// Harmless returns a function that reports whether an address has no secret in it; nil in
// the innermost layer.
func (d *Decoder) Harmless() func(address []byte) bool {
	if d.Innermost() {
		return nil
	}
	return func(address []byte) bool {
		_, secret := d.secretIn(address)
		return !secret
	}
}

// textOf returns the text of the run b, decoded in one way.
func (d *Decoder) textOf(way decode.Reading, b []byte) []byte {
	if way.Reversed {
		b = slices.Clone(b)
		slices.Reverse(b)
	}
	return d.plainText(way.Decode(make([]byte, 0, len(b)), b[way.Skip:]))
}

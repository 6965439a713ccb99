package encoded

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/encodings"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

const (
	// wrappedLine is the least length of a line of wrapped base64: PEM has 64
	// characters, MIME 76.
	wrappedLine = 60
	// maxFolded is how much of a folded text is kept for the next line.
	maxFolded = 768
	// maxPacked is how much is kept if the text is compressed.
	maxPacked = 8 << 10
	// foldUnit is a multiple of the groups of all codes.
	foldUnit = 24
)

// Folded decodes a line of an encoded text that is folded in lines, as by base64 and xxd
// -p: before is the end of the text before the line, in the same code. A secret that goes
// on over the end of the line is masked on both lines, the first even if the rest does not
// come. Folded reports whether the line is such a line and nothing else: the first may
// follow other text.
func (d *Decoder) Folded(v *match.View, before string) bool {
	if d.Innermost() || v.CutLeft || v.CutRight {
		return false
	}
	line := v.Text[v.Lo:v.Hi]
	core := bytes.Trim(syntax.Unprefixed(line), " \t\r\"',+>")
	core = bytes.TrimSuffix(core, []byte(`\n`))
	text := bytes.TrimRight(core, "=")
	alone := ascii.Run(text, decode.RunByte) == len(text)
	if !alone { // the first line of one may follow a text
		at := len(text) - ascii.RunBack(text, decode.RunByte)
		before, text, core = "", text[at:], core[at:]
	}
	if len(text) == 0 || before == "" && len(text) < wrappedLine {
		return false
	}
	all := text
	if before != "" {
		all = append(append(d.line[:0], before...), text...)
		d.line = all
	}
	var buf [decode.MaxReadings]decode.Reading
	for _, way := range decode.Readings(buf[:0], all) {
		if way.Reversed || way.Skip > 0 {
			continue
		}
		packed := decode.Compressed(way.Decode(nil, all[:min(len(all), foldUnit)]))
		if packed || d.mayShow(way, all, len(before)) {
			d.unfold(v, way, all, len(before), core)
		}
		if len(text) >= wrappedLine && len(text) == len(core) {
			keep := maxFolded
			if packed {
				keep = maxPacked
			}
			if n := len(all) - keep; n > 0 {
				all = all[(n+foldUnit-1)/foldUnit*foldUnit:]
			}
			v.Next.Folded = string(all)
		}
		return alone
	}
	return false
}

// mayShow reports whether a secret may be in the text that all[from:], with a little
// before it, encodes: some printable bytes in a row, or with zeros between them as in
// UTF-16. Certificates and images have few of them.
func (d *Decoder) mayShow(way decode.Reading, all []byte, from int) bool {
	d.raw = way.Decode(d.raw[:0], all[max(0, from-foldUnit)/foldUnit*foldUnit:])
	n := 0
	for _, c := range d.raw {
		switch {
		case c >= ' ' && c <= '~', c == 0, c >= '\t' && c <= '\r':
			if n++; n == leastShown {
				return true
			}
		default:
			n = 0
		}
	}
	return false
}

// leastShown is the least number of printable bytes in a row that may have a secret.
const leastShown = 16 // bytes

// unfold adds a span for core, the line whose code begins at from in all, if a secret of
// the decoded text is in it or begins at its end.
func (d *Decoder) unfold(v *match.View, way decode.Reading, all []byte, from int, core []byte) {
	sum := maphash.Bytes(d.seed, all) ^ uint64(from)
	if slices.Contains(d.clean[:], sum) {
		return
	}
	raw := way.Decode(d.raw[:0], all)
	d.raw = raw
	var text []byte
	first := from * way.Bits / 8
	if !decode.Compressed(raw) {
		text = d.plainText(raw)
	} else if text, first = d.unpackNew(raw, first); text == nil {
		return
	}
	found := d.finder.InDecoded(text)
	i := slices.IndexFunc(found, func(s match.Span) bool { return s.End > first })
	var rule string
	if i >= 0 {
		rule = found[i].Rule
	} else {
		var ok bool
		if rule, ok = d.finder.BeginsAtEnd(text); !ok {
			if !decode.Compressed(raw) { // of which more may be unpacked another time
				d.clean[d.next%uint8(len(d.clean))] = sum
				d.next++
			}
			return
		}
	}
	at := v.Lo + bytes.LastIndex(v.Text[v.Lo:v.Hi], core)
	v.Add(at, at+len(core), rule)
}

// NoteContinued sets Next.Continued if the line ends in the base64 of a known value, which
// may go on on the next line.
func NoteContinued(v *match.View) {
	for _, s := range v.Spans {
		if s.Encoded && s.End == v.Hi && s.End-s.Start >= wrappedLine {
			v.Next.Continued = true
		}
	}
}

// MaskContinued adds a span for a line after one that ended in the base64 of a known
// value: the last line of the value may be too short to be recognized by itself.
func MaskContinued(v *match.View) {
	line := bytes.TrimSpace(v.Text[v.Lo:v.Hi])
	if len(line) > 0 && ascii.Run(line, encodings.Base64Around) == len(line) {
		v.Add(v.Lo+bytes.Index(v.Text[v.Lo:v.Hi], line), v.Hi, "")
	}
}

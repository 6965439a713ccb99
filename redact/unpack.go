package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/decode"
)

const (
	// maxUnpacked is how much of a compressed text is looked at.
	maxUnpacked = 256 << 10
	// unpackRatio and leastUnpacked bound what is unpacked for one line, in all layers
	// together: so many times its length, and so much more. JSON and logs are compressed
	// to a tenth of their length; a text of a few bytes that are unpacked to megabytes, in
	// which others are, would take hours.
	unpackRatio   = 16
	leastUnpacked = 4 << 10
)

// budget lets what is compressed in a line of n bytes be unpacked, as far as the limits
// allow.
func (d *decoder) budget(n int) { *d.left = leastUnpacked + unpackRatio*n }

// plainText returns the text that b, decoded, stands for: unpacked where it is
// compressed, in ASCII where it is UTF-16.
func (d *decoder) plainText(b []byte) []byte {
	if decode.Compressed(b) {
		out := decode.Unpack(b, min(maxUnpacked, *d.left))
		*d.left -= len(out)
		return out
	}
	if n := bytes.Count(b, []byte{0}); n > 0 && n*3 > len(b) {
		return bytes.ReplaceAll(b, []byte{0}, nil)
	}
	return b
}

// unpackNew unpacks b, and returns it from a little before what its bytes from first on
// add, and where that begins; nil where they add nothing.
func (d *decoder) unpackNew(b []byte, first int) (text []byte, added int) {
	limit := maxUnfolded
	if d.layer > 0 {
		limit = min(limit, *d.left/2)
	}
	added = len(decode.Unpack(b[:first], limit))
	if added == limit {
		return nil, 0
	}
	text = decode.Unpack(b, limit)
	if d.layer > 0 {
		*d.left -= added + len(text)
	}
	if len(text) == added {
		return nil, 0
	}
	from := max(0, added-maxAgainSeen)
	return text[from:], added - from
}

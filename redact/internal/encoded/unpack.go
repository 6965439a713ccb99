package encoded

import (
	"bytes"
	"slices"

	"github.com/envwrap/envwrap/redact/internal/decode"
)

const (
	// maxUnpacked is how much of a compressed text is looked at.
	maxUnpacked = 256 << 10
	// maxUnfolded is how much of a compressed text that is folded in lines is unpacked, and
	// maxAgainSeen how much of it is looked at again with each line: a private key that began
	// before the line is within that.
	maxUnfolded  = 64 << 10
	maxAgainSeen = 4 << 10
	// unpackRatio and leastUnpacked bound the text unpacked for one line, in all layers
	// together: so many times its length, and so much more. JSON and logs are compressed
	// to a tenth of their length; a text of a few bytes that are unpacked to megabytes, in
	// which others are, would take hours.
	unpackRatio   = 16
	leastUnpacked = 4 << 10
)

// An unpacker unpacks texts that were decoded and are compressed.
type unpacker struct {
	layer int  // of encoding that the line is in, 0 outside of any
	left  *int // bytes that may still be unpacked for the line, in all layers together
}

// Budget sets how much is unpacked for a line of n bytes, in all layers together. It does
// nothing where the line itself is encoded.
func (u *unpacker) Budget(n int) {
	if u.layer == 0 {
		*u.left = leastUnpacked + unpackRatio*n
	}
}

// plainText returns the text that b, which was decoded, has: unpacked if it is compressed,
// in ASCII if it is UTF-16.
func (u *unpacker) plainText(b []byte) []byte {
	if decode.Compressed(b) {
		out := decode.Unpack(b, min(maxUnpacked, *u.left))
		*u.left -= len(out)
		return out
	}
	if n := bytes.Count(b, []byte{0}); n > 0 && n*3 > len(b) {
		return slices.DeleteFunc(bytes.Clone(b), func(c byte) bool { return c == 0 })
	}
	return b
}

// unpackNew unpacks b. It returns the text from a little before the part that the bytes
// from first on add, and the offset of that part; nil if they add nothing.
func (u *unpacker) unpackNew(b []byte, first int) (text []byte, added int) {
	limit := maxUnfolded
	if u.layer > 0 {
		limit = min(limit, *u.left/2)
	}
	added = len(decode.Unpack(b[:first], limit))
	if added == limit {
		return nil, 0
	}
	text = decode.Unpack(b, limit)
	if u.layer > 0 {
		*u.left -= added + len(text)
	}
	if len(text) == added {
		return nil, 0
	}
	from := max(0, added-maxAgainSeen)
	return text[from:], added - from
}

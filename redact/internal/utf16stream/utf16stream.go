// Package utf16stream reads streams in UTF-16, as programs of Windows write them, as UTF-8,
// and writes them in UTF-16 again without a loss.
package utf16stream

import (
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// OrderBytes is how many bytes show whether a stream is in UTF-16.
const OrderBytes = 4

// OrderOf returns the byte order of a stream in UTF-16 that begins with b, nil if it is
// something else, and whether b is enough to know. Such a stream begins with a mark of the
// order or with two characters of ASCII, neither a line end: a complete line is not held
// back.
func OrderOf(b []byte) (order binary.AppendByteOrder, known bool) {
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		return binary.LittleEndian, true
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return binary.BigEndian, true
	case len(b) == 0, len(b) == 1 && b[0] >= 0xfe:
		return nil, false
	}
	for i, c := range b[:min(len(b), OrderBytes)] {
		high := (i%2 == 0) == (b[0] == 0)
		if high != (c == 0) || !high && (c < ' ' || c > '~') {
			return nil, true
		}
	}
	if b[0] == 0 {
		return binary.BigEndian, len(b) >= OrderBytes
	}
	return binary.LittleEndian, len(b) >= OrderBytes
}

// A Decoder decodes a stream in UTF-16 and writes it in UTF-8. Bytes that are no character
// are written so that an [Encoder] makes the same bytes of them: a surrogate without its
// other half in three bytes, as other characters are that have so large a number.
type Decoder struct {
	dst   io.Writer
	order binary.AppendByteOrder
	rest  []byte // of a character
	buf   []byte
}

// NewDecoder returns a decoder that writes to dst.
func NewDecoder(dst io.Writer, order binary.AppendByteOrder) *Decoder {
	return &Decoder{dst: dst, order: order}
}

// maxDecoded is how many bytes are decoded at once.
const maxDecoded = 32 << 10

func (d *Decoder) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		k := min(len(p), maxDecoded)
		d.rest = append(d.rest, p[:k]...)
		d.decode(false)
		if _, err := d.dst.Write(d.buf); err != nil {
			return 0, err
		}
		p = p[k:]
	}
	return n, nil
}

// Flush writes the characters that were held back at the end of the stream, and returns
// the byte there that is half a character, if there is one.
func (d *Decoder) Flush() (rest []byte, err error) {
	d.decode(true)
	_, err = d.dst.Write(d.buf)
	return d.rest, err
}

// decode decodes the characters of rest, the last of which may be incomplete unless last
// is set.
func (d *Decoder) decode(last bool) {
	b, order := d.rest, d.order.(binary.ByteOrder)
	d.buf = d.buf[:0]
	for len(b) >= 2 {
		r := rune(order.Uint16(b))
		n := 2
		if utf16.IsSurrogate(r) && r < lowSurrogate {
			if len(b) < 4 && !last {
				break
			}
			if len(b) >= 4 {
				if pair := utf16.DecodeRune(r, rune(order.Uint16(b[2:]))); pair != utf8.RuneError {
					r, n = pair, 4
				}
			}
		}
		d.buf = appendAny(d.buf, r)
		b = b[n:]
	}
	d.rest = append(d.rest[:0], b...)
}

const (
	lowSurrogate = 0xdc00
	// threeBytes is the first character that takes three bytes of UTF-8.
	threeBytes = 0xe0
)

// appendAny appends r, which may be a surrogate, in UTF-8.
func appendAny(b []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(b, threeBytes|byte(r>>12), 0x80|byte(r>>6)&0xbf, 0x80|byte(r)&0xbf)
	}
	return utf8.AppendRune(b, r)
}

// An Encoder takes UTF-8 and writes UTF-16.
type Encoder struct {
	dst   io.Writer
	order binary.AppendByteOrder
	rest  []byte // of a character
	buf   []byte
}

// NewEncoder returns an encoder that writes to dst.
func NewEncoder(dst io.Writer, order binary.AppendByteOrder) *Encoder {
	return &Encoder{dst: dst, order: order}
}

func (e *Encoder) Write(p []byte) (int, error) {
	e.rest = append(e.rest, p...)
	b := e.rest
	e.buf = e.buf[:0]
	for len(b) > 0 && fullAny(b) {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 && len(b) >= 3 && b[0] == threeBytes|0xd {
			r, n = 0xd000|rune(b[1]&0x3f)<<6|rune(b[2]&0x3f), 3 // a surrogate
		}
		if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			e.buf = e.order.AppendUint16(e.buf, uint16(high))
			r = low
		}
		e.buf = e.order.AppendUint16(e.buf, uint16(r))
		b = b[n:]
	}
	e.rest = append(e.rest[:0], b...)
	if _, err := e.dst.Write(e.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

// fullAny reports whether b begins with a whole character, or a surrogate.
func fullAny(b []byte) bool {
	if b[0] == threeBytes|0xd {
		return len(b) >= 3
	}
	return utf8.FullRune(b)
}

package redact

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// orderBytes is how many bytes show whether a stream is in UTF-16.
const orderBytes = 4

// orderOf returns the byte order of a stream in UTF-16 that begins with b, nil if it is
// something else, and whether b is enough to know. It begins with a mark of the order or
// two characters of ASCII, neither a line end: a line that is complete is not held back.
func orderOf(b []byte) (order binary.AppendByteOrder, known bool) {
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		return binary.LittleEndian, true
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return binary.BigEndian, true
	case len(b) == 1 && b[0] >= 0xfe:
		return nil, false
	}
	for i, c := range b[:min(len(b), orderBytes)] {
		high := (i%2 == 0) == (b[0] == 0)
		if high != (c == 0) || !high && (c < ' ' || c > '~') {
			return nil, true
		}
	}
	if b[0] == 0 {
		return binary.BigEndian, len(b) >= orderBytes
	}
	return binary.LittleEndian, len(b) >= orderBytes
}

// begin looks at the first bytes of a stream, and returns those of p that are still to
// be masked: none where it is too early to know, or the stream is in UTF-16.
func (w *Writer) begin(p []byte) []byte {
	first := slices.Concat(w.tail, p[:min(len(p), orderBytes)])
	order, known := orderOf(first)
	switch {
	case !known:
		w.tail = first
		return nil
	case order == nil:
		w.begun = true
		return p
	}
	w.begun = true
	w.wide = &wideText{order: order}
	w.wide.text = &Writer{dst: &wideEncoder{dst: w.dst, order: order}, sc: w.sc, lim: w.lim, begun: true}
	p = append(w.tail, p...)
	w.tail = nil
	if p[0] >= 0xfe {
		if _, w.err = w.dst.Write(p[:2]); w.err != nil {
			return nil
		}
		p = p[2:]
	}
	w.err = w.wide.write(p)
	return nil
}

// A wideText masks a stream in UTF-16, as programs of Windows write it: it is decoded,
// masked as UTF-8 and encoded again. What is no character stays what it was.
type wideText struct {
	order binary.AppendByteOrder
	text  *Writer
	rest  []byte // of a character
	buf   []byte
}

// maxDecoded is how many bytes are decoded at once.
const maxDecoded = 32 << 10

func (t *wideText) write(p []byte) error {
	for len(p) > 0 {
		n := min(len(p), maxDecoded)
		t.rest = append(t.rest, p[:n]...)
		t.decode(false)
		if _, err := t.text.Write(t.buf); err != nil {
			return err
		}
		p = p[n:]
	}
	return nil
}

// decode takes the characters of rest. A surrogate without its other half is written
// in three bytes, as other characters are that have so large a number.
func (t *wideText) decode(last bool) {
	b, order := t.rest, t.order.(binary.ByteOrder)
	t.buf = t.buf[:0]
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
		t.buf = appendAny(t.buf, r)
		b = b[n:]
	}
	t.rest = append(t.rest[:0], b...)
}

// close passes on what was held back, and a byte at the end that is no character.
func (t *wideText) close(dst io.Writer) error {
	t.decode(true)
	if _, err := t.text.Write(t.buf); err != nil {
		return err
	}
	if err := t.text.Close(); err != nil || len(t.rest) == 0 {
		return err
	}
	_, err := dst.Write(t.rest)
	return err
}

const (
	lowSurrogate = 0xdc00
	// threeBytes begins what is written in three bytes of UTF-8.
	threeBytes = 0xe0
)

// appendAny appends r, which may be a surrogate, in UTF-8.
func appendAny(b []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(b, threeBytes|byte(r>>12), 0x80|byte(r>>6)&0xbf, 0x80|byte(r)&0xbf)
	}
	return utf8.AppendRune(b, r)
}

// A wideEncoder passes on UTF-8 in UTF-16.
type wideEncoder struct {
	dst   io.Writer
	order binary.AppendByteOrder
	rest  []byte // of a character
	buf   []byte
}

func (e *wideEncoder) Write(p []byte) (int, error) {
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

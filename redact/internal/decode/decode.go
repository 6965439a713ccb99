// Package decode finds texts in base64, base32 and hex, and reads them.
package decode

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/base64"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// An alphabet encodes bytes in characters, each of which has some bits of them.
type alphabet struct {
	Bits   int
	Decode func(dst, src []byte) []byte
}

var (
	inBase64 = alphabet{6, Base64}
	inBase32 = alphabet{5, decode32}
	inHex    = alphabet{4, decodeHex}
)

// Textual reports whether b is printable ASCII and white space.
func Textual(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c > '~' {
			return false
		}
	}
	return true
}

// Compressed reports whether b begins as what gzip writes does (RFC 1952), or zlib (RFC
// 1950).
func Compressed(b []byte) bool {
	return len(b) > 4 && (b[0] == 0x1f && b[1] == 0x8b && b[2] == 8 && b[3] < 0x20 || inZlib(b))
}

// inZlib reports whether b begins as what zlib writes at its usual levels.
func inZlib(b []byte) bool { return len(b) > 2 && b[0] == 0x78 && (b[1] == 0x9c || b[1] == 0xda) }

// unpackers are *gzip.Readers, and inflaters readers of deflated data, each of which is
// large.
var unpackers, inflaters sync.Pool

// Unpack returns the first bytes, limit at most, of the text that is compressed in b with
// gzip or zlib. Of one that was cut it returns the part that can be read.
func Unpack(b []byte, limit int) []byte {
	if inZlib(b) {
		z, _ := inflaters.Get().(io.ReadCloser)
		if z == nil {
			z = flate.NewReader(nil)
		}
		defer inflaters.Put(z)
		_ = z.(flate.Resetter).Reset(bytes.NewReader(b[2:]), nil) // never fails
		out, _ := io.ReadAll(io.LimitReader(z, int64(limit)))
		return out
	}
	z, _ := unpackers.Get().(*gzip.Reader)
	if z == nil {
		z = new(gzip.Reader)
	}
	defer unpackers.Put(z)
	if z.Reset(bytes.NewReader(b)) != nil {
		return nil
	}
	out, _ := io.ReadAll(io.LimitReader(z, int64(limit)))
	return out
}

// Sextet returns the value of the character c of base64, in either alphabet, -1 for other
// characters.
func Sextet(c byte) int {
	if i := c - '+'; i < byte(len(sextets)) {
		return int(int8(sextets[i]))
	}
	return -1
}

// sextets has the value of each character from + to z. A table is faster than branches,
// since no processor can predict in which of several ranges a character of base64 is.
const sextets = "\x3e\xff\x3e\xff\x3f\x34\x35\x36\x37\x38\x39\x3a\x3b\x3c\x3d\xff\xff\xff\xff\xff" +
	"\xff\xff\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11" +
	"\x12\x13\x14\x15\x16\x17\x18\x19\xff\xff\xff\xff\x3f\xff\x1a\x1b\x1c\x1d\x1e\x1f" +
	"\x20\x21\x22\x23\x24\x25\x26\x27\x28\x29\x2a\x2b\x2c\x2d\x2e\x2f\x30\x31\x32\x33"

// Base64 appends the bytes that src encodes in base64 to dst.
func Base64(dst, src []byte) []byte {
	acc, bits := uint32(0), 0
	for _, c := range src {
		s := Sextet(c)
		if s < 0 {
			break
		}
		acc = acc<<6 | uint32(s)
		if bits += 6; bits >= 8 {
			bits -= 8
			dst = append(dst, byte(acc>>bits))
		}
	}
	return dst
}

// decode32 appends the bytes that src encodes in base32 to dst.
func decode32(dst, src []byte) []byte {
	acc, bits := uint32(0), 0
	for _, c := range src {
		acc = acc<<5 | Quintet(c)&31
		if bits += 5; bits >= 8 {
			bits -= 8
			dst = append(dst, byte(acc>>bits))
		}
	}
	return dst
}

// Quintet returns the value of the character c of base32, and of others anything.
func Quintet(c byte) uint32 {
	if ascii.Is(c, ascii.Digit) {
		return uint32(c-'2') + 26
	}
	return uint32(ascii.Fold(c) - 'a')
}

// decodeHex appends the bytes that src encodes in hex to dst.
func decodeHex(dst, src []byte) []byte {
	for i := 0; i+1 < len(src); i += 2 {
		dst = append(dst, Nibble(src[i])<<4|Nibble(src[i+1]))
	}
	return dst
}

// Nibble returns the value of the hex digit c.
func Nibble(c byte) byte {
	if ascii.Is(c, ascii.Digit) {
		return c - '0'
	}
	return ascii.Fold(c) - 'a' + 10
}

// URL returns s with its %XX replaced by the bytes that they encode.
func URL(s string) string {
	b := []byte(s)
	n := 0
	for i := 0; i < len(b); i++ {
		c := b[i]
		if c == '%' && i+2 < len(b) && ascii.Is(b[i+1], ascii.HexDigit) && ascii.Is(b[i+2], ascii.HexDigit) {
			c = Nibble(b[i+1])<<4 | Nibble(b[i+2])
			i += 2
		}
		b[n] = c
		n++
	}
	return string(b[:n])
}

// EncodedText reports whether b is the base64 of a text of 6 bytes or more.
func EncodedText(b []byte) bool {
	if len(b)%4 != 0 || len(b) < 8 || len(b) > 1<<16 {
		return false
	}
	text := make([]byte, base64.StdEncoding.DecodedLen(len(b)))
	n, err := base64.StdEncoding.Decode(text, b)
	if err != nil || n < 6 && b[len(b)-1] != '=' || n < 4 || !utf8.Valid(text[:n]) {
		return false
	}
	for _, c := range text[:n] {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

package decode

import (
	"sync"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// The bits of roles: four for base64, one for each number of characters that may be
// skipped before the first of four; the same for base64 that is written backwards;
// two for hex, and one for base32.
const (
	roleBase64   = 0
	roleReversed = 4
	roleHex      = 8
	roleBase32   = 10
	allRoles     = 1<<(roleBase32+1) - 1
)

// A roleTable has bits of roles, by the position of a byte modulo four and the byte.
type roleTable [4][256]uint16

// roles has, for each position of a byte modulo four and each byte, the codes in which it
// may encode ASCII there: printable, white space, or the zeros of UTF-16.
var roles = sync.OnceValue(func() *roleTable {
	t := new(roleTable)
	for c := range 256 {
		b, s := byte(c), Sextet(byte(c))
		for i := range 4 {
			var m uint16
			for skip := range 4 {
				if s >= 0 && sextetOfText(s, (i+skip)&3) {
					m |= 1 << (roleBase64 + skip)
				}
				if s >= 0 && sextetOfText(s, 3-(i+skip)&3) {
					m |= 1 << (roleReversed + skip)
				}
			}
			for parity := range 2 {
				if b >= '2' && b <= '7' || b == '0' || i&1 != parity && ascii.Is(b, ascii.HexDigit) {
					m |= 1 << (roleHex + parity)
				}
			}
			if ascii.Is(b, ascii.Upper) || b >= '2' && b <= '7' {
				m |= 1 << roleBase32
			}
			t[i][c] = m
		}
	}
	return t
})

// sextetOfText reports whether the value s may be at a position among four characters of
// base64 that encode ASCII.
func sextetOfText(s, place int) bool {
	switch place {
	case 0:
		return s >= 2 && s < 32 || s == 0
	case 1:
		return s&15 >= 2 && s&15 < 8 || s&15 == 0
	case 2:
		return s&3 < 2
	}
	return true
}

// common returns those bits of m that all bytes of b have, of which the first is the first
// of four.
func (t *roleTable) common(b []byte, m uint16) uint16 {
	for k, c := range b {
		if m &= t[k&3][c]; m == 0 {
			break
		}
	}
	return m
}

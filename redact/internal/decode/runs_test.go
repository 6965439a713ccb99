package decode

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

// A run of so many bytes has eight of them noted, wherever it is.
func TestLongWords(t *testing.T) {
	for _, least := range []int{MinRun, MinKnownRun} {
		stride := least - 8
		for _, size := range []int{least, 2*least + 5, runPlaces * stride, runPlaces*stride + 3} {
			for start := max(0, size-3*least); start+least <= size; start++ {
				b := bytes.Repeat([]byte{' '}, size)
				copy(b[start:], strings.Repeat("x", least))
				var at placeList
				n := longWords(b, &at, stride)
				if n == 0 || int(at[0]) < start || int(at[n-1])+8 > start+least {
					t.Fatalf("%d bytes at %d of %d: noted %d", least, start, size, at[:n])
				}
			}
		}
	}
}

// A character of base64 may encode text where its bits are those of ASCII bytes, without
// most control characters.
func TestSextetOfText(t *testing.T) {
	for c := range 0x100 {
		ascii, control := c < 0x80, c >= 4 && c < 8
		for place, want := range []bool{ascii && !control, ascii && c>>4 != 1, ascii, true} {
			s := [...]int{c >> 2, 3<<4 | c>>4, 15<<2 | c>>6, c & 63}[place]
			if got := sextetOfText(s, place); got != want {
				t.Errorf("byte %#x at %d: %t", c, place, got)
			}
		}
	}
}

// Text in a code has the role of that code, wherever the reading begins, and bytes that
// are no text have not.
func TestRoles(t *testing.T) {
	var text []byte
	for c := byte(' '); c < 0x7f; c++ {
		text = append(text, c)
	}
	text = append(text, "\t\r\na\x00b\x00"...)
	for len(text)%15 != 0 {
		text = append(text, ' ')
	}
	high := bytes.Repeat([]byte{0xff}, 15)
	hexes, of32 := hex.EncodeToString, base32.StdEncoding.EncodeToString
	of64 := base64.StdEncoding.EncodeToString
	reversed := func(b []byte) string {
		chars := []byte(of64(b))
		slices.Reverse(chars)
		return string(chars)
	}
	for _, c := range []struct {
		name       string
		code       func([]byte) string
		role, most int
	}{
		{"base64", of64, roleBase64, 4},
		{"reversed", reversed, roleReversed, 4},
		{"hex", hexes, roleHex, 2},
		{"HEX", func(b []byte) string { return strings.ToUpper(hexes(b)) }, roleHex, 2},
		{"base32", of32, roleBase32, 1},
	} {
		for skip := range c.most {
			role := uint16(1) << (c.role + skip)
			if roles().common([]byte(c.code(text)[skip:]), role) != role {
				t.Errorf("%s without %d: text has not its role", c.name, skip)
			}
			if c.role != roleBase32 && roles().common([]byte(c.code(high)[skip:]), role) != 0 {
				t.Errorf("%s without %d: what is no text has the role", c.name, skip)
			}
		}
	}
	for _, other := range "a018=+" {
		if roles().common([]byte(string(other)), 1<<roleBase32) != 0 {
			t.Errorf("%c has the role of base32", other)
		}
	}
}

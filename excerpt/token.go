package excerpt

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
)

// Classes of bytes.
const (
	letterClass = iota
	digitClass
	spaceClass
	punctClass
)

var classes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= 0x80:
			t[c] = letterClass
		case c >= '0' && c <= '9':
			t[c] = digitClass
		case c == ' ' || c == '\t':
			t[c] = spaceClass
		default:
			t[c] = punctClass
		}
	}
	return t
}()

// readWord returns the hash of the letters at t[from:], without regard to case, and their
// end. It reads eight bytes at a time, since most words have no more.
func readWord(t []byte, from int) (hash uint32, end int) {
	h := uint64(0)
	for i := from; ; i += 8 {
		var x uint64
		if i+8 <= len(t) {
			x = eight(t, i)
		} else {
			x = wordAt(t, i)
		}
		n := bits.TrailingZeros64(^letterBytes(x)&highBits) / 8 // 8 if all are letters
		letters := uint64(1)<<(8*n) - 1                         // 0 - 1 if n is 8
		if n > 0 {
			h = mixAt(h+(x|blanks)&letters, n)
		}
		if n < 8 {
			return uint32(h ^ h>>32), i + n
		}
	}
}

// letterBytes returns the high bit of each byte of x that is a letter.
func letterBytes(x uint64) uint64 {
	lower := x&^highBits | blanks
	return ((lower+(0x80-'a')*lowBits)&^(lower+(0x7f-'z')*lowBits) | x) & highBits
}

// blobFrom is the least length of a line of encoded bytes.
const blobFrom = 48

// isBlob reports whether a line looks like base64: one word with letters of both cases
// and digits.
func isBlob(t []byte) bool {
	if len(t) < blobFrom {
		return false
	}
	var seen uint8
	for ; len(t) >= 8; t = t[8:] {
		seen |= blobBytes[t[0]] | blobBytes[t[1]] | blobBytes[t[2]] | blobBytes[t[3]] |
			blobBytes[t[4]] | blobBytes[t[5]] | blobBytes[t[6]] | blobBytes[t[7]]
		if seen >= 0x80 {
			return false
		}
	}
	for _, c := range t {
		seen |= blobBytes[c]
	}
	return seen == 7 || seen == 0xf
}

// blobBytes has a bit for each kind of byte in base64, and 0x80 for others.
var blobBytes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z':
			t[c] = 1
		case c >= 'A' && c <= 'Z':
			t[c] = 2
		case c >= '0' && c <= '9':
			t[c] = 4
		case c == '+' || c == '/' || c == '-' || c == '_' || c == '=':
			t[c] = 8
		default:
			t[c] = 0x80
		}
	}
	return t
}()

// numberEnd returns the end of the number, time, size or digest at t[i:].
func numberEnd(t []byte, i int) int {
	from := i
	for i < len(t) {
		switch c := t[i]; {
		case classes[c] == digitClass || i == from:
			i++
			continue
		case classes[c] == letterClass:
			j := i + 1
			for j < len(t) && j-i <= 3 && classes[t[j]] == letterClass {
				j++
			}
			if j-i <= 3 && (j == len(t) || classes[t[j]] != letterClass) {
				i = j // a unit, or the T of a time
				continue
			}
			if k := hexEnd(t, from); k > i {
				i = k
				continue
			}
		case c == '.' || c == ':' || c == ',' || c == '-' || c == '/' || c == '+':
			if i+1 < len(t) && (classes[t[i+1]] == digitClass || c == ':' && hexEnd(t, i+1) > 0) && !isUUID(t, i+1) {
				i++
				from = i
				continue
			}
		}
		return i
	}
	return i
}

const uuidSize = len("0189f7d2-5c1e-7a3b-9b0a-3f2c4d5e6f70")

// isUUID reports whether a UUID is at t[i:], and no part of a longer word.
func isUUID(t []byte, i int) bool {
	if len(t)-i < uuidSize || t[i+8] != '-' || t[i+13] != '-' || t[i+18] != '-' || t[i+23] != '-' ||
		i > 0 && classes[t[i-1]] <= digitClass || len(t)-i > uuidSize && classes[t[i+uuidSize]] <= digitClass {
		return false
	}
	for j, c := range t[i : i+uuidSize] {
		if classes[c] != digitClass && (c|0x20 < 'a' || c|0x20 > 'f') && (j != 8 && j != 13 && j != 18 && j != 23) {
			return false
		}
	}
	return true
}

// digestEnd returns the end of a digest that begins with the letters t[from:to], and 0
// if they are a word.
func digestEnd(t []byte, from, to int) int {
	if to < len(t) && classes[t[to]] == digitClass {
		return hexEnd(t, from)
	}
	return 0
}

// hexEnd returns the end of the run of hexadecimal digits at t[i:], and 0 if the run is
// shorter than 7 or a letter follows it.
func hexEnd(t []byte, i int) int {
	j := i
	for j < len(t) && (classes[t[j]] == digitClass || t[j]|0x20 >= 'a' && t[j]|0x20 <= 'f') {
		j++
	}
	if j-i < 7 || j < len(t) && classes[t[j]] == letterClass {
		return 0
	}
	return j
}

// skipBlank returns t without its leading blanks and separators of prefixes.
func skipBlank(t []byte) []byte {
	for len(t) > 0 && (t[0] == ' ' || t[0] == '\t' || t[0] == ':' || t[0] == '|' || t[0] == ']') {
		t = t[1:]
	}
	return t
}

// untimed returns a line without its leading date and time.
func untimed(t []byte) []byte {
	for range 2 { // date and time may be two words
		n := bytes.IndexByte(t, ' ')
		if n < len("10:02:03") || t[0] < '0' || t[0] > '9' || bytes.ContainsFunc(t[:n], untimely) || bytes.Count(t[:n], colonBytes) != 2 && !isDate(t[:n]) {
			break
		}
		t = t[n+1:]
	}
	return t
}

// untimely reports whether c is no part of a date or time.
func untimely(c rune) bool { return (c < '0' || c > '9') && !strings.ContainsRune("-/:.,+TZ", c) }

var colonBytes = []byte(":")

// isDate reports whether t is a date, as in 2026-11-22.
func isDate(t []byte) bool {
	return len(t) == len("2026-11-22") && (t[4] == '-' && t[7] == '-' || t[4] == '/' && t[7] == '/')
}

// equalBytes returns how many bytes a and b, which is not longer, begin with in common.
func equalBytes(a, b []byte) int {
	i := 0
	for ; i+8 <= len(b) && eight(a, i) == eight(b, i); i += 8 {
	}
	for ; i < len(b) && a[i] == b[i]; i++ {
	}
	return i
}

// eight returns the eight bytes of line at i.
func eight(line []byte, i int) uint64 { return binary.LittleEndian.Uint64(line[i : i+8 : i+8]) }

// wordAt returns the eight bytes of line at i, with blanks after its end.
func wordAt(line []byte, i int) uint64 {
	switch n := len(line) - i; {
	case n >= 8:
		return eight(line, i)
	case n <= 0:
		return blanks
	case len(line) >= 8:
		return eight(line, len(line)-8)>>(64-8*n&63) | blanks<<(8*n&63)
	}
	x := uint64(blanks)
	for j, c := range line[i:] {
		x ^= uint64(c^' ') << (8 * j & 63)
	}
	return x
}

// Words of eight equal bytes.
const (
	lowBits  = 0x0101010101010101
	highBits = 0x80 * lowBits
	blanks   = ' ' * lowBits
)

// mixAt returns a hash of x, another one for each i.
func mixAt(x uint64, i int) uint64 {
	hi, lo := bits.Mul64(x, uint64(2*i+1)*0x9e3779b97f4a7c15)
	return hi ^ lo
}

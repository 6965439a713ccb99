// Package ascii has classes of ASCII characters, and functions that scan bytes by them.
package ascii

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A Class is a set of bytes, made of the bits below.
type Class uint16

const (
	Digit    Class = 1 << iota // 0-9
	Lower                      // a-z
	Upper                      // A-Z
	HexDigit                   // 0-9 a-f A-F
	Under                      // _
	Dash                       // -
	Dot                        // .
	Plus                       // + /
	Equals                     // =
	Colon                      // :
	Tilde                      // ~ !
	Percent                    // %
	Query                      // ? & @ # $ *
	Blank                      // space and tab
	Comma                      // ,
	Quote                      // " ' ` \

	Alpha   = Lower | Upper
	Alnum   = Alpha | Digit
	Word    = Alnum | Under
	Base64  = Alnum | Plus
	URLSafe = Alnum | Under | Dash
	Token   = URLSafe | Dot | Plus | Equals | Tilde | Percent | Query
)

var classes = [256]Class{
	'0': Digit | HexDigit, '1': Digit | HexDigit, '2': Digit | HexDigit, '3': Digit | HexDigit, '4': Digit | HexDigit,
	'5': Digit | HexDigit, '6': Digit | HexDigit, '7': Digit | HexDigit, '8': Digit | HexDigit, '9': Digit | HexDigit,
	'a': Lower | HexDigit, 'b': Lower | HexDigit, 'c': Lower | HexDigit, 'd': Lower | HexDigit, 'e': Lower | HexDigit,
	'f': Lower | HexDigit, 'g': Lower, 'h': Lower, 'i': Lower, 'j': Lower, 'k': Lower, 'l': Lower, 'm': Lower,
	'n': Lower, 'o': Lower, 'p': Lower, 'q': Lower, 'r': Lower, 's': Lower, 't': Lower, 'u': Lower, 'v': Lower,
	'w': Lower, 'x': Lower, 'y': Lower, 'z': Lower,
	'A': Upper | HexDigit, 'B': Upper | HexDigit, 'C': Upper | HexDigit, 'D': Upper | HexDigit, 'E': Upper | HexDigit,
	'F': Upper | HexDigit, 'G': Upper, 'H': Upper, 'I': Upper, 'J': Upper, 'K': Upper, 'L': Upper, 'M': Upper,
	'N': Upper, 'O': Upper, 'P': Upper, 'Q': Upper, 'R': Upper, 'S': Upper, 'T': Upper, 'U': Upper, 'V': Upper,
	'W': Upper, 'X': Upper, 'Y': Upper, 'Z': Upper,
	'_': Under, '-': Dash, '.': Dot, '+': Plus, '/': Plus, '=': Equals, ':': Colon, '~': Tilde, '%': Percent, '!': Tilde,
	' ': Blank, '\t': Blank, ',': Comma, '"': Quote, '\'': Quote, '`': Quote, '\\': Quote, '?': Query, '&': Query, '@': Query, '#': Query, '$': Query, '*': Query,
}

// ClassOf returns the class of c.
func ClassOf(c byte) Class { return classes[c] }

// Is reports whether c is of class k.
func Is(c byte, k Class) bool { return classes[c]&k != 0 }

// Run returns how many bytes at the start of b are of class k.
func Run(b []byte, k Class) int {
	n := 0
	for n < len(b) && classes[b[n]]&k != 0 {
		n++
	}
	return n
}

// LongRun is Run for b that may have thousands of such bytes: it takes eight at a time as
// long as they have a class of k in common.
func LongRun(b []byte, k Class) int {
	n := 0
	for len(b)-n >= 8 {
		w := b[n:][:8]
		both := classes[w[0]] & classes[w[1]] & classes[w[2]] & classes[w[3]]
		if both&classes[w[4]]&classes[w[5]]&classes[w[6]]&classes[w[7]]&k == 0 {
			break
		}
		n += 8
	}
	return n + Run(b[n:], k)
}

// RunBack returns how many bytes at the end of b are of class k.
func RunBack(b []byte, k Class) int {
	n := 0
	for n < len(b) && classes[b[len(b)-1-n]]&k != 0 {
		n++
	}
	return n
}

// Fold returns c in lower case, if it is an ASCII letter.
func Fold(c byte) byte {
	if classes[c]&Upper != 0 {
		return c | 0x20
	}
	return c
}

// HasFold reports whether b begins with prefix, which is in lower case, whatever the case
// of b.
func HasFold(b []byte, prefix string) bool {
	if len(b) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if Fold(b[i]) != prefix[i] {
			return false
		}
	}
	return true
}

// AppendLower appends w in lower case to dst, as far as dst has room.
func AppendLower(dst, w []byte) []byte {
	n := len(dst)
	dst = append(dst, w[:min(len(w), cap(dst))]...)
	for i, c := range dst[n:] {
		dst[n+i] = Fold(c)
	}
	return dst
}

// ContainsFold reports whether one of words, which are in lower case, is in b, whatever the
// case of b.
func ContainsFold(b []byte, words ...string) bool {
	for _, w := range words {
		for i := range b {
			if HasFold(b[i:], w) {
				return true
			}
		}
	}
	return false
}

// HasPrefix reports whether b begins with one of words.
func HasPrefix(b []byte, words ...string) bool {
	for _, w := range words {
		if len(b) >= len(w) && string(b[:len(w)]) == w {
			return true
		}
	}
	return false
}

// HasSuffix reports whether b ends with one of words.
func HasSuffix(b []byte, words ...string) bool {
	for _, w := range words {
		if len(b) >= len(w) && string(b[len(b)-len(w):]) == w {
			return true
		}
	}
	return false
}

// Contains reports whether c is in b.
func Contains(b []byte, c byte) bool {
	return bytes.IndexByte(b, c) >= 0
}

// Backslashes counts the backslashes right before b[i].
func Backslashes(b []byte, i int) int {
	n := 0
	for i-n > 0 && b[i-n-1] == '\\' {
		n++
	}
	return n
}

// CommonPrefix returns how many bytes at the start of a and b are the same.
func CommonPrefix(a, b []byte) int {
	n, end := 0, min(len(a), len(b))
	for ; end-n >= 8; n += 8 {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
	}
	for n < end && a[n] == b[n] {
		n++
	}
	return n
}

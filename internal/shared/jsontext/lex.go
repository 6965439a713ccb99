package jsontext

import (
	"strings"
	"unicode/utf8"
)

type state uint8

const (
	atTop       state = iota // between values at top level
	atValue                  // a value must come
	atFirstItem              // a value or ]
	atFirstName              // a name or }
	atName                   // a name must come
	atColon                  // a colon must come
	atNext                   // a comma or closing bracket must come
	inString
	inEscape   // after a backslash
	inHex      // in the digits of \u
	inMinus    // after -
	inZero     // after a leading 0
	inInteger  // in the digits of an integer
	inPoint    // after .
	inFraction // in the digits of a fraction
	inExponent // after e
	inSign     // after the sign of an exponent
	inPower    // in the digits of an exponent
	inLiteral  // in true, false or null
	ended      // something is wrong
)

func isEscape(c byte) bool { return strings.IndexByte(`"\/bfnrtu`, c) >= 0 }

const needsHex = `four hexadecimal digits must follow \u`

// nextInNumber returns the state of a number after one more byte, and ended
// where the number does not go on with it.
func nextInNumber(s state, c byte) state {
	switch {
	case isDigit(c):
		switch s {
		case inInteger, inFraction, inPower:
			return s
		case inMinus:
			if c == '0' {
				return inZero
			}
			return inInteger
		case inPoint:
			return inFraction
		case inExponent, inSign:
			return inPower
		}
	case c == '.' && (s == inZero || s == inInteger):
		return inPoint
	case c|0x20 == 'e' && (s == inZero || s == inInteger || s == inFraction):
		return inExponent
	case (c == '+' || c == '-') && s == inExponent:
		return inSign
	}
	return ended
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func hexDigit(c byte) (r rune, ok bool) {
	switch {
	case isDigit(c):
		return rune(c - '0'), true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10, true
	}
	return 0, false
}

// plainLength returns how much of p a string goes on without anything special.
func plainLength(p []byte) int {
	for i, c := range p {
		if special[c] {
			return i
		}
	}
	return len(p)
}

// special are the bytes that mean something in a string.
var special = [256]bool{
	0: true, 1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true, 8: true, 9: true, 10: true,
	11: true, 12: true, 13: true, 14: true, 15: true, 16: true, 17: true, 18: true, 19: true, 20: true,
	21: true, 22: true, 23: true, 24: true, 25: true, 26: true, 27: true, 28: true, 29: true, 30: true,
	31: true, '"': true, '\\': true,
}

// hex4 reads four hexadecimal digits.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		d, ok := hexDigit(c)
		if !ok {
			return 0, false
		}
		r = r<<4 | d
	}
	return r, true
}

// Unfinished returns how many bytes at the end of p are the beginning of an incomplete
// UTF-8 character.
func Unfinished(p []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(p); n++ {
		if utf8.RuneStart(p[len(p)-n]) {
			if !utf8.FullRune(p[len(p)-n:]) {
				return n
			}
			break
		}
	}
	return 0
}

// ValidUTF8 returns s with U+FFFD for each byte that is not UTF-8.
func ValidUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}

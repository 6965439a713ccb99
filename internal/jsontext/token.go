package jsontext

import (
	"strings"
	"unicode/utf8"
)

// readString reads on in a string.
func (r *Reader) readString(p []byte, i int) int {
	for {
		if i < len(p) && r.high != 0 && p[i] != '\\' && !r.warnHalf(r.high) {
			return i
		}
		i += plainLength(p[i:])
		if i == len(p) {
			if r.isName && r.src == nil && len(r.name)+i-r.from > longestName {
				return r.fail(r.base+int64(i), "json/syntax", "a name has more than %d bytes", longestName)
			}
			return i
		}
		switch c := p[i]; {
		case c == '\\':
			if r.high == 0 && i+1 < len(p) && p[i+1] != 'u' && isEscape(p[i+1]) {
				i += 2
				continue
			}
			r.state = inEscape
			return i + 1
		case c != '"':
			return r.fail(r.base+int64(i), "json/syntax", "the control character %#U stands bare in a string", rune(c))
		}
		if r.src != nil && !r.valid && !utf8.Valid(p[r.from:i]) && !r.warn(r.base+int64(i+1), "json/utf8", "the string is not valid UTF-8") {
			return i
		}
		if r.isName {
			return r.endName(p, i)
		}
		if r.Text != nil {
			r.Text(r, p[r.from:i+1])
		}
		r.endValue(p, i+1)
		return i + 1
	}
}

func isEscape(c byte) bool { return strings.IndexByte(`"\/bfnrtu`, c) >= 0 }

const needsHex = `four hexadecimal digits must follow \u`

// readEscape reads on after a backslash.
func (r *Reader) readEscape(p []byte, i int) int {
	if r.state == inEscape {
		c := p[i]
		if r.token = r.base + int64(i); c == 'u' {
			r.state, r.hex, r.digits = inHex, 0, 0
			return i + 1
		}
		if r.high != 0 && !r.warnHalf(r.high) {
			return i
		}
		if !isEscape(c) {
			return r.fail(r.token, "json/syntax", "the escape is none of JSON's")
		}
		r.state = inString
		return i + 1
	}
	for ; i < len(p) && r.digits < 4; i++ {
		d, ok := hexDigit(p[i])
		if !ok {
			return r.fail(r.token, "json/syntax", needsHex)
		}
		r.hex, r.digits = r.hex<<4|d, r.digits+1
	}
	if r.digits == 4 {
		r.state = inString
		r.endHex(r.base + int64(i-1))
	}
	return i
}

// endHex ends a \u escape whose last digit is at an offset.
func (r *Reader) endHex(at int64) {
	low := r.hex >= 0xDC00 && r.hex <= 0xDFFF
	if r.high != 0 && low {
		r.high = 0
		return
	}
	if r.high != 0 && !r.warnHalf(r.high) {
		return
	}
	switch r.highAt = at; {
	case low:
		r.warnHalf(r.hex)
	case r.hex >= 0xD800 && r.hex < 0xDC00:
		r.high = r.hex
	}
}

// warnHalf reports half of a surrogate pair, and whether to go on.
func (r *Reader) warnHalf(half rune) bool {
	r.high = 0
	return r.warn(r.highAt, "json/surrogate", `\u%04x is half of a surrogate pair`, half)
}

// literal begins a literal.
func (r *Reader) literal(p []byte, i int, word string) int {
	r.state, r.first, r.word, r.token = inLiteral, word[0], word[1:], r.base+int64(i)
	return r.readLiteral(p, i+1)
}

func (r *Reader) readLiteral(p []byte, i int) int {
	for ; i < len(p) && r.word != ""; i++ {
		if p[i] != r.word[0] {
			return r.unexpected(r.token, []byte{r.first})
		}
		r.word = r.word[1:]
	}
	if r.word == "" {
		r.endValue(p, i)
	}
	return i
}

// readNumber reads on in a number.
func (r *Reader) readNumber(p []byte, i int) int {
	for ; i < len(p); i++ {
		next := nextInNumber(r.state, p[i])
		if next == ended {
			if !r.isNumber() {
				return r.unexpected(r.base+int64(i), p[i:])
			}
			r.endValue(p, i)
			return i
		}
		r.state = next
	}
	return i
}

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

// isNumber reports whether the number in hand may end.
func (r *Reader) isNumber() bool {
	switch r.state {
	case inZero, inInteger, inFraction, inPower:
		return true
	}
	return false
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

package jsontext

import "unicode/utf8"

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
			return r.fail(r.base+int64(i), "json/syntax", "the control character %#U is not escaped in a string", rune(c))
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

// isNumber reports whether the number in hand may end.
func (r *Reader) isNumber() bool {
	switch r.state {
	case inZero, inInteger, inFraction, inPower:
		return true
	}
	return false
}

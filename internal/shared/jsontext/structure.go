package jsontext

import (
	"strconv"
	"unicode/utf8"
)

func (r *Reader) lineBreak(i int) {
	if len(r.stack) == 0 {
		r.newline = true
		return
	}
	if r.Broken = true; r.Values > 0 {
		r.fail(r.base+int64(i), "json/syntax", "a value goes on in another line")
	}
}

// readStructure reads the byte at i, which is outside of strings, numbers and
// literals.
func (r *Reader) readStructure(p []byte, i int) int {
	c := p[i]
	switch r.state {
	case atValue:
	case atNext:
		return r.readNext(p, i)
	case atTop:
		switch {
		case c != '{' && c != '[' && r.Containers:
			return r.unexpected(r.base+int64(i), p[i:])
		case r.Values > 0 && (r.Single || r.Broken || !r.newline):
			return r.fail(r.base+int64(i), "json/trailing", "there is more after the value")
		case r.Values == 0:
			r.Array = c == '['
		}
	case atFirstItem:
		if c == ']' {
			return r.close(p, i)
		}
		if len(r.stack) == 1 && r.Values == 0 {
			r.Items = 1
		}
		if r.src != nil {
			r.Path = append(r.Path, Step{})
		}
	case atFirstName, atName:
		switch {
		case c == '}' && r.state == atFirstName:
			return r.close(p, i)
		case c != '"':
			return r.unexpected(r.base+int64(i), p[i:])
		}
		return r.beginName(p, i)
	case atColon:
		if c != ':' {
			return r.unexpected(r.base+int64(i), p[i:])
		}
		r.state = atValue
		return i + 1
	}
	return r.begin(p, i)
}

// readNext reads the comma or closing bracket that follows a value.
func (r *Reader) readNext(p []byte, i int) int {
	switch c, in := p[i], r.stack[len(r.stack)-1]; {
	case c == ',' && in == '{':
		if i+1 < len(p) && p[i+1] == '"' {
			return r.beginName(p, i+1)
		}
		r.state = atName
	case c == ',':
		if len(r.stack) == 1 && r.Values == 0 {
			r.Items++
		}
		if r.src != nil {
			r.Path[len(r.Path)-1].Index++
		}
		r.state = atValue
	case c == in+2: // the closing brackets of ASCII
		if in == '[' && r.src != nil {
			r.Path = r.Path[:len(r.Path)-1]
		}
		return r.close(p, i)
	default:
		return r.unexpected(r.base+int64(i), p[i:])
	}
	return i + 1
}

// begin reads the first byte of a value.
func (r *Reader) begin(p []byte, i int) int {
	if r.Keep && len(r.stack) == 1 {
		r.top = i
	}
	switch c := p[i]; c {
	case '{', '[':
		return r.open(p, i)
	case '"':
		r.state, r.isName, r.from = inString, false, i
		return r.readString(p, i+1)
	case '-':
		r.state = inMinus
	case '0':
		r.state = inZero
	case 't':
		return r.literal(p, i, "true")
	case 'f':
		return r.literal(p, i, "false")
	case 'n':
		return r.literal(p, i, "null")
	default:
		if !isDigit(c) {
			return r.unexpected(r.base+int64(i), p[i:])
		}
		r.state = inInteger
	}
	return r.readNumber(p, i+1)
}

func (r *Reader) open(p []byte, i int) int {
	if len(r.stack) == r.MaxDepth {
		return r.fail(r.base+int64(i), "json/depth", "nested deeper than %d levels", r.MaxDepth)
	}
	if r.stack = append(r.stack, p[i]); p[i] == '{' {
		r.state = atFirstName
		r.names.open()
	} else {
		r.state = atFirstItem
	}
	return i + 1
}

func (r *Reader) close(p []byte, i int) int {
	last := len(r.stack) - 1
	if r.stack[last] == '{' {
		r.names.close()
	}
	r.stack = r.stack[:last]
	r.endValue(p, i+1)
	return i + 1
}

// endValue ends a value whose last byte is before end.
func (r *Reader) endValue(p []byte, end int) {
	depth := len(r.stack)
	if depth == 0 {
		r.state, r.newline = atTop, false
		r.Values++
		return
	}
	r.state = atNext
	if r.src == nil || r.stack[depth-1] != '{' {
		return
	}
	last := len(r.Path) - 1
	if r.Keep && depth == 1 {
		r.Top = append(r.Top, Member{r.Path[last].Name, p[r.top:end:end]})
	}
	r.Path = r.Path[:last]
}

const longestName = 1 << 20 // bytes of a name in a text that arrives in pieces

// beginName begins a name with the quote at i.
func (r *Reader) beginName(p []byte, i int) int {
	r.state, r.isName, r.from = inString, true, i+1
	if len(r.name) > 0 {
		r.name = r.name[:0]
	}
	return r.readString(p, i+1)
}

// endName ends a name before the quote at i.
func (r *Reader) endName(p []byte, i int) int {
	name := p[r.from:i]
	if r.src == nil && len(r.name) > 0 {
		r.name = append(r.name, name...)
		name = r.name
	}
	if r.src == nil && len(name) > longestName {
		return r.fail(r.base+int64(i), "json/syntax", "a name has more than %d bytes", longestName)
	}
	r.state, r.isName = atColon, false
	name = unquoted(name)
	if r.src != nil {
		r.Path = append(r.Path, Step{name, -1})
	}
	if r.names.add(name, r.src != nil) && !r.warn(r.base+int64(i+1), "json/duplicate", "the name "+strconv.Quote(shorten(name))+" is there already") {
		return i
	}
	if i+1 < len(p) && p[i+1] == ':' { // as it mostly is
		if r.state = atValue; i+2 < len(p) && !isSpace(p[i+2]) {
			return r.begin(p, i+2)
		}
		return i + 2
	}
	return i + 1
}

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
			return r.fail(r.token, "json/syntax", "JSON has no such escape")
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

package jsontext

import (
	"fmt"
	"sync"
	"unicode/utf8"
)

// A Fault is something wrong with a JSON text.
type Fault struct {
	Pointer string // JSON Pointer (RFC 6901) to the value; "" in a text that arrives in pieces
	Rule    string // json/syntax, json/trailing, json/depth, json/duplicate, json/utf8 or json/surrogate
	Text    string
	Offset  int64 // in bytes, where the fault was found
}

// A Reader checks a JSON text: one value, or values on lines of their own
// (NDJSON). The options are set before the first byte.
//
// What breaks the grammar ends the reading. Repeated names, bytes that are not
// UTF-8 and halves of surrogate pairs, which the grammar allows and readers
// disagree on, end it only if Warn does not want to go on.
//
// The zero Reader reads a text that arrives in pieces: it keeps nothing of what
// it was given but hashes of names, and leaves UTF-8 to its owner.
type Reader struct {
	MaxDepth   int  // deepest nesting of arrays and objects; 0 is none
	Containers bool // only arrays and objects may be at top level
	Single     bool // there must be no second value
	Empty      bool // there may be no value

	Warn func(Fault) bool            // reports whether to go on; nil is no
	Text func(r *Reader, str []byte) // gets each string of a whole document that is a value, with its quotes
	Keep bool                        // Top gets the members of a whole document that is an object

	Top    Object // see Keep
	Path   []Step // in a whole document, the way to the value being read
	Values int64  // complete values at top level
	Items  int64  // elements of the first value, where that is an array
	Array  bool   // the first value is an array
	Broken bool   // a value goes on in another line
	fault  *Fault // what ended the reading

	src     []byte // the whole document; nil for a text in pieces
	valid   bool   // src is UTF-8
	state   state
	base    int64 // offset of the piece in hand
	stack   []byte
	newline bool   // since the last value at top level
	from    int    // where in the piece the string in hand begins; its quote if it is a whole document's
	top     int    // where the value of an outermost member begins
	isName  bool   // the string in hand is a name
	name    []byte // the part of a name that was in earlier pieces
	token   int64  // offset of the literal or escape in hand
	first   byte   // of the literal in hand
	word    string // the rest of it
	hex     rune   // digits of a \u escape so far
	digits  int    // how many
	high    rune   // the first half of a surrogate pair, if that came last
	highAt  int64
	names   names
}

var readers = sync.Pool{New: func() any { return new(Reader) }}

// Whole returns a Reader of one document with one value. It is to be released.
func Whole(depth int, warn func(Fault) bool) *Reader {
	r := readers.Get().(*Reader)
	r.MaxDepth, r.Warn, r.Single = depth, warn, true
	return r
}

// Release takes back a Reader that [Whole] returned, and all that it has.
func (r *Reader) Release() {
	clear(r.Top[:cap(r.Top)])
	clear(r.Path[:cap(r.Path)])
	*r = Reader{Top: r.Top[:0], Path: r.Path[:0], stack: r.stack[:0], names: r.names.emptied()}
	readers.Put(r)
}

// Read reads a whole document and returns what ended the reading, or nil.
func (r *Reader) Read(src []byte) *Fault {
	r.src, r.valid = src, utf8.Valid(src)
	r.Write(src)
	r.Close()
	return r.fault
}

// Fault returns what ended the reading, or nil.
func (r *Reader) Fault() *Fault { return r.fault }

// One reports whether a text that is closed was one value.
func (r *Reader) One() bool { return r.state == atTop && r.Values == 1 }

// Lines reports whether a text that is closed was values on lines of their own.
func (r *Reader) Lines() bool { return r.state == atTop && r.Values > 0 && !r.Broken }

// Offset returns how much has been read.
func (r *Reader) Offset() int64 { return r.base }

// Pointer returns the JSON Pointer to the value being read.
func (r *Reader) Pointer() string { return Pointer(r.Path) }

// Write reads the next piece of the text.
func (r *Reader) Write(p []byte) {
	for i := 0; i < len(p); {
		switch c := p[i]; {
		case r.state == inString:
			i = r.readString(p, i)
		case r.state < inString && isSpace(c):
			if c == '\n' {
				r.lineBreak(i)
			}
			i++
		case r.state < inString:
			i = r.readStructure(p, i)
		case r.state == inLiteral:
			i = r.readLiteral(p, i)
		case r.state == ended:
			return
		case r.state <= inHex:
			i = r.readEscape(p, i)
		default:
			i = r.readNumber(p, i)
		}
	}
	r.base += int64(len(p))
	if r.src == nil && r.isName && r.state >= inString && r.state <= inHex {
		r.name, r.from = append(r.name, p[r.from:]...), 0
	}
}

// Close says that nothing more comes.
func (r *Reader) Close() {
	if r.isNumber() {
		r.endValue(r.src, len(r.src))
	}
	switch r.state {
	case ended:
	case atTop:
		if r.Values == 0 && !r.Empty {
			r.fail(r.base, "json/syntax", "there is no value")
		}
	case inLiteral:
		r.unexpected(r.token, []byte{r.first})
	case inHex:
		r.fail(r.token, "json/syntax", needsHex)
	case inString, inEscape:
		r.fail(r.base, "json/syntax", "the text ends inside a string")
	default:
		if r.src != nil && r.state == atFirstItem {
			r.Path = append(r.Path, Step{})
		}
		r.unexpected(r.base, nil)
	}
}

// fail ends the reading. It returns the end of any piece.
func (r *Reader) fail(at int64, rule, format string, args ...any) int {
	const end = int(^uint(0) >> 1)
	if r.high != 0 && !r.warnHalf(r.high) {
		return end
	}
	r.fault = &Fault{r.Pointer(), rule, fmt.Sprintf(format, args...), at}
	r.state = ended
	return end
}

// warn reports what the grammar allows, and whether to go on.
func (r *Reader) warn(at int64, rule, format string, args ...any) bool {
	f := Fault{r.Pointer(), rule, fmt.Sprintf(format, args...), at}
	if r.Warn != nil && r.Warn(f) {
		return true
	}
	r.fault, r.state = &f, ended
	return false
}

// expected says what the next byte has to begin.
func (r *Reader) expected() string {
	switch r.state {
	case atFirstName, atName:
		return "a name in double quotes"
	case atColon:
		return `":"`
	case atNext:
		if r.stack[len(r.stack)-1] == '{' {
			return `"," or "}"`
		}
		return `"," or "]"`
	case inMinus, inPoint, inExponent, inSign:
		return "a digit"
	}
	return "a value"
}

// unexpected ends the reading at what the grammar does not allow: the beginning
// of rest, or the end of the text.
func (r *Reader) unexpected(at int64, rest []byte) int {
	if r.src != nil && r.state == atNext && r.stack[len(r.stack)-1] == '[' {
		r.Path = r.Path[:len(r.Path)-1]
	}
	if len(rest) == 0 {
		return r.fail(at, "json/syntax", "the text ends where %s should be", r.expected())
	}
	c, _ := utf8.DecodeRune(rest)
	if r.src == nil { // of a character in pieces the first byte
		c = rune(rest[0])
	}
	return r.fail(at, "json/syntax", "%q is where %s should be", c, r.expected())
}

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
	if r.names.add(name, r.src != nil) && !r.warn(r.base+int64(i+1), "json/duplicate", "the name %q is there already", shorten(name)) {
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

package jsontext

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// The functions here walk JSON that a [Reader] has found to be well-formed; they
// look for boundaries and check nothing.

// Skip returns the end of the value at pos in well-formed JSON.
func Skip(src []byte, pos int) int {
	if pos == len(src) {
		return pos
	}
	switch shapeMarks[src[pos]] {
	case markQuote:
		return skipString(src, pos)
	case markOpen:
		return skipNested(src, pos)
	}
	return skipWord(src, pos)
}

// skipNested returns where the array or object at pos ends.
func skipNested(src []byte, pos int) int {
	for depth := 0; pos < len(src); pos++ {
		switch shapeMarks[src[pos]] {
		case markQuote:
			pos = skipString(src, pos) - 1
		case markOpen:
			depth++
		case markClose:
			if depth--; depth == 0 {
				return pos + 1
			}
		}
	}
	return len(src)
}

// A shapeMark says what a byte outside of strings does to the nesting.
type shapeMark uint8

const (
	markNone shapeMark = iota
	markQuote
	markOpen
	markClose
)

var shapeMarks = [256]shapeMark{'"': markQuote, '{': markOpen, '[': markOpen, '}': markClose, ']': markClose}

// skipString returns where the string at pos ends.
func skipString(src []byte, pos int) int {
	const short = 24 // bytes that are sooner looked at than a search is begun
	for end := min(pos+short, len(src)); pos+1 < end; {
		switch pos++; src[pos] {
		case '"':
			return pos + 1
		case '\\':
			pos++
		}
	}
	for pos++; pos < len(src); {
		i := bytes.IndexByte(src[pos:], '"')
		if i < 0 {
			return len(src)
		}
		slashes := 0
		for i > slashes && src[pos+i-1-slashes] == '\\' {
			slashes++
		}
		pos += i + 1
		if slashes%2 == 0 {
			return pos
		}
	}
	return len(src)
}

// skipWord returns where the number or literal at pos ends.
func skipWord(src []byte, pos int) int {
	for pos < len(src) && !isSpace(src[pos]) && src[pos] != ',' && src[pos] != ']' && src[pos] != '}' {
		pos++
	}
	return pos
}

// TrimSpace returns raw without the white space around it.
func TrimSpace(raw []byte) []byte { return bytes.Trim(raw, " \t\r\n") }

// SkipSpace returns the end of the white space at pos.
func SkipSpace(src []byte, pos int) int {
	for pos < len(src) && isSpace(src[pos]) {
		pos++
	}
	return pos
}

// Members yields the members of a well-formed object in order; nothing for other
// values. If the object is truncated the last value may be nil.
func Members(object []byte) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for name, value := range RawMembers(object) {
			if !yield(string(name), value) {
				return
			}
		}
	}
}

// RawMembers is like [Members] without allocating the names, which are slices of
// object.
func RawMembers(object []byte) iter.Seq2[[]byte, json.RawMessage] {
	return func(yield func([]byte, json.RawMessage) bool) { Walk(object, yield) }
}

// Walk calls yield for the members of an object and returns its end: the position after
// the closing brace, or the length of a truncated object.
func Walk(object []byte, yield func([]byte, json.RawMessage) bool) int {
	pos := SkipSpace(object, 0)
	if pos == len(object) || object[pos] != '{' {
		return pos
	}
	for pos = SkipSpace(object, pos+1); pos < len(object) && object[pos] == '"'; {
		end := skipString(object, pos)
		if end == len(object) {
			return end
		}
		name := Unquote(object[pos:end])
		pos = SkipSpace(object, end)
		pos = SkipSpace(object, pos+1)
		end = Skip(object, pos)
		value := json.RawMessage(object[pos:end:end])
		if end == len(object) {
			value = nil
		}
		if !yield(name, value) {
			return end
		}
		if pos = SkipSpace(object, end); pos < len(object) && object[pos] == ',' {
			pos = SkipSpace(object, pos+1)
		}
	}
	if pos < len(object) && object[pos] == '}' {
		pos++
	}
	return pos
}

// Lookup returns the value at a path of names in a well-formed object, or nil if none
// exists. Of repeated names the first counts. It allocates nothing.
func Lookup(object []byte, path ...string) json.RawMessage {
	for _, wanted := range path {
		var found []byte
		for name, value := range RawMembers(object) {
			if string(name) == wanted {
				found = value
				break
			}
		}
		object = found
	}
	return object
}

// Elements yields the index and value of each element of a well-formed array; nothing
// for other values.
func Elements(array []byte) iter.Seq2[int, json.RawMessage] {
	return func(yield func(int, json.RawMessage) bool) {
		pos := SkipSpace(array, 0)
		if pos == len(array) || array[pos] != '[' {
			return
		}
		pos = SkipSpace(array, pos+1)
		for i := 0; pos < len(array) && array[pos] != ']'; i++ {
			end := Skip(array, pos)
			if !yield(i, array[pos:end:end]) {
				return
			}
			pos = SkipSpace(array, end)
			if pos < len(array) && array[pos] == ',' {
				pos = SkipSpace(array, pos+1)
			}
		}
	}
}

// Unquote returns the text of a JSON string, given with its quotes. Unpaired surrogates
// and bytes that are not UTF-8 become U+FFFD. The result is a slice of quoted if it has
// no escapes.
func Unquote(quoted []byte) []byte { return unquoted(quoted[1 : len(quoted)-1]) }

// unquoted is Unquote for a string without its quotes.
func unquoted(in []byte) []byte {
	if isPlainASCII(in) {
		return in
	}
	slash := bytes.IndexByte(in, '\\')
	if slash < 0 && utf8.Valid(in) {
		return in
	}
	out := make([]byte, 0, len(in))
	for ; slash >= 0; slash = bytes.IndexByte(in, '\\') {
		r, n := unescape(in[slash:])
		out = utf8.AppendRune(append(out, in[:slash]...), r)
		in = in[slash+n:]
	}
	out = append(out, in...)
	if utf8.Valid(out) {
		return out
	}
	return []byte(ValidUTF8(string(out)))
}

// isPlainASCII reports whether p is short, and spells itself. It is for names,
// which mostly are and do.
func isPlainASCII(p []byte) bool {
	const short = 32
	if len(p) > short {
		return false
	}
	for _, c := range p {
		if c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

var escapes = [256]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\\': '\\', '/': '/'}

// unescape reads the escape that in begins with and returns its length.
func unescape(in []byte) (rune, int) {
	if len(in) < 2 || in[1] != 'u' {
		return rune(escapes[in[min(1, len(in)-1)]]), min(2, len(in))
	}
	r, ok := hex4(in[2:])
	if !ok { // of text that is cut short
		return utf8.RuneError, len(in)
	}
	if utf16.IsSurrogate(r) && bytes.HasPrefix(in[6:], []byte(`\u`)) {
		if low, ok := hex4(in[8:]); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, 12
			}
		}
	}
	return r, 6
}

// AppendPointer appends a name as a reference token of a JSON Pointer (RFC 6901), with
// its slash.
func AppendPointer[T string | []byte](b []byte, name T) []byte {
	for i := range len(name) {
		switch name[i] {
		case '~':
			b = append(b, "~0"...)
		case '/':
			b = append(b, "~1"...)
		default:
			b = append(b, name[i])
		}
	}
	return b
}

// Kind returns the kind of a value by its first byte: one of { [ " t f n, or 0 for a
// number.
func Kind(raw []byte) byte {
	pos := SkipSpace(raw, 0)
	if pos == len(raw) || raw[pos] == '-' || isDigit(raw[pos]) {
		return 0
	}
	return raw[pos]
}

// A Member is a member of an object. Its slices are parts of the document.
type Member struct {
	Name  []byte
	Value []byte
}

// An Object is the members of an object in order.
type Object []Member

// AppendObject appends the members of a well-formed object to list.
func AppendObject(list Object, object []byte) Object {
	for name, value := range RawMembers(object) {
		list = append(list, Member{name, value})
	}
	return list
}

// Has reports whether there is a member of that name.
func (o Object) Has(name string) bool { return o.Get(name) != nil }

// Get returns the value of a member, or nil if none exists.
func (o Object) Get(name string) json.RawMessage {
	for i := range o {
		if string(o[i].Name) == name {
			return o[i].Value
		}
	}
	return nil
}

// Pointer returns a path as a JSON Pointer (RFC 6901).
func Pointer(path []Step) string {
	var b []byte
	for _, p := range path {
		b = append(b, '/')
		if p.Index >= 0 {
			b = strconv.AppendInt(b, int64(p.Index), 10)
		} else {
			b = AppendPointer(b, p.Name)
		}
	}
	return string(b)
}

// A Step is one level of the way to a value: a member's name or an index.
type Step struct {
	Name  []byte
	Index int // -1 for a member
}

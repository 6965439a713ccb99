package envelope

import (
	"bytes"
	"encoding/json"
	"iter"
	"unicode/utf16"
	"unicode/utf8"
)

// The functions here walk JSON that [scan] has found to be well-formed; they
// look for boundaries and check nothing.

// skip returns where the value at pos ends.
func skip(src []byte, pos int) int {
	depth := 0
	for pos < len(src) {
		switch src[pos] {
		case '"':
			pos = skipString(src, pos)
		case '{', '[':
			depth++
			pos++
			continue
		case '}', ']':
			depth--
			pos++
		case ',', ':', ' ', '\n', '\r', '\t':
			pos++
			continue
		default:
			pos = skipWord(src, pos)
		}
		if depth == 0 {
			return pos
		}
	}
	return pos
}

// skipString returns where the string at pos ends.
func skipString(src []byte, pos int) int {
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
	return pos
}

// skipWord returns where the number or literal at pos ends.
func skipWord(src []byte, pos int) int {
	for pos < len(src) && !isSpace(src[pos]) && src[pos] != ',' && src[pos] != ']' && src[pos] != '}' {
		pos++
	}
	return pos
}

func trimSpace(raw []byte) []byte { return bytes.Trim(raw, " \t\r\n") }

func skipSpace(src []byte, pos int) int {
	for pos < len(src) && isSpace(src[pos]) {
		pos++
	}
	return pos
}

// members yields the members of an object in order; nothing for other values.
// Of an object that is cut short, the last value may be nil.
func members(object []byte) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		pos := skipSpace(object, 0)
		if pos == len(object) || object[pos] != '{' {
			return
		}
		for pos = skipSpace(object, pos+1); pos < len(object) && object[pos] == '"'; {
			end := skipString(object, pos)
			if end == len(object) {
				return
			}
			name := unquote(object[pos:end])
			pos = skipSpace(object, end)
			pos = skipSpace(object, pos+1)
			end = skip(object, pos)
			value := json.RawMessage(object[pos:end:end])
			if end == len(object) {
				value = nil
			}
			if !yield(name, value) {
				return
			}
			pos = skipSpace(object, end)
			pos = skipSpace(object, pos+1)
		}
	}
}

// elements yields the elements of an array in order; nothing for other values.
func elements(array []byte) iter.Seq2[int, json.RawMessage] {
	return func(yield func(int, json.RawMessage) bool) {
		pos := skipSpace(array, 0)
		if pos == len(array) || array[pos] != '[' {
			return
		}
		pos = skipSpace(array, pos+1)
		for i := 0; pos < len(array) && array[pos] != ']'; i++ {
			end := skip(array, pos)
			if !yield(i, array[pos:end:end]) {
				return
			}
			pos = skipSpace(array, end)
			if pos < len(array) && array[pos] == ',' {
				pos = skipSpace(array, pos+1)
			}
		}
	}
}

// unquote returns the text of a JSON string. Halves of surrogate pairs and
// bytes that are no UTF-8 become U+FFFD.
func unquote(quoted []byte) string { return string(unquoted(quoted)) }

// unquoted is unquote; what needs no change is not copied.
func unquoted(quoted []byte) []byte {
	in := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(in, '\\') < 0 && utf8.Valid(in) {
		return in
	}
	out := make([]byte, 0, len(in))
	for len(in) > 0 {
		if in[0] != '\\' {
			r, n := utf8.DecodeRune(in)
			out, in = utf8.AppendRune(out, r), in[n:]
			continue
		}
		r, n := unescape(in)
		out, in = utf8.AppendRune(out, r), in[n:]
	}
	return out
}

var escapes = [256]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\\': '\\', '/': '/'}

// unescape reads the escape that in begins with and returns its length.
func unescape(in []byte) (rune, int) {
	if len(in) < 2 || in[1] != 'u' {
		return rune(escapes[in[min(1, len(in)-1)]]), min(2, len(in))
	}
	r, _ := hex4(in[2:])
	if utf16.IsSurrogate(r) && bytes.HasPrefix(in[6:], []byte(`\u`)) {
		if low, ok := hex4(in[8:]); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, 12
			}
		}
	}
	return r, 6
}

// appendPointer adds one reference token of a JSON Pointer (RFC 6901).
func appendPointer[T string | []byte](b []byte, name T) []byte {
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

// isJSON reports whether raw is one JSON value, repeated names or not.
func isJSON(raw []byte) bool {
	fault, _ := scan(raw, 10_000, func(Fault) bool { return true })
	return fault == nil
}

// kindOf is the first byte of the value: one of { [ " t f n, or 0 for a number.
func kindOf(raw []byte) byte {
	pos := skipSpace(raw, 0)
	if pos == len(raw) || raw[pos] == '-' || isDigit(raw[pos]) {
		return 0
	}
	return raw[pos]
}

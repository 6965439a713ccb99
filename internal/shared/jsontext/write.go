package jsontext

import (
	"encoding/json"
	"math"
	"strconv"
)

// AppendCompact appends src, well-formed JSON, without insignificant white space.
func AppendCompact(b, src []byte) []byte {
	for pos := 0; pos < len(src); {
		start := pos
		for pos < len(src) && !isSpace(src[pos]) && src[pos] != '"' {
			pos++
		}
		if pos < len(src) && src[pos] == '"' {
			pos = skipString(src, pos)
		}
		b = append(b, src[start:pos]...)
		pos = SkipSpace(src, pos)
	}
	return b
}

// AppendString appends s as a JSON string, with U+FFFD for bytes that are not UTF-8,
// and only the escapes that JSON requires.
func AppendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	s = ValidUTF8(s)
	b = append(b, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

// AppendFloat appends f with as many digits as it needs. Infinities and NaN, which JSON
// does not have, become 0.
func AppendFloat(b []byte, f float64, fraction bool) []byte {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		f = 0
	}
	b = strconv.AppendFloat(b, f, 'f', -1, 64)
	if fraction && f == math.Trunc(f) {
		b = append(b, ".0"...)
	}
	return b
}

// HasHugeNumber reports whether a well-formed document has a number that is out of the
// range of float64, such as 1e400.
func HasHugeNumber(raw json.RawMessage) bool {
	for range hugeNumbers(raw) {
		return true
	}
	return false
}

// QuoteHugeNumbers returns raw with the numbers that [HasHugeNumber] finds as strings.
func QuoteHugeNumbers(raw json.RawMessage) json.RawMessage {
	var out []byte
	done := 0
	for from, to := range hugeNumbers(raw) {
		out = append(append(append(append(out, raw[done:from]...), '"'), raw[from:to]...), '"')
		done = to
	}
	return append(out, raw[done:]...)
}

// hugeNumbers yields where such numbers begin and end.
func hugeNumbers(raw json.RawMessage) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		for i := 0; i < len(raw); i++ {
			switch c := raw[i]; {
			case c == '"':
				i = skipString(raw, i) - 1
			case c == '-' || isDigit(c):
				end := i + 1
				for end < len(raw) && isNumberByte(raw[end]) {
					end++
				}
				if isHuge(string(raw[i:end])) && !yield(i, end) {
					return
				}
				i = end - 1
			}
		}
	}
}

func isNumberByte(c byte) bool {
	return isDigit(c) || c == '.' || c == '+' || c == '-' || c|0x20 == 'e'
}

func isHuge(number string) bool {
	_, err := strconv.ParseFloat(number, 64)
	return err != nil
}

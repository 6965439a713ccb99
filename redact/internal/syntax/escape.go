package syntax

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// EscapedByte reports whether b ends in a character that is written as the digits of its
// code: \u0022, \x22 or %22.
func EscapedByte(b []byte) bool {
	n, digits := len(b), 2
	switch {
	case n > 2 && b[n-3] == '%', n > 3 && b[n-4] == '\\' && b[n-3] == 'x', n > 4 && string(b[n-5:n-2]) == "%25":
	case n > 5 && b[n-6] == '\\' && b[n-5] == 'u':
		digits = 4
	default:
		return false
	}
	return ascii.Run(b[n-digits:], ascii.HexDigit) == digits
}

// EscapedCode reports whether b ends in a code that sets a colour or clears the line, \x1b[31m
// or \x1b[K, whose escape character is itself escaped, as in JSON.
func EscapedCode(b []byte) bool {
	i := len(b) - 1
	if i < 0 || b[i] != 'm' && b[i] != 'K' {
		return false
	}
	for i > 0 && (ascii.Is(b[i-1], ascii.Digit) || b[i-1] == ';') {
		i--
	}
	before, ok := bytes.CutSuffix(b[:i], []byte("["))
	if !ok {
		return false
	}
	for _, code := range [...]string{"u001b", "x1b", "033"} {
		if n := len(before) - len(code); n > 0 && before[n-1] == '\\' && ascii.HasFold(before[n:], code) {
			return true
		}
	}
	return false
}

// Package escape finds the ends of the control sequences of terminals (ECMA-48).
package escape

import "unicode/utf8"

// Esc is the byte that begins a control sequence in its 7-bit form.
const Esc = 0x1b

const bel = 0x07

// Len returns the length of the control sequence that b begins with, in its
// 7-bit or its 8-bit form (ECMA-48); 0 if b begins with no control sequence. A
// sequence without an end takes the rest of the line, except for a CSI, which ends at
// the first byte that cannot belong to it.
func Len(b []byte) int {
	var kind byte
	var n int
	switch c := b[0]; {
	case c == Esc:
		if len(b) == 1 {
			return 1
		}
		kind, n = b[1], 2
	case c == 0xc2 && len(b) > 1 && b[1] >= 0x80 && b[1] < 0xa0:
		kind, n = b[1]-0x40, 2
	case c >= 0x80 && c < 0xa0:
		kind, n = c-0x40, 1
	default:
		return 0
	}
	switch kind {
	case '[':
		for n < len(b) && b[n] >= 0x20 && b[n] < 0x40 {
			n++
		}
		if n < len(b) && b[n] >= 0x40 && b[n] < 0x7f {
			n++
		}
		return n
	case ']', 'P', 'X', '^', '_':
		return n + controlString(b[n:])
	}
	if b[0] != Esc {
		return n
	}
	if kind >= 0x20 && kind < 0x30 { // ESC ( B
		for n < len(b) && b[n] >= 0x20 && b[n] < 0x30 {
			n++
		}
		if n < len(b) && b[n] >= 0x30 && b[n] < 0x7f {
			n++
		}
		return n
	}
	if kind >= 0x30 && kind < 0x7f {
		return 2
	}
	return 1
}

// controlString returns the length of the text of an OSC, DCS, SOS, PM or APC, with its
// terminator.
func controlString(b []byte) int {
	for i, c := range b {
		switch {
		case c == bel, c == 0x9c && !inRune(b[:i]):
			return i + 1
		case c == Esc && i+1 < len(b) && b[i+1] == '\\':
			return i + 2
		}
	}
	return len(b)
}

// inRune reports whether b ends in the middle of a character.
func inRune(b []byte) bool {
	for i := len(b) - 1; i >= 0 && len(b)-i < utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			return b[i] >= 0xc0 && !utf8.FullRune(b[i:])
		}
	}
	return false
}

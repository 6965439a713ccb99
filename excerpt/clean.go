package excerpt

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"github.com/envwrap/envwrap/internal/shared/escape"
)

// isPlain reports whether cleaning would leave the line unchanged.
func isPlain(line []byte) bool {
	rest := line
	for len(rest) >= 8 && isPrinted(eight(rest, 0)) {
		rest = rest[8:]
	}
	above := false
	for _, c := range rest {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
		above = above || c >= 0x80
	}
	return !above || plainUTF8(line)
}

// isPrinted reports whether each byte of x is from ' ' to '~'.
func isPrinted(x uint64) bool { return (x|(x-blanks)|(x+lowBits))&highBits == 0 }

// plainUTF8 reports whether line is UTF-8 without C1 control characters.
func plainUTF8(line []byte) bool {
	if !utf8.Valid(line) {
		return false
	}
	for {
		i := bytes.IndexByte(line, 0xc2)
		if i < 0 {
			return true
		}
		if line[i+1] < 0xa0 {
			return false
		}
		line = line[i+2:]
	}
}

// lastState returns the bounds of the text that a line showed last: the text after its
// last carriage return or, if that shows nothing, the text before it.
func lastState(line []byte) (from, to int) {
	if bytes.IndexByte(line, '\r') < 0 { // many times faster than LastIndexByte
		return 0, len(line)
	}
	for end := len(line); ; {
		i := bytes.LastIndexByte(line[:end], '\r')
		if i < 0 || shows(line[i+1:end]) {
			return i + 1, end
		}
		end = i
	}
}

// shows reports whether b has a visible character.
func shows(b []byte) bool {
	for len(b) > 0 {
		if n := escape.Len(b); n > 0 {
			b = b[n:]
			continue
		}
		if b[0] > ' ' && b[0] != 0x7f {
			return true
		}
		b = b[1:]
	}
	return false
}

// appendClean appends line to dst without escape sequences and control
// characters, in its last state, with a space for NULs, which separate names, and with U+FFFD
// for each byte that is no UTF-8. It reports whether something in it was red.
func appendClean(dst, line []byte) (_ []byte, red bool) {
	from := len(dst)
	a, b := lastState(line)
	line = line[a:b]
	for i := 0; i < len(line); {
		c := line[i]
		switch {
		case c >= ' ' && c < 0x7f || c == '\t':
			j := i + 1
			for j+8 <= len(line) && isPrinted(eight(line, j)) {
				j += 8
			}
			for j < len(line) && line[j] >= ' ' && line[j] < 0x7f {
				j++
			}
			dst = append(dst, line[i:j]...)
			i = j
		case c == escape.Esc:
			n := escape.Len(line[i:])
			red = red || isRed(line[i:i+n])
			i += n
		case c == '\b':
			if len(dst) > from {
				_, n := utf8.DecodeLastRune(dst[from:])
				dst = dst[:len(dst)-n]
			}
			i++
		case c < 0x80:
			if c == 0 && (i == 0 || line[i-1] != 0) {
				dst = append(dst, ' ')
			}
			same := uint64(c) * 0x0101010101010101
			for i++; len(line)-i >= 8 && binary.LittleEndian.Uint64(line[i:]) == same; {
				i += 8
			}
		default:
			if n := escape.Len(line[i:]); n > 0 {
				red = red || isRed(line[i:i+n])
				i += n
				continue
			}
			r, n := utf8.DecodeRune(line[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
		}
	}
	return dst, red
}

// isRed reports whether seq, a control sequence, makes text red, as tools of all
// languages do for errors.
func isRed(seq []byte) bool {
	if len(seq) < 4 || seq[len(seq)-1] != 'm' {
		return false
	}
	for n, i := 0, 1; i < len(seq); i++ {
		if c := seq[i]; c >= '0' && c <= '9' {
			n = 10*n + int(c-'0')
			continue
		}
		switch n {
		case 38, 48: // colours by number follow
			return false
		case 31, 41, 91, 101:
			return true
		}
		n = 0
	}
	return false
}

// Clean returns text without escape sequences and control characters, with each line in
// its last state, a space for each run of NULs and U+FFFD for each byte that is not UTF-8. It leaves out no line and
// folds none. Clean(Clean(text)) equals Clean(text).
func Clean(text string) string {
	if isPlainText(text) {
		return text
	}
	out := make([]byte, 0, len(text))
	for rest := []byte(text); len(rest) > 0; {
		n := bytes.IndexByte(rest, '\n')
		line := rest
		if n >= 0 {
			line = rest[:n]
		}
		out, _ = appendClean(out, line)
		if n < 0 {
			break
		}
		out = append(out, '\n')
		rest = rest[n+1:]
	}
	return string(out)
}

// isPlainText reports whether text is ASCII without control characters but
// newlines and tabs.
func isPlainText(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

package envelope

import (
	"strings"
)

func (j *pushParser) str(c byte) {
	if j.isName && (c != '"' || j.state == pushEscape) {
		j.names.text = append(j.names.text, c)
	}
	switch {
	case len(j.names.text) > longestPushName:
		j.die("a name has more than %d bytes", longestPushName)
	case j.state == pushHex:
		j.hexDigit(c)
	case j.state == pushEscape:
		j.escape(c)
	case c == '\\':
		j.state = pushEscape
	case j.high:
		j.die("half of a surrogate pair stands alone")
	case c < ' ':
		j.die("the control character %#U stands bare in a string", rune(c))
	case c == '"' && j.isName:
		j.state = pushColon
		if name, repeated := j.names.add(); repeated {
			j.die("the name %q is there already", shorten(name, 80))
		}
	case c == '"':
		j.endValue()
	}
}

func (j *pushParser) escape(c byte) {
	switch {
	case c == 'u':
		j.state, j.hex, j.digits = pushHex, 0, 0
	case j.high:
		j.die("half of a surrogate pair stands alone")
	case strings.IndexByte(`"\/bfnrt`, c) < 0:
		j.die("the escape is none of JSON's")
	default:
		j.state = pushString
	}
}

func (j *pushParser) hexDigit(c byte) {
	r, ok := hex4([]byte{'0', '0', '0', c})
	if !ok {
		j.die(`four hexadecimal digits must follow \u`)
		return
	}
	j.hex = j.hex<<4 | r
	if j.digits++; j.digits < 4 {
		return
	}
	j.state = pushString
	low := j.hex >= 0xDC00 && j.hex <= 0xDFFF
	if low != j.high {
		j.die("half of a surrogate pair stands alone")
	}
	j.high = j.hex >= 0xD800 && j.hex < 0xDC00
}

func (j *pushParser) literal(c byte) {
	if c != j.word[0] {
		j.unexpected(c)
		return
	}
	if j.word = j.word[1:]; j.word == "" {
		j.endValue()
	}
}

// numberStates says where a number goes on, by the kind of the next byte; a
// state that is missing is an end.
func (j *pushParser) number(c byte) {
	next := pushTop
	switch {
	case isDigit(c):
		next = [...]pushState{
			pushMinus: pushInteger, pushInteger: pushInteger, pushPoint: pushFraction, pushFraction: pushFraction,
			pushExp: pushExpDigits, pushExpSign: pushExpDigits, pushExpDigits: pushExpDigits,
		}[j.state]
		if j.state == pushMinus && c == '0' {
			next = pushZero
		}
	case c == '.' && (j.state == pushZero || j.state == pushInteger):
		next = pushPoint
	case c|0x20 == 'e' && (j.state == pushZero || j.state == pushInteger || j.state == pushFraction):
		next = pushExp
	case (c == '+' || c == '-') && j.state == pushExp:
		next = pushExpSign
	}
	switch {
	case next != pushTop:
		j.state = next
	case !j.numberIsWhole():
		j.unexpected(c)
	default:
		j.endValue()
		j.take(c)
	}
}

func (j *pushParser) numberIsWhole() bool {
	switch j.state {
	case pushZero, pushInteger, pushFraction, pushExpDigits:
		return true
	}
	return false
}

func (j *pushParser) unexpected(c byte) { j.die("%q is out of place", c) }

// plainLength is how much of p a string goes on without anything special.
func plainLength(p []byte) int {
	for i, c := range p {
		if notPlain[c] {
			return i
		}
	}
	return len(p)
}

// notPlain are the bytes that mean something in a string.
var notPlain = [256]bool{
	0: true, 1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true, 8: true, 9: true, 10: true,
	11: true, 12: true, 13: true, 14: true, 15: true, 16: true, 17: true, 18: true, 19: true, 20: true,
	21: true, 22: true, 23: true, 24: true, 25: true, 26: true, 27: true, 28: true, 29: true, 30: true,
	31: true, '"': true, '\\': true,
}

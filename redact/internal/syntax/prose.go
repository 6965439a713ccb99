package syntax

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// maxProse is how many words may be between a name and its value.
const maxProse = 6

// maxSentence is how long the rest of a line may be that is a sentence: the value ends it.
const maxSentence = 1 << 10

// findInProse returns the offset of the value at the end of a sentence, some words after
// the name before i, "the password for ada is x", "password of the new user: x"; 0 if
// none exists.
func (l *Line) findInProse(i int) int {
	if l.Hi-i > maxSentence {
		return 0
	}
	for words := range maxProse {
		if n := l.remark(i); n > 0 {
			if i += n; i >= l.Hi || l.Text[i] != ':' {
				return 0
			}
			return l.LastWord(l.SkipSpaces(i + 1))
		}
		n := 0
		for i+n < l.Hi && (ascii.Is(l.Text[i+n], ascii.Word|ascii.Dash|ascii.Dot) || l.Text[i+n] == '@' || l.Text[i+n] >= 0x80) {
			n++
		}
		w := string(l.Text[i : i+n])
		i += n
		switch {
		case n == 0 || i == l.Hi:
			return 0
		case words > 0 && (w == "is" || w == "to" || w == "lautet") && l.Text[l.Hi-1] != ':':
			if i = l.SkipSpaces(i); i < l.Hi && l.Text[i] == ':' {
				i++
			}
			if i = l.SkipSpaces(i); ascii.HasFold(l.Text[i:l.Hi], "now ") {
				i = l.SkipSpaces(i + len("now "))
			}
			return l.LastWord(i)
		case l.Text[i] == ':' && (i+1 == l.Hi || ascii.Is(l.Text[i+1], ascii.Blank)):
			return l.LastWord(l.SkipSpaces(i + 1))
		case !ascii.Is(l.Text[i], ascii.Blank):
			return 0
		}
		i = l.SkipSpaces(i)
	}
	return 0
}

// PlainWord returns the length of the word at the start of b, the text after a name and a
// space, if the name is one in a sentence that tells no value, "token refreshed for ada"; 0
// if it may tell one. It is a cheap part of what findInProse and the like find out.
func PlainWord(b []byte) int {
	b = b[:min(len(b), maxPlainText)]
	first := ascii.Run(b[:min(len(b), maxPlain+1)], ascii.Lower)
	if first < minPlain || first > maxPlain || first == len(b) || b[first] != ' ' || ascii.HasFold(b, "lautet ") {
		return 0
	}
	i := first
	for range maxProse - 1 {
		i += ascii.Run(b[i:], ascii.Blank)
		n := ascii.Run(b[i:], ascii.Word|ascii.Dash|ascii.Dot)
		if i+n == len(b) || n == len("is") && (string(b[i:i+n]) == "is" || string(b[i:i+n]) == "to") {
			return 0
		}
		i += n
		switch c := b[i]; {
		case c == ' ':
		case c == '\n' || c == '/' || c == ',':
			return first
		default:
			return 0
		}
	}
	return first
}

// The least and the greatest length of a plain word: shorter ones may come before a value
// (copula), longer ones may be one. No more than maxPlainText bytes are read.
const (
	minPlain     = 4
	maxPlain     = 13
	maxPlainText = 256
)

// remark returns the length of a remark in brackets at i: password (use it once): x.
func (l *Line) remark(i int) int {
	if i >= l.Hi || l.Text[i] != '(' {
		return 0
	}
	return bytes.IndexByte(l.Text[i:min(l.Hi, i+maxRemark)], ')') + 1
}

// maxRemark is the greatest length of a remark.
const maxRemark = 128

// LastWord returns i if the word there is the last of the line, else 0.
func (l *Line) LastWord(i int) int {
	b := bytes.TrimRight(l.Text[i:l.Hi], " \t\r.")
	if len(b) == 0 && i == l.Hi {
		return i // on one of the next lines
	}
	if len(b) == 0 || bytes.ContainsAny(b, " \t") {
		return 0
	}
	return i
}

// operatorProse returns the offset of the value, at j or after some words there, and the
// operator, for a name in a sentence, a router's settings or a declaration.
func (l *Line) operatorProse(j int) (int, Operator) {
	if k, ok := l.typedValue(j); ok {
		return k, OpAssign
	}
	if k := l.findInProse(j); k > j {
		return k, OpProse
	}
	if k := l.copula(j); k > j {
		return k, OpIs
	}
	if ascii.Is(l.Text[j], ascii.Digit) && j+1 < l.Hi && l.Text[j+1] == ' ' {
		if k := l.SkipSpaces(j + 1); k < l.Hi && !IsQuote(l.Text[k]) {
			if l.ShellWord(k) == l.Hi {
				return k, OpOption // password 0 x, of a router
			}
			return k, OpBeside
		}
	}
	return j, OpBeside
}

// copula skips "is", "was", "to" and such words at i: the password is x.
func (l *Line) copula(i int) int {
	switch ascii.Run(l.Text[i:min(l.Hi, i+8)], ascii.Alnum|ascii.Under) {
	case 0, 2, 3, 6: // as many as one of the words has
		if i < l.Hi && ascii.Is(l.Text[i], ascii.Alnum) && strings.IndexByte("ishwtabrl", ascii.Fold(l.Text[i])) < 0 {
			return i
		}
	default:
		return i
	}
	for _, w := range [...]string{
		"is set to ", "set to ", "has been set to: ", "has been set to ", "has been reset to ", "has changed to ", "is now ", "is: ", "is ", "was ", "to ", "as ", "by ", "= ", "reg_sz ", "→ ",
		"lautet ", "ist ", "\u00e8 ", "\u00e9 ", "\u00e8: ", "\u00e9: ",
	} {
		if ascii.HasFold(l.Text[i:l.Hi], w) {
			return l.SkipSpaces(i + len(w))
		}
	}
	return i
}

// numbered returns the offset of the value of a numbered or labelled name, key 2: value,
// key(name): value, or of one with its default in brackets, key [none]: value. The name
// ends at i, and j follows the spaces after it. It returns 0 for other names.
func (l *Line) numbered(i, j int) int {
	end := j
	switch {
	case j > i && ascii.Is(l.Text[j], ascii.Digit):
		end += ascii.Run(l.Text[j:min(l.Hi, j+4)], ascii.Digit)
	case j == i && l.Text[j] == '(':
		n := ascii.Run(l.Text[j+1:min(l.Hi, j+MaxTag)], ascii.Word|ascii.Dash|ascii.Dot|ascii.Blank)
		if end += n + 2; n == 0 || end > l.Hi || l.Text[end-1] != ')' {
			return 0
		}
	case j > i && (l.Text[j] == '[' || l.Text[j] == '('):
		n := bytes.IndexAny(l.Text[j+1:min(l.Hi, j+MaxTag)], "])")
		if end += n + 2; n <= 0 {
			return 0
		}
	default:
		return 0
	}
	if k := l.SkipSpaces(end); j == i && k+1 < l.Hi && k > end && l.Text[k] == '=' && l.Text[k+1] == ' ' {
		return l.SkipSpaces(k + 1)
	}
	if end < l.Hi && l.Text[end] == ':' && (j == i || end+1 < l.Hi && l.Text[end+1] == ' ') {
		return l.SkipSpaces(end + 1)
	}
	return 0
}

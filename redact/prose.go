package redact

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// maxProse is how many words may be between a name and its value.
const maxProse = 6

// findInProse finds the value that a sentence ends with, some words after the name
// before i: "the password for ada is x", "password of the new user: x". It
// returns 0 where there is none.
func (v *view) findInProse(i int) int {
	for words := range maxProse {
		n := 0
		for i+n < v.hi && (ascii.Is(v.text[i+n], ascii.Word|ascii.Dash|ascii.Dot) || v.text[i+n] == '@') {
			n++
		}
		w := string(v.text[i : i+n])
		i += n
		switch {
		case n == 0 || i == v.hi:
			return 0
		case words > 0 && (w == "is" || w == "to") && v.text[v.hi-1] != ':':
			if i = v.spaces(i); ascii.HasFold(v.text[i:v.hi], "now ") {
				i = v.spaces(i + len("now "))
			}
			return v.lastWord(i)
		case v.text[i] == ':' && (i+1 == v.hi || ascii.Is(v.text[i+1], ascii.Blank)):
			return v.lastWord(v.spaces(i + 1))
		case !ascii.Is(v.text[i], ascii.Blank):
			return 0
		}
		i = v.spaces(i)
	}
	return 0
}

// lastWord returns i if the word there is the last of the line, else 0.
func (v *view) lastWord(i int) int {
	b := bytes.TrimRight(v.text[i:v.hi], " \t\r.")
	if len(b) == 0 && i == v.hi {
		return i // on one of the next lines
	}
	if len(b) == 0 || bytes.ContainsAny(b, " \t") {
		return 0
	}
	return i
}

// operatorProse finds what is between the name of a sentence, a router or a declaration
// and its value, at j or after some words there.
func (v *view) operatorProse(j int) (int, operator) {
	if k, ok := v.typedValue(j); ok {
		return k, opAssign
	}
	if k := v.findInProse(j); k > j {
		return k, opProse
	}
	if k := v.copula(j); k > j {
		return k, opIs
	}
	if ascii.Is(v.text[j], ascii.Digit) && j+1 < v.hi && v.text[j+1] == ' ' {
		if k := v.spaces(j + 1); k < v.hi && !isQuote(v.text[k]) {
			if v.shellWord(k) == v.hi {
				return k, opOption // password 0 x, of a router
			}
			return k, opBeside
		}
	}
	return j, opBeside
}

// copula skips "is", "was", "to" and the like at i: the password is x.
func (v *view) copula(i int) int {
	if i < v.hi && ascii.Is(v.text[i], ascii.Alnum) && strings.IndexByte("ishwtabrl", ascii.Fold(v.text[i])) < 0 {
		return i // most words are none of these
	}
	for _, w := range [...]string{
		"is set to ", "set to ", "has been set to: ", "has been set to ", "has been reset to ", "has changed to ", "is now ", "is: ", "is ", "was ", "to ", "as ", "by ", "= ", "reg_sz ", "→ ",
		"lautet ", "ist ", "\u00e8 ", "\u00e9 ", "\u00e8: ", "\u00e9: ",
	} {
		if ascii.HasFold(v.text[i:v.hi], w) {
			return v.spaces(i + len(w))
		}
	}
	return i
}

// numbered finds the value of one of several of a kind, of which the name ends at i
// and what follows is at j: key 2: value, key(name): value; or of one that a program
// asks for, with what holds else: key [none]: value.
func (v *view) numbered(i, j int) int {
	end := j
	switch {
	case j > i && ascii.Is(v.text[j], ascii.Digit):
		end += ascii.Run(v.text[j:min(v.hi, j+4)], ascii.Digit)
	case j == i && v.text[j] == '(':
		n := ascii.Run(v.text[j+1:min(v.hi, j+maxTag)], ascii.Word|ascii.Dash|ascii.Dot|ascii.Blank)
		if end += n + 2; n == 0 || end > v.hi || v.text[end-1] != ')' {
			return 0
		}
	case j > i && (v.text[j] == '[' || v.text[j] == '('):
		n := bytes.IndexAny(v.text[j+1:min(v.hi, j+maxTag)], "])")
		if end += n + 2; n <= 0 {
			return 0
		}
	default:
		return 0
	}
	if k := v.spaces(end); j == i && k+1 < v.hi && k > end && v.text[k] == '=' && v.text[k+1] == ' ' {
		return v.spaces(k + 1)
	}
	if end < v.hi && v.text[end] == ':' && (j == i || end+1 < v.hi && v.text[end+1] == ' ') {
		return v.spaces(end + 1)
	}
	return 0
}

package redact

import (
	"bytes"

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

// names.LastWord returns i if the word there is the last of the line, else 0.
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

package value

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// Templates counts the bytes of v that are templates: ${NAME}, {{ name }},
// $(command), #{name}, <%= name %>, {name}.
func Templates(v []byte) int {
	n := 0
	for i := 0; i+2 < len(v); i++ {
		switch v[i] {
		case '$', '{', '#', '<', '%', '@', '\\':
			if m := template(v[i:]); m > 0 {
				n += m
				i += m - 1
			}
		}
	}
	return n
}

func template(v []byte) int {
	for _, t := range [...][2]string{{"${", "}"}, {"{{", "}}"}, {"$(", ")"}, {"#{", "}"}, {"<%", "%>"}, {"%(", ")s"}, {"%{", "}"}, {"@{", "}"}, {"$[", "]"}, {"{$", "}"}, {`\(`, ")"}, {"{", "}"}, {"<", ">"}} {
		if !bytes.HasPrefix(v, []byte(t[0])) {
			continue
		}
		end := closing(v[len(t[0]):], t[0], t[1])
		if end < 0 {
			continue
		}
		inner := v[len(t[0]) : len(t[0])+end]
		if (t[0] == "{" || t[0] == "<") && (len(inner) < 3 || ascii.Run(inner, ascii.Word|ascii.Dash|ascii.Dot) < len(inner) || TraitsOf(inner).Random(12)) {
			continue
		}
		if expression(inner) || t[0] == "${" && substitution(inner) {
			return len(t[0]) + end + len(t[1])
		}
	}
	return 0
}

// closing returns the offset in b of the sign that closes a template, or -1: after brackets
// within it, if there are some.
func closing(b []byte, opened, closes string) int {
	end, depth := bytes.Index(b, []byte(closes)), 0
	if end < 0 || len(closes) > 1 || !ascii.Contains(b[:end], opened[len(opened)-1]) {
		return end
	}
	for i, c := range b {
		switch {
		case c == opened[len(opened)-1]:
			depth++
		case c == closes[0] && depth == 0:
			return i
		case c == closes[0]:
			depth--
		}
	}
	return end
}

// substitution reports whether b is the inside of a shell's ${...}, a variable's name and an
// operation on its value: NAME#*:, NAME/a/b.
func substitution(b []byte) bool {
	n := ascii.Run(b, ascii.Word)
	return n > 0 && n < len(b) && strings.IndexByte("#%/:^,@", b[n]) >= 0
}

// expression reports whether b may be in a template.
func expression(b []byte) bool {
	for _, c := range b {
		if !ascii.Is(c, ascii.Word|ascii.Dash|ascii.Dot|ascii.Equals|ascii.Colon|ascii.Plus) && strings.IndexByte(" |'\"?!$,@#()[]<>*/", c) < 0 {
			return false
		}
	}
	return bytes.Count(b, []byte("(")) == bytes.Count(b, []byte(")"))
}

package redact

import "github.com/envwrap/envwrap/redact/internal/ascii"

// shellWord returns the end of the word at i. A quoted part is kept together where
// it begins the word, or follows a colon or an equals sign; any other quote
// ends the word, for it ends the string that the command is in.
func (v *view) shellWord(i int) int {
	start := i
	for i < v.hi {
		c := v.text[i]
		if ascii.Is(c, ascii.Blank) || c == '\r' {
			return i
		}
		n := 0
		for i+n < v.hi && v.text[i+n] == '\\' {
			n++
		}
		if i+n < v.hi && isQuote(v.text[i+n]) {
			if i > start && v.text[i-1] != ':' && v.text[i-1] != '=' || v.closesString(i, n) {
				return i
			}
			q := quote{mark: v.text[i+n], escape: n}
			v.quoted(i+n+1, &q)
			if q.open {
				return i
			}
			i = q.after
			continue
		}
		i += n + 1
	}
	return min(i, v.hi)
}

// closesString reports whether the mark after n backslashes at i ends the
// string in double quotes that i is in.
func (v *view) closesString(i, n int) bool {
	return v.text[i+n] == '"' && n%2 == 0 && v.quotes(i)%2 == 1
}

package syntax

import "github.com/envwrap/envwrap/redact/internal/ascii"

// ShellWord returns the end of the word at i. A quoted part belongs to the word if it
// begins it, or follows a colon or an equals sign; any other quote ends the word, for it
// ends the string that the command is in.
func (l *Line) ShellWord(i int) int {
	start := i
	for i < l.Hi {
		c := l.Text[i]
		if ascii.Is(c, ascii.Blank) || c == '\r' {
			return i
		}
		n := 0
		for i+n < l.Hi && l.Text[i+n] == '\\' {
			n++
		}
		if i+n < l.Hi && IsQuote(l.Text[i+n]) {
			if i > start && l.Text[i-1] != ':' && l.Text[i-1] != '=' || l.closesString(i, n) {
				return i
			}
			q := Quote{Mark: l.Text[i+n], Escape: n}
			l.Quoted(i+n+1, &q)
			if q.Open {
				return i
			}
			i = q.After
			continue
		}
		i += n + 1
	}
	return min(i, l.Hi)
}

// closesString reports whether the mark after n backslashes at i ends the
// string in double quotes that i is in.
func (l *Line) closesString(i, n int) bool {
	return l.Text[i+n] == '"' && n%2 == 0 && l.QuotesBefore(i)%2 == 1
}

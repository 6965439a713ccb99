// Package syntax reads a line as programs, people and their logs write it: names,
// operators and values, quotes, elements, declarations and the words of a shell. It
// decides nothing about secrets.
package syntax

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A Line is Text[Lo:Hi], with the text around it in sight. Its methods take and return
// offsets in Text.
type Line struct {
	Text   []byte
	Lo, Hi int

	// The parts that were searched already, so that no text makes a method search them
	// again and again.
	plainFrom, plainTo int  // the last value without quotes
	prefixOf           Span // the line whose prefix was looked for last
	prefixTo           int
	marks              *QuoteMarks
	open               seenOpen
	runs               [4]seenRun
	nextRun            int // index of the run to be replaced next
}

// A Span is Text[Start:End].
type Span struct{ Start, End int }

// Show makes l all of text. Its double quotes are counted in marks.
func (l *Line) Show(text []byte, marks *QuoteMarks) {
	*l = Line{Text: text, Hi: len(text), marks: marks}
	marks.reset()
}

// PrefixEnd returns the offset of the line after the prefix of a log or the like, which it
// looks for once.
func (l *Line) PrefixEnd() int {
	if of := (Span{l.Lo, l.Hi}); l.prefixOf != of {
		l.prefixOf, l.prefixTo = of, l.Hi-len(Unprefixed(l.Text[l.Lo:l.Hi]))
	}
	return l.prefixTo
}

// Indent returns the width of the line's indentation, after the prefix of a log or a diff.
func (l *Line) Indent() int {
	b := l.Text[l.PrefixEnd():l.Hi]
	if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		b = b[1:]
	}
	return ascii.Run(b, ascii.Blank)
}

// MaxLead is the most bytes before the name that leads a line: indentation and the prefix
// of a log.
const MaxLead = 512

// Leads reports whether the name at start is the first on its line, after words of a shell
// and signs of YAML.
func (l *Line) Leads(start int) bool {
	if start-l.Lo > MaxLead {
		return false
	}
	b := bytes.TrimLeft(Unprefixed(l.Text[l.Lo:start]), " \t-+#>|*")
	switch n := len(b); {
	case n > 3 && b[0] == '/' && b[1] == '/' && b[n-1] == ':' && !ascii.Contains(b, ' '): // of a registry, in .npmrc: //host/path:_password=
		return true
	case n > 0 && b[n-1] == ':' && (n == 1 || b[n-2] == ':') && ascii.Run(b, ascii.Lower|ascii.Digit|ascii.Under|ascii.Colon) == n: // of Ruby or Hiera: :password, mysql::password
		return true
	}
	for _, w := range [...]string{"export ", "set ", "setx ", "setenv ", "-gx ", "-x ", "ENV ", "env ", "ARG "} {
		b = bytes.TrimPrefix(b, []byte(w))
	}
	return len(b) == 0
}

// Margin returns the offset of the line after the prefix of a log, a diff or an answer to
// a mail.
func (l *Line) Margin() int {
	i := l.PrefixEnd()
	for i < l.Hi && (ascii.Is(l.Text[i], ascii.Blank) || l.Text[i] == '>' || l.Text[i] == '+' || l.Text[i] == '|' || l.Text[i] == '#') {
		i++
	}
	return i
}

// TrimRight returns b without the blanks at its end.
func TrimRight(b []byte) []byte {
	for len(b) > 0 && (ascii.Is(b[len(b)-1], ascii.Blank) || b[len(b)-1] == '\r') {
		b = b[:len(b)-1]
	}
	return b
}

// TrimValue returns b without spaces, quotes and signs that may follow a value on its
// line.
func TrimValue(b []byte) []byte { return bytes.TrimLeft(b, " \t\r\\,;)\"'`") }

// SkipSpaces returns the first offset from i on that has neither space nor tab.
func (l *Line) SkipSpaces(i int) int {
	for i < l.Hi && (l.Text[i] == ' ' || l.Text[i] == '\t') {
		i++
	}
	return i
}

// A seenRun is text[from:to], which is followed by no byte of class.
type seenRun struct {
	class    ascii.Class
	from, to int
}

// Run returns how many bytes at i are of class k. It counts a run once, however many
// secrets seem to begin within it.
func (l *Line) Run(i int, k ascii.Class) int {
	for _, r := range l.runs {
		if r.class == k && r.from <= i && i < r.to {
			return r.to - i
		}
	}
	r := seenRun{k, i, i + ascii.Run(l.Text[i:l.Hi], k)}
	if r.to > i {
		l.runs[l.nextRun%len(l.runs)] = r
		l.nextRun++
	}
	return r.to - i
}

// Truncated reports whether dots at i show that the text before was cut there.
func (l *Line) Truncated(i int) bool {
	return bytes.HasPrefix(l.Text[i:l.Hi], []byte("...")) || bytes.HasPrefix(l.Text[i:l.Hi], []byte("…"))
}

// MaxAbridged is the greatest length of a part of a credential that is shown in place of
// all of it.
const MaxAbridged = 40

// Abridged reports whether s is the beginning of a credential, with dots for the rest.
func (l *Line) Abridged(s Span) bool { return s.End-s.Start < MaxAbridged && l.Truncated(s.End) }

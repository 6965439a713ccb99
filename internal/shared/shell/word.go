package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A Word is one word of a command.
type Word struct {
	Span

	// Text is the word after the removal of quotes. Expansions are kept as written.
	Text string
	// Literal means that the shell passes on exactly Text, as one argument.
	Literal bool
	// Single means that the word is one argument, whatever its expansions yield. A
	// literal word is single.
	Single bool
}

// word reads a word.
func (t *Text) word(w *syntax.Word) Word {
	r := wordReader{text: t}
	r.parts(w.Parts, false)
	return r.word(spanOf(w.Pos(), w.End()))
}

// A wordReader removes the quotes of a word.
type wordReader struct {
	text *Text
	// value is the word without quotes. pattern is the same with an x for each quoted part
	// and each expansion, so that the characters of a pattern are those that count.
	value, pattern  strings.Builder
	expands, splits bool
}

func (r *wordReader) word(s Span) Word {
	pattern := expandsPattern(r.pattern.String(), r.text.dialect)
	return Word{
		Span:    s,
		Text:    r.value.String(),
		Literal: !r.expands && !pattern,
		Single:  !r.splits && !pattern,
	}
}

func (r *wordReader) parts(parts []syntax.WordPart, quoted bool) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			r.literal(p.Value, quoted)
		case *syntax.SglQuoted:
			r.add(p.Value, true)
			r.expands = r.expands || p.Dollar && strings.Contains(p.Value, `\`)
		case *syntax.DblQuoted:
			r.add("", true)
			r.parts(p.Parts, true)
		default:
			r.add(r.text.slice(part), true)
			r.expands = true
			r.splits = r.splits || !quoted || r.text.severalArguments(part)
		}
	}
}

// literal adds a literal part with its backslashes.
func (r *wordReader) literal(s string, quoted bool) {
	for {
		at := strings.IndexByte(s, '\\')
		if at < 0 || at+1 == len(s) {
			r.add(s, quoted)
			return
		}
		r.add(s[:at], quoted)
		next := s[at+1]
		switch {
		case next == '\n':
		case quoted && strings.IndexByte("$`\"\\", next) < 0:
			r.add(s[at:at+2], true)
		default:
			r.add(s[at+1:at+2], true)
		}
		s = s[at+2:]
	}
}

func (r *wordReader) add(s string, quoted bool) {
	r.value.WriteString(s)
	if !quoted {
		r.pattern.WriteString(s)
		return
	}
	r.pattern.WriteString("x")
}

// severalArguments reports whether a quoted expansion may yield more or fewer arguments
// than one: "$@", "${a[@]}", "${!a}".
func (t *Text) severalArguments(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	return ok && (p.Excl || strings.Contains(t.slice(p), "@"))
}

// expandsPattern reports whether the unquoted characters s of a word may expand to
// another word: a pattern of file names, braces, a tilde.
func expandsPattern(s string, d Dialect) bool {
	if !strings.ContainsAny(s, "*?[{~^#=<(") || s == "[" {
		return false
	}
	if d == Zsh {
		return strings.ContainsAny(s, "*?[{~^#<(") || s[0] == '='
	}
	if strings.ContainsAny(s, "*?(") {
		return true
	}
	if open := strings.IndexByte(s, '['); open >= 0 && strings.Contains(s[open:], "]") {
		return true
	}
	if open := strings.IndexByte(s, '{'); open >= 0 && strings.Contains(s[open:], "}") && (strings.Contains(s[open:], ",") || strings.Contains(s[open:], "..")) {
		return true
	}
	for i := range len(s) { // also in what looks like an assignment
		if s[i] == '~' && (i == 0 || s[i-1] == '=' || s[i-1] == ':') {
			return true
		}
	}
	return false
}

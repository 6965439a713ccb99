package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (r *reader) words(words []*syntax.Word) {
	for _, w := range words {
		r.word(w, false)
	}
}

// word reads a word. quoted means that the word is in double quotes or a here-document.
func (r *reader) word(w *syntax.Word, quoted bool) {
	if w != nil {
		r.parts(w.Parts, quoted, false)
	}
}

// parts reads the parts of a word. test means that the word is an argument of [[.
func (r *reader) parts(parts []syntax.WordPart, quoted, test bool) {
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if i+1 < len(parts) && strings.HasSuffix(p.Value, "$") && isQuote(parts[i+1]) {
				r.doubt(p, "a dollar sign before a quote") // bash has a quote that begins with one
			}
			if r.dialect == Zsh && !quoted && (strings.ContainsAny(p.Value, "()<>") || strings.Count(p.Value, "{") < strings.Count(p.Value, "}")) {
				r.doubt(p, "a bracket in a word") // zsh ends a command at }, and has patterns with ( and <
			}
		case *syntax.SglQuoted:
			if quoted { // in "${x:-it's}" it is text for dash, and for bash in POSIX mode
				r.doubt(p, "a quote within quotes")
			}
		case *syntax.DblQuoted:
			r.parts(p.Parts, true, test)
		case *syntax.ParamExp:
			r.parameter(p, quoted)
		case *syntax.CmdSubst:
			r.substitution(p)
		case *syntax.ProcSubst:
			r.list(p.Stmts, scope{})
		case *syntax.ArithmExp:
			r.arithmetic(p)
		case *syntax.ExtGlob:
			if !test { // without extglob, !(a) is a subshell, and the others are errors
				r.doubt(p, "an extended pattern")
			}
		default:
			r.doubt(p, "this word")
		}
	}
}

func isQuote(part syntax.WordPart) bool {
	switch part.(type) {
	case *syntax.SglQuoted, *syntax.DblQuoted:
		return true
	}
	return false
}

func (r *reader) parameter(p *syntax.ParamExp, quoted bool) {
	if p.NestedParam != nil || p.Flags != nil || p.IsSet || p.Split|p.GlobSubst|p.RcExpand != syntax.OptUnset || len(p.Modifiers) > 0 || r.dialect == Zsh && p.Index != nil {
		r.doubt(p, "an expansion of zsh")
		return
	}
	if p.Index != nil {
		r.arithmetic(p.Index)
	}
	if p.Slice != nil {
		for _, x := range []syntax.ArithmExpr{p.Slice.Offset, p.Slice.Length} {
			if x != nil {
				r.arithmetic(x)
			}
		}
	}
	if p.Repl != nil {
		r.operand(p.Repl.Orig, quoted)
		r.operand(p.Repl.With, quoted)
	}
	if p.Exp != nil {
		r.operand(p.Exp.Word, quoted)
	}
}

// operand reads a word within ${ }.
func (r *reader) operand(w *syntax.Word, quoted bool) {
	if w == nil {
		return
	}
	if text := r.slice(w); strings.Contains(text, "<(") || strings.Contains(text, ">(") {
		r.doubt(w, "a process substitution in an expansion")
	}
	r.word(w, quoted)
}

func (r *reader) substitution(c *syntax.CmdSubst) {
	own := spanOf(c.Left, c.Right).In(r.Source)
	switch {
	case c.TempFile || c.ReplyVar:
		r.doubt(c, "a substitution in the shell itself")
	case c.Backquotes && unescaped(own[1:], '`'): // bash ends the substitution there, also within quotes
		r.doubt(c, "a quoted backquote")
	}
	r.list(c.Stmts, scope{})
}

// unescaped reports whether a byte is in a text without a backslash before it.
func unescaped(text string, b byte) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case b:
			return true
		}
	}
	return false
}

// arithmetic refuses expressions with quotes, and with substitutions that are not simple:
// bash and the parser look for their end in different ways.
func (r *reader) arithmetic(n syntax.Node) {
	text := r.slice(n)
	inner := strings.ReplaceAll(text, "$((", "((")
	switch _, let := n.(*syntax.LetClause); {
	case let && strings.ContainsAny(text, "&|<>;()"), !let && strings.ContainsAny(text, "'\""),
		strings.ContainsAny(text, "\\`"),
		strings.Contains(inner, "$(") && (strings.ContainsAny(inner, "#{;\n") || strings.Contains(inner, "<<")):
		r.doubt(n, "an arithmetic expression")
	}
}

func (r *reader) assignments(list []*syntax.Assign) {
	for _, a := range list {
		r.word(a.Value, false)
		if a.Index != nil {
			r.arithmetic(a.Index)
		}
		if a.Array == nil {
			continue
		}
		for _, e := range a.Array.Elems {
			r.word(e.Value, false)
			if e.Index != nil {
				r.arithmetic(e.Index)
			}
		}
	}
}

// test reads the expression of [[.
func (r *reader) test(x syntax.TestExpr) {
	switch x := x.(type) {
	case *syntax.Word:
		r.parts(x.Parts, false, true)
	case *syntax.UnaryTest:
		r.test(x.X)
	case *syntax.ParenTest:
		r.test(x.X)
	case *syntax.BinaryTest:
		r.test(x.X)
		r.test(x.Y)
		if text := r.slice(x.Y); x.Op == syntax.TsReMatch && (strings.Contains(text, "`") || strings.Contains(text, "$(")) {
			r.doubt(x, "a regular expression with a substitution") // after which the parser miscounts brackets
		}
	}
}

func (r *reader) redirect(d *syntax.Redirect) {
	r.word(d.Word, false)
	if r.dialect == Zsh && d.N != nil && len(d.N.Value) > 1 {
		r.doubt(d, "a descriptor of several characters") // zsh takes several digits for a word
	}
	if d.Op != syntax.Hdoc && d.Op != syntax.DashHdoc {
		return
	}
	for _, part := range d.Word.Parts {
		if p, ok := part.(*syntax.SglQuoted); ok && p.Dollar {
			r.doubt(p, "the end of a here-document")
		}
	}
	if d.Hdoc == nil {
		return
	}
	r.word(d.Hdoc, true)
	delimiter := r.Text.word(d.Word)
	if !r.endsAt(d, delimiter.Text, delimiter.Span.In(r.Source) == delimiter.Text) {
		r.doubt(d, "the end of a here-document")
	}
}

// endsAt reports whether a here-document ends at the first line that is its delimiter, and
// at no place within a line. expands means that its text has expansions, so that a
// backslash joins two lines.
func (r *reader) endsAt(d *syntax.Redirect, delimiter string, expands bool) bool {
	body := spanOf(d.Hdoc.Pos(), d.Hdoc.End())
	joined := false
	for at := body.Start; at <= body.End; {
		line, _, more := strings.Cut(r.Source[at:], "\n")
		next := at + len(line) + 1
		text := line
		if d.Op == syntax.DashHdoc {
			text = strings.TrimLeft(line, "\t")
		}
		if text == delimiter && !joined {
			return body.End == at+len(line) // the parser counts the delimiter in
		}
		if !more {
			break
		}
		joined = expands && backslashes(line)%2 == 1
		at = next
	}
	return false
}

// backslashes returns how many of them a line ends with.
func backslashes(line string) int { return len(line) - len(strings.TrimRight(line, "\\")) }

// Package hook rewrites the shell commands that agents are about to run, so that they
// run under envwrap, and decides by an agent's permission rules whether they may run
// without a question.
//
// A text that does not parse, or whose effect is not certain, is left unchanged. The
// package reads no files: the caller passes in the rules and the names of programs.
package hook

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// A Text is a parsed shell text.
type Text struct {
	source string
	file   *syntax.File
	// Calls are all simple commands, including those in loops, functions, subshells and
	// substitutions.
	Calls []Call
	// Plain means that the text consists of simple commands of literal words, joined by
	// operators of lists and pipelines, without redirections except to /dev/null or
	// another descriptor.
	Plain bool

	functions  []string
	background bool
	// movesLater holds the offsets of commands that change the directory of the
	// shell itself.
	moves []uint
	// keeps holds the offsets of other commands that change the shell itself.
	keeps []uint
}

// A Call is a simple command.
type Call struct {
	// Source is the command as written, with assignments and without
	// redirections.
	Source string
	// Words are the program and its arguments without quotes. A word that is not
	// literal is "".
	Words []string
	// Literal means that all words are literal.
	Literal bool
	// Reads means that standard input is the preceding stage of a pipeline.
	Reads bool

	assigns []string
}

// Program returns the name of the program, or "" if there is none or it is not literal.
func (c *Call) Program() string {
	if len(c.Words) == 0 {
		return ""
	}
	return c.Words[0]
}

// maxText bounds a text, in bytes. It has to fit in one argument.
const maxText = 64 << 10

// maxOpen bounds the brackets that are open at once: for each the parser calls itself.
const maxOpen = 1000

var errText = errors.New("not a text for a shell")

// Parse parses a text for a shell: "bash" or "zsh".
func Parse(text, shell string) (*Text, error) {
	if len(text) > maxText || open(text) > maxOpen || !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\r\ufffd") {
		return nil, errText
	}
	variant := syntax.LangBash
	if shell == "zsh" {
		variant = syntax.LangZsh
	}
	file, err := syntax.NewParser(syntax.Variant(variant), syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, err
	}
	t := &Text{source: text, file: file, Plain: len(file.Last) == 0}
	t.stmts(file.Stmts, place{own: true})
	return t, nil
}

// open returns the most brackets of a text that are open at once, of all kinds and
// whether they are quoted or not.
func open(text string) (most int) {
	now := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			now++
			most = max(most, now)
		case ')', ']', '}':
			now = max(0, now-1)
		}
	}
	return most
}

// A place is where a command is.
type place struct {
	own   bool // the shell itself runs it, and no subshell
	reads bool // it reads a pipe
}

func (t *Text) stmts(list []*syntax.Stmt, p place) {
	for _, s := range list {
		t.stmt(s, p)
	}
}

func (t *Text) stmt(s *syntax.Stmt, p place) {
	t.background = t.background || s.Background || s.Coprocess || s.Disown
	t.Plain = t.Plain && len(s.Comments) == 0 && !s.Negated
	for _, r := range s.Redirs {
		t.redirect(r)
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		t.call(c, p)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			t.stmt(c.X, place{reads: p.reads})
			t.stmt(c.Y, place{reads: true})
			return
		}
		t.stmt(c.X, p)
		t.stmt(c.Y, p)
	case nil:
		t.Plain = false
	default:
		t.Plain = false
		t.compound(c, p)
	}
}

// compound reads a command that is no simple one and no list.
func (t *Text) compound(c syntax.Command, p place) {
	if _, ok := c.(*syntax.CoprocClause); ok {
		t.background = true
	}
	if d, ok := c.(*syntax.DeclClause); ok {
		t.Calls = append(t.Calls, Call{Source: t.slice(d), Words: []string{d.Variant.Value}})
		if p.own {
			t.keeps = append(t.keeps, d.Pos().Offset())
		}
	}
	if f, ok := c.(*syntax.FuncDecl); ok {
		for _, name := range append(f.Names, f.Name) {
			if name != nil {
				t.functions = append(t.functions, name.Value)
			}
		}
		if p.own {
			t.keeps = append(t.keeps, f.Pos().Offset())
		}
	}
	if _, ok := c.(*syntax.Subshell); ok {
		p.own = false
	}
	t.below(c, p)
}

// below reads the statements and words within a node.
func (t *Text) below(n syntax.Node, p place) {
	syntax.Walk(n, func(m syntax.Node) bool {
		switch m := m.(type) {
		case *syntax.Stmt:
			t.stmt(m, p)
			return false
		case *syntax.CmdSubst:
			t.stmts(m.Stmts, place{})
			return false
		case *syntax.ProcSubst:
			t.stmts(m.Stmts, place{})
			return false
		}
		return true
	})
}

func (t *Text) redirect(r *syntax.Redirect) {
	word, literal := value(r.Word)
	switch {
	case r.Op == syntax.DplOut && literal && word != "" && strings.Trim(word, "0123456789") == "":
	case (r.Op == syntax.RdrOut || r.Op == syntax.AppOut || r.Op == syntax.RdrAll || r.Op == syntax.RdrIn) && literal && word == "/dev/null":
	default:
		t.Plain = false
	}
	t.below(r, place{})
}

func (t *Text) call(c *syntax.CallExpr, p place) {
	call := Call{Literal: true, Reads: p.reads, Source: t.slice(c)}
	for _, a := range c.Assigns {
		t.Plain = false
		if a.Name != nil {
			call.assigns = append(call.assigns, a.Name.Value)
		}
		t.below(a, place{})
	}
	for _, w := range c.Args {
		text, literal := value(w)
		call.Words = append(call.Words, text)
		call.Literal = call.Literal && literal
		t.below(w, place{})
	}
	t.Plain = t.Plain && call.Literal
	t.Calls = append(t.Calls, call)
	if !p.own {
		return
	}
	switch name := call.Program(); {
	case slices.Contains(directoryBuiltins, name):
		t.moves = append(t.moves, c.Pos().Offset())
	case len(c.Args) == 0 || slices.Contains(stateBuiltins, name):
		t.keeps = append(t.keeps, c.Pos().Offset())
	}
}

func (t *Text) slice(n syntax.Node) string { return t.source[n.Pos().Offset():n.End().Offset()] }

// value returns a word without its quotes, and reports whether the shell makes
// nothing else of it.
func value(w *syntax.Word) (string, bool) {
	if w == nil {
		return "", false
	}
	var text strings.Builder
	for _, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(part.Value, "\\*?[{~") {
				return "", false
			}
			text.WriteString(part.Value)
		case *syntax.SglQuoted:
			if part.Dollar {
				return "", false
			}
			text.WriteString(part.Value)
		case *syntax.DblQuoted:
			if part.Dollar {
				return "", false
			}
			for _, inner := range part.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok || strings.ContainsRune(lit.Value, '\\') {
					return "", false
				}
				text.WriteString(lit.Value)
			}
		default:
			return "", false
		}
	}
	return text.String(), true
}

// directoryBuiltins change the directory of the shell.
var directoryBuiltins = []string{"cd", "pushd", "popd"}

// stateBuiltins change something else of the shell.
var stateBuiltins = []string{
	"export", "unset", "umask", "ulimit", "set", "shopt", "source", ".", "alias", "unalias", "trap", "hash", "enable", "read", "mapfile", "readarray", "setopt", "unsetopt",
}

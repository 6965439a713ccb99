// Package shell reads texts written for a shell, such as TEXT in "bash -c TEXT".
//
// [Parse] parses a text with the grammar of mvdan.cc/sh. A [Text] has the frame that a
// coding agent puts around a command ([Text.Frame]), the list of pipelines ([Text.List]),
// the last of them ([Text.Last]), and the words of each stage. [ReadInvocation] finds the
// text in a command line.
//
// The package returns only certain results. The parser and a shell disagree in rare cases
// about where a quote, a comment or a here-document ends: Parse refuses such texts. A word
// is literal only if the shell passes on exactly that word. Last refuses texts with
// commands that may change the meaning of others, such as eval, source and alias.
//
// The package runs nothing and keeps no state. Its functions are safe for concurrent use.
package shell

import (
	"fmt"
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A Dialect is the language of a text. The zero value names no language.
type Dialect int

const (
	// Bash is the language of GNU Bash 5 (Bash Reference Manual 5.3, section 3).
	Bash Dialect = iota + 1
	// POSIX is the language that all programs with the name sh share: dash, and bash in
	// its POSIX mode. Parse refuses texts that these read differently.
	POSIX
	// Zsh is the part of zsh 5.9 that mvdan.cc/sh reads as zsh does: simple commands,
	// pipelines, lists, and compound commands but functions, [[ and arithmetic.
	Zsh
)

var variants = [...]syntax.LangVariant{Bash: syntax.LangBash, POSIX: syntax.LangPOSIX, Zsh: syntax.LangZsh}

// DialectOf returns the dialect of the shell with a name or path, or 0 if the program is no
// shell that the package knows.
func DialectOf(program string) Dialect {
	switch strings.TrimSuffix(path.Base(program), ".exe") {
	case "bash":
		return Bash
	case "sh", "dash", "ash":
		return POSIX
	case "zsh":
		return Zsh
	}
	return 0
}

// A Text is a text that was parsed.
type Text struct {
	// Source is the text itself. All offsets are into it, in bytes.
	Source string

	dialect Dialect
	stmts   []*syntax.Stmt

	// The reader fills in the rest, for Last.
	last      command
	pipelines map[int]int
	exits     bool
	alters    error
	functions []string
}

// A command is a pipeline as the parser has it.
type command struct {
	start       syntax.Pos
	stages      []*syntax.Stmt
	stderr      []bool // of each stage but the last, whether |& follows
	negated     bool
	background  bool
	timed       bool
	alternative bool // it is in a list that has a ||, or may be skipped
	// inner is the last pipeline of the compound command that the only stage is.
	inner *command
}

// decisive returns the pipeline whose status is the status of c, also if c is a compound
// command with a known last command: bash sets PIPESTATUS within it as outside.
func (c command) decisive() command {
	for c.inner != nil && !c.negated && !c.background {
		alternative := c.alternative
		c = *c.inner
		c.alternative = c.alternative || alternative
	}
	return c
}

// A Span is a part of a text: its first byte and the one past its last.
type Span struct{ Start, End int }

// In returns the part of text.
func (s Span) In(text string) string { return text[s.Start:s.End] }

func spanOf(from, to syntax.Pos) Span { return Span{int(from.Offset()), int(to.Offset())} }

func (t *Text) slice(n syntax.Node) string { return spanOf(n.Pos(), n.End()).In(t.Source) }

// A scope says which shell executes a command.
type scope struct {
	own      bool // the shell itself executes it, and no subshell
	function bool // it is in the body of a function
}

// A reader walks through the tree of a text once. It sets err at the first construct that
// a shell may read differently from the parser.
type reader struct {
	*Text

	err error
}

// doubt records that the meaning of n is not certain.
func (r *reader) doubt(n syntax.Node, what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s at byte %d is not certain", what, n.Pos().Offset())
	}
}

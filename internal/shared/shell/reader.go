package shell

import (
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// list reads statements and returns the last pipeline.
func (r *reader) list(list []*syntax.Stmt, p scope) (last command) {
	for _, s := range list {
		parts, operators := andOr(s)
		for _, part := range parts {
			last = r.pipeline(part, p)
		}
		last.background = s.Background
		last.alternative = slices.Contains(operators, "||")
		if s.Coprocess || s.Disown {
			r.doubt(s, "the operator after a command")
		}
	}
	return last
}

func (r *reader) pipeline(s *syntax.Stmt, p scope) command {
	c := newCommand(s)
	for i, stage := range c.stages {
		// the last stage of several may be the shell's own, with lastpipe
		inner := r.stage(stage, scope{own: p.own && i == len(c.stages)-1, function: p.function})
		if len(c.stages) == 1 {
			c.inner = inner
		}
	}
	if c.timed && len(c.stages) > 0 {
		if call, ok := c.stages[0].Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 && strings.HasPrefix(call.Args[0].Lit(), "-") {
			r.doubt(call, "an option of time")
		}
	}
	if p.own {
		r.pipelines[max(1, len(c.stages))]++
	}
	return c
}

// stage reads one command with its redirections. If it is a compound command, and the
// shell itself executes its last pipeline, stage returns that pipeline, else nil.
func (r *reader) stage(s *syntax.Stmt, p scope) (inner *command) {
	for _, redirect := range s.Redirs {
		r.redirect(redirect)
	}
	switch c := s.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		r.call(c, p)
	case *syntax.DeclClause:
		r.assignments(c.Args)
	case *syntax.Block:
		last := r.list(c.Stmts, p)
		inner = &last
	case *syntax.Subshell:
		if r.dialect == POSIX && r.Source[c.Lparen.Offset()+1] == '(' {
			r.doubt(c, "((")
		}
		r.list(c.Stmts, scope{})
	case *syntax.IfClause:
		inner = r.condition(c, p)
	case *syntax.WhileClause:
		r.list(c.Cond, p)
		r.list(c.Do, p)
	case *syntax.ForClause:
		inner = r.loop(c, p)
	case *syntax.CaseClause:
		inner = r.cases(c, p)
	case *syntax.ArithmCmd:
		r.arithmetic(c)
	case *syntax.LetClause:
		r.arithmetic(c)
	case *syntax.TestClause:
		r.test(c.X)
	case *syntax.FuncDecl:
		r.function(c, p)
	default: // coproc, and time within a pipeline, where bash runs a program of that name
		r.doubt(c, "this command")
	}
	if r.dialect == Zsh {
		switch s.Cmd.(type) {
		case *syntax.FuncDecl, *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
			r.doubt(s, "this command of zsh")
		}
	}
	return inner
}

// condition reads an if command. It returns the pipeline of several stages that one of its
// branches ends with, nil if several do: then each of them could be the last.
func (r *reader) condition(c *syntax.IfClause, p scope) *command {
	var branches []command
	for ; c != nil; c = c.Else {
		r.list(c.Cond, p)
		branches = append(branches, r.list(c.Then, p))
	}
	return onlyPipeline(branches)
}

// cases reads a case command as condition reads an if. It returns nil if ;& or ;;& joins
// two of the branches.
func (r *reader) cases(c *syntax.CaseClause, p scope) *command {
	r.word(c.Word, false)
	var branches []command
	through := false
	for _, item := range c.Items {
		r.words(item.Patterns)
		branches = append(branches, r.list(item.Stmts, p))
		through = through || item.Op != syntax.Break
	}
	if through {
		return nil
	}
	return onlyPipeline(branches)
}

// onlyPipeline returns the last pipeline of the only branch that ends with one of several
// stages, or nil.
func onlyPipeline(branches []command) (only *command) {
	for _, b := range branches {
		if len(b.decisive().stages) < 2 {
			continue
		}
		if only != nil {
			return nil
		}
		b.alternative = true
		only = &b
	}
	return only
}

func (r *reader) loop(c *syntax.ForClause, p scope) *command {
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		r.words(l.Items)
	case *syntax.CStyleLoop:
		r.arithmetic(l)
	}
	last := r.list(c.Do, p)
	if _, words := c.Loop.(*syntax.WordIter); !words || c.Select {
		return nil
	}
	last.alternative = true
	return &last
}

// function reads the definition of a function. If an operator follows, the parser takes
// the next command for a part of the body: "f() { a; } | b".
func (r *reader) function(c *syntax.FuncDecl, p scope) {
	switch c.Body.Cmd.(type) {
	case nil, *syntax.BinaryCmd, *syntax.CallExpr, *syntax.DeclClause, *syntax.LetClause, *syntax.FuncDecl, *syntax.TimeClause:
		r.doubt(c, "the end of a function")
	}
	if c.Name == nil || c.Body.Negated || slices.Contains(altering, c.Name.Value) || slices.Contains(runners, c.Name.Value) || c.Name.Value == "exit" {
		r.doubt(c, "a function of that name")
		return
	}
	r.functions = append(r.functions, c.Name.Value)
	r.stage(c.Body, scope{own: p.own, function: true})
}

// altering lists the builtins that may change the meaning of the rest of the text, if the
// shell itself executes them.
var altering = []string{"trap", "alias", "unalias", "eval", "source", ".", "return", "enable"}

// reserved lists, for each dialect, words that the parser takes for the name of a program
// and a shell for a reserved word.
var reserved = [...][]string{Bash: {"!"}, POSIX: {"!", "[[", "time", "select", "function", "coproc"}, Zsh: {"!", "repeat", "foreach", "end", "coproc"}}

// runners lists the builtins that run the builtin or program in their arguments.
var runners = []string{"command", "builtin"}

func (r *reader) call(c *syntax.CallExpr, p scope) {
	r.assignments(c.Assigns)
	r.words(c.Args)
	args := c.Args
	if len(args) == 0 {
		return
	}
	if name := r.Text.word(args[0]).Text; slices.Contains(reserved[r.dialect], name) || r.dialect == POSIX && strings.Contains(name, "=") {
		r.doubt(c, name)
	}
	if !p.own {
		return
	}
	name := r.Text.word(args[0])
	for slices.Contains(runners, name.Text) && len(args) > 1 {
		args = args[1:]
		if name = r.Text.word(args[0]); strings.HasPrefix(name.Text, "-") {
			name.Text = "command"
		}
	}
	r.exits = r.exits || name.Text == "exit" || !name.Literal
	if !slices.Contains(altering, name.Text) || name.Text == "return" && p.function {
		return
	}
	if sources := name.Text == "source" || name.Text == "."; sources && len(args) == 2 {
		if file := r.Text.word(args[1]); file.Literal && strings.HasSuffix(file.Text, "/bin/activate") {
			return // which sets variables, and defines functions with names of its own
		}
	}
	if r.alters == nil {
		r.alters = fmt.Errorf("%s at byte %d may change what the rest of the text means", name.Text, c.Pos().Offset())
	}
}

package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// A Pipeline is one or more commands joined by | or |&.
type Pipeline struct {
	Span

	// After is the operator between the preceding pipeline and this one: "&&", "||", "&",
	// or ";" (also for a newline). It is "" for the first pipeline of a list.
	After      string
	Stages     []Stage
	Negated    bool // with !
	Background bool // & ends its && and || list
}

// A Stage is one command of a pipeline.
type Stage struct {
	// Span covers the command with its assignments and redirections, but not the text of
	// its here-documents.
	Span

	// Argv is the program and its arguments. It is nil if the program is not a literal
	// word, or is a function of the text, and for a compound command.
	Argv         []Word
	Assignments  []Word
	Redirections []Redirection
	// Stderr means that |& follows: standard error goes into the pipe, too.
	Stderr bool
	// Input means that a redirection replaces standard input.
	Input bool
}

// A Redirection is one redirection of a command.
type Redirection struct {
	Span

	// Descriptor is the number or {name} to the left of the operator, or "".
	Descriptor string
	Op         string // as written: ">", "&>>", "<<-"
	Target     Word   // the delimiter, if the redirection is a here-document
}

// Name returns the program of the stage without quotes, or "" if it is not known.
func (s Stage) Name() string {
	if len(s.Argv) == 0 {
		return ""
	}
	return s.Argv[0].Text
}

// Args returns the stage's program and arguments as strings.
func (s Stage) Args() []string {
	args := make([]string, len(s.Argv))
	for i, w := range s.Argv {
		args[i] = w.Text
	}
	return args
}

// Literal reports whether the stage is a program of which all arguments are certain.
func (s Stage) Literal() bool {
	return len(s.Argv) > 0 && !slices.ContainsFunc(s.Argv, func(w Word) bool { return !w.Literal })
}

// List returns the pipelines of the text in their order, but not those within a command.
func (t *Text) List() []Pipeline {
	var list []Pipeline
	after := ""
	for _, s := range t.stmts {
		parts, operators := andOr(s)
		for i, part := range parts {
			if i > 0 {
				after = operators[i-1]
			}
			p := t.pipeline(newCommand(part))
			p.After, p.Background = after, s.Background
			list = append(list, p)
		}
		if after = ";"; s.Background {
			after = "&"
		}
	}
	return list
}

// Only returns the command of a text that consists of one command. It reports false if
// there are several, or if the command is negated or in the background. The text ends with
// the status of the command, or with 1 if a redirection fails.
func (t *Text) Only() (Stage, bool) {
	if len(t.stmts) != 1 {
		return Stage{}, false
	}
	list := t.List()
	p := list[0]
	if len(list) != 1 || len(p.Stages) != 1 || p.Negated || p.Background {
		return Stage{}, false
	}
	return p.Stages[0], true
}

// andOr returns the pipelines that && and || join in a statement, and the operators
// between them.
func andOr(s *syntax.Stmt) (parts []*syntax.Stmt, operators []string) {
	for {
		b, ok := s.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op != syntax.AndStmt && b.Op != syntax.OrStmt {
			break
		}
		parts, operators = append(parts, b.Y), append(operators, b.Op.String())
		s = b.X
	}
	parts = append(parts, s)
	slices.Reverse(parts)
	slices.Reverse(operators)
	return parts, operators
}

// newCommand returns the stages of a pipeline.
func newCommand(s *syntax.Stmt) command {
	c := command{start: s.Position, negated: s.Negated}
	if timed, ok := s.Cmd.(*syntax.TimeClause); ok {
		c.timed = true
		if s = timed.Stmt; s == nil {
			return c
		}
	}
	for {
		b, ok := s.Cmd.(*syntax.BinaryCmd)
		if !ok {
			break
		}
		c.stages = append(c.stages, b.Y)
		c.stderr = append(c.stderr, b.Op == syntax.PipeAll)
		s = b.X
	}
	c.stages = append(c.stages, s)
	slices.Reverse(c.stages)
	slices.Reverse(c.stderr)
	return c
}

func (t *Text) pipeline(c command) Pipeline {
	p := Pipeline{Negated: c.negated, Background: c.background, Stages: make([]Stage, len(c.stages))}
	p.Span = spanOf(c.start, c.start)
	for i, s := range c.stages {
		p.Stages[i] = t.stage(s)
		p.Stages[i].Stderr = i < len(c.stderr) && c.stderr[i]
		p.End = max(p.End, p.Stages[i].End)
	}
	return p
}

func (t *Text) stage(s *syntax.Stmt) Stage {
	stage := Stage{Span: Span{Start: len(t.Source)}}
	switch c := s.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		stage.cover(spanOf(c.Pos(), c.End()))
		for _, a := range c.Assigns {
			stage.Assignments = append(stage.Assignments, t.assignment(a))
		}
		for _, w := range c.Args {
			stage.Argv = append(stage.Argv, t.word(w))
		}
	case *syntax.DeclClause:
		stage.cover(spanOf(c.Pos(), c.End()))
		stage.Argv = append(stage.Argv, Word{spanOf(c.Variant.Pos(), c.Variant.End()), c.Variant.Value, true, true})
		for _, a := range c.Args {
			stage.Argv = append(stage.Argv, t.assignment(a))
		}
	case *syntax.LetClause:
		stage.cover(spanOf(c.Pos(), c.End()))
		stage.Argv = append(stage.Argv, Word{Span{stage.Start, stage.Start + len("let")}, "let", true, true})
		for _, x := range c.Exprs {
			stage.Argv = append(stage.Argv, Word{Span: spanOf(x.Pos(), x.End()), Text: t.slice(x)})
		}
	default:
		stage.cover(spanOf(c.Pos(), c.End()))
	}
	for _, r := range s.Redirs {
		stage.Redirections = append(stage.Redirections, t.redirection(r, &stage))
	}
	if len(stage.Argv) > 0 && (!stage.Argv[0].Literal || slices.Contains(t.functions, stage.Argv[0].Text)) {
		stage.Argv = nil
	}
	return stage
}

// cover extends the stage by a part of it.
func (s *Stage) cover(part Span) { s.Start, s.End = min(s.Start, part.Start), max(s.End, part.End) }

func (t *Text) redirection(r *syntax.Redirect, stage *Stage) Redirection {
	redirection := Redirection{Op: r.Op.String(), Target: t.word(r.Word), Span: spanOf(r.Pos(), r.Word.End())}
	stage.cover(redirection.Span)
	if r.N != nil {
		redirection.Descriptor = r.N.Value
	}
	if redirection.Op[0] == '<' && (r.N == nil || isZero(r.N.Value)) {
		stage.Input = true
	}
	return redirection
}

// isZero reports whether a descriptor is 0.
func isZero(descriptor string) bool {
	for _, digit := range []byte(descriptor) {
		if digit != '0' {
			return false
		}
	}
	return true
}

// assignment returns an assignment, or an argument of declare, as a word.
func (t *Text) assignment(a *syntax.Assign) Word {
	span := spanOf(a.Pos(), a.End())
	switch {
	case a.Naked && a.Index == nil && a.Value != nil:
		return t.word(a.Value)
	case a.Naked && a.Index == nil:
		return Word{span, a.Name.Value, true, true}
	case a.Index != nil || a.Array != nil:
		return Word{Span: span, Text: span.In(t.Source)}
	}
	r := wordReader{text: t}
	r.add(a.Name.Value, true)
	if a.Append {
		r.add("+", true)
	}
	r.add("=", false)
	if a.Value != nil {
		r.parts(a.Value.Parts, false)
	}
	return r.word(span)
}

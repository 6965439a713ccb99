package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A Setter is the command that set the status of a text.
type Setter struct {
	Stage

	// Words is the command as it was written.
	Words string
	// Alone means that all other commands of the text are builtins that run no program, and
	// that the shell reports on standard error if one of them fails.
	Alone bool
	// Others means that there are other commands.
	Others bool
}

// Setter returns the command of which the status of the text is, if that is not 0: the only
// one that can end the text and that does not say on standard error that it failed. "cd d &&
// grep x f" ends with the status of grep, unless the shell says that cd failed. The words of
// an eval are read as a part of the text. Of several calls of test, or [, that can have set the
// status it is the last, since each means the same by it. Setter reports false if several other commands
// can have set the status, and for loops, functions, background jobs, pipelines at the end and
// builtins that end the text early.
func (t *Text) Setter() (Setter, bool) {
	s := setters{Text: t, ok: true, alone: !t.substitutes()}
	s.list(t.stmts, true)
	if !s.ok || len(s.found) == 0 {
		return Setter{}, false
	}
	found := s.found[len(s.found)-1]
	isOther := func(s Setter) bool { return s.Name() != found.Name() && s.Name() != "[[" }
	if isTest := slices.Contains([]string{"test", "[", "[["}, found.Name()); len(s.found) > 1 && !isTest || slices.ContainsFunc(s.found, isOther) {
		return Setter{}, false
	}
	found.Alone, found.Others = s.alone || !s.others, s.others
	return found, true
}

// setters collects the commands that can have set the status of a text.
type setters struct {
	*Text

	found             []Setter
	alone, others, ok bool
	evals             int
}

// maxEvals bounds how many evals of a text are read, since each is parsed again.
const maxEvals = 8

func (s *setters) list(stmts []*syntax.Stmt, decides bool) {
	for i, stmt := range stmts {
		parts, operators := andOr(stmt)
		s.ok = s.ok && !stmt.Background
		alternatives := len(operators) // parts before the last ||, of which none sets the status
		for alternatives > 0 && operators[alternatives-1] != "||" {
			alternatives--
		}
		for k, part := range parts {
			s.pipeline(newCommand(part), decides && i == len(stmts)-1 && k >= alternatives)
		}
	}
}

func (s *setters) pipeline(c command, decides bool) {
	s.ok = s.ok && !(decides && (c.negated || len(c.stages) != 1))
	for _, stage := range c.stages {
		s.stage(stage, decides)
	}
}

func (s *setters) stage(stmt *syntax.Stmt, decides bool) {
	switch c := stmt.Cmd.(type) {
	case *syntax.Block:
		s.list(c.Stmts, decides)
	case *syntax.Subshell:
		s.list(c.Stmts, decides)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			s.list(c.Cond, false)
			s.list(c.Then, decides)
		}
	case *syntax.CallExpr, *syntax.DeclClause, *syntax.LetClause, *syntax.TestClause, *syntax.ArithmCmd:
		s.command(stmt, decides)
		return
	default:
		s.ok = false
	}
	s.ok = s.ok && len(stmt.Redirs) == 0
}

// speaking lists builtins that say on standard error that they failed.
const speaking = " cd echo printf : true pwd export unset umask shopt readonly declare typeset local pushd popd dirs "

// ending lists builtins after which the rest of a text may not run, or not as it is written.
const ending = " exit return break continue kill set trap alias unalias source . enable wait "

func (s *setters) command(stmt *syntax.Stmt, decides bool) {
	raw, stage := s.Text.stage(stmt), s.named(stmt)
	name := " " + stage.Name() + " "
	call, _ := stmt.Cmd.(*syntax.CallExpr)
	switch {
	case call != nil && len(call.Args) == 0: // assignments
		s.ok = s.ok && !strings.ContainsAny(raw.In(s.Source), "`(") && !movesStderr(raw)
		return
	case raw.Name() == "eval" && raw.Literal() && len(raw.Redirections)+len(raw.Assignments) == 0:
		s.eval(raw, decides)
		return
	case raw.Name() == "exec" && len(raw.Argv) == 1:
		s.ok = s.ok && !slices.ContainsFunc(raw.Redirections, func(r Redirection) bool {
			return r.Descriptor != "2" || r.Op != ">&" || r.Target.Text != "1"
		})
		return
	case stage.Name() == "" || raw.Name() == "exec" && !decides || strings.Contains(ending, name) || raw.Name() == "eval":
		s.ok = false
		return
	case strings.Contains(speaking, name):
		s.ok = s.ok && !movesStderr(stage)
	case decides:
		s.found = append(s.found, Setter{Stage: stage, Words: stage.In(s.Source)})
		return
	}
	s.others = true
	s.alone = s.alone && !runsProgram(stmt, stage)
}

// eval reads the words of an eval, which the shell joins with blanks.
func (s *setters) eval(stage Stage, decides bool) {
	s.evals++
	if s.evals > maxEvals || len(s.functions) > 0 {
		s.ok = false
		return
	}
	inner, err := Parse(strings.Join(stage.Args()[1:], " "), s.dialect)
	if err != nil {
		s.ok = false
		return
	}
	outer := s.Text
	s.Text, s.alone = inner, s.alone && !inner.substitutes()
	s.list(inner.stmts, decides)
	s.Text = outer
}

// movesStderr reports whether a redirection of the stage moves its standard error.
func movesStderr(stage Stage) bool {
	return slices.ContainsFunc(stage.Redirections, func(r Redirection) bool {
		return r.Descriptor == "2" || strings.HasPrefix(r.Op, "&") || strings.HasPrefix(r.Descriptor, "{") || r.Op == ">&" && r.Descriptor == "" && strings.Trim(r.Target.Text, "0123456789-") != ""
	})
}

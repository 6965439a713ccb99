package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A Frame is the text that a coding agent adds around a command before it passes the text
// to a shell.
type Frame struct {
	// Client is the agent, by the name that envwrap hook has for it: "claude-code",
	// "codex" or "gemini".
	Client string
	// Command is the command itself, without the quotes of the frame.
	Command string
	// Span is where Command stands in the text, with its quotes.
	Span

	// Shell is the program that runs Command in the place of the shell that runs the
	// text, "" if it is the same. Exec is the offset of the command that starts it.
	Shell string
	Exec  int
}

// Frame returns the frame around the command in a text, and false unless the text has
// exactly the form of a known frame. It knows the frames of Claude Code 2.1, Codex 0.169
// and Gemini CLI 0.61.
func (t *Text) Frame() (Frame, bool) {
	for _, read := range [...]func(*Text) (Frame, bool){(*Text).claude, (*Text).codex, (*Text).gemini} {
		if f, ok := read(t); ok {
			return f, true
		}
	}
	return Frame{}, false
}

// frameMarks are parts of the text of each known frame. A text without any has no frame,
// and need not be parsed to find that out.
var frameMarks = [...]string{"&& pwd -P >|", "__CODEX_SNAPSHOT_", "_bgpids_file="}

// Unframe finds the frame of an agent in argv, "bash -c TEXT". It returns the command line
// that would run the agent's command alone, and the frame with the text that it is in.
// It reports false if there is no frame: bare is argv then.
func Unframe(argv []string) (bare []string, f Frame, text *Text, ok bool) {
	inv, ok := ReadInvocation(argv)
	if !ok || !slices.ContainsFunc(frameMarks[:], func(mark string) bool { return strings.Contains(inv.Text, mark) }) {
		return argv, f, nil, false
	}
	text, err := Parse(inv.Text, inv.Dialect)
	if err != nil {
		return argv, f, nil, false
	}
	if f, ok = text.Frame(); !ok {
		return argv, f, nil, false
	}
	if f.Shell != "" {
		return []string{f.Shell, "-c", f.Command}, f, text, true
	}
	bare = slices.Clone(argv)
	bare[inv.Arg] = f.Command
	return bare, f, text, true
}

// claude reads
//
//	source SNAPSHOT 2>/dev/null || true && ... && eval 'COMMAND' < /dev/null && pwd -P >| FILE
//
// where the redirection of standard input is absent if COMMAND has one.
func (t *Text) claude() (f Frame, ok bool) {
	if len(t.stmts) == 0 {
		return f, false
	}
	last := t.stmts[len(t.stmts)-1]
	parts, operators := andOr(last)
	n := len(parts)
	if last.Background || n < 2 || operators[n-2] != "&&" || n > 2 && operators[n-3] != "&&" {
		return f, false
	}
	run, directory := t.simple(parts[n-2]), t.simple(parts[n-1])
	if !run.is("eval", "") || !directory.is("pwd", "-P") || len(directory.Redirections) != 1 || len(run.Redirections) > 1 {
		return f, false
	}
	if to := directory.Redirections[0]; to.Op != ">|" || to.Descriptor != "" || !to.Target.Literal {
		return f, false
	}
	for _, from := range run.Redirections {
		if from.Op != "<" || from.Descriptor != "" || !from.Target.Literal || from.Target.Text != "/dev/null" {
			return f, false
		}
	}
	return Frame{Client: "claude-code", Command: run.Argv[1].Text, Span: run.Argv[1].Span}, true
}

// codex reads
//
//	__CODEX_SNAPSHOT_OVERRIDE_SET_0="${NAME+x}"
//	...
//	exec '/bin/bash' -c 'COMMAND'
//
// with arguments of the shell after COMMAND.
func (t *Text) codex() (f Frame, ok bool) {
	if !strings.HasPrefix(t.Source, "__CODEX_SNAPSHOT_") || len(t.stmts) < 2 {
		return f, false
	}
	s := t.simple(t.stmts[len(t.stmts)-1])
	if len(s.Argv) < 4 || !s.Literal() || s.Name() != "exec" || s.Argv[2].Text != "-c" || len(s.Redirections)+len(s.Assignments) > 0 {
		return f, false
	}
	return Frame{Client: "codex", Command: s.Argv[3].Text, Span: s.Argv[3].Span, Shell: s.Argv[1].Text, Exec: s.Start}, DialectOf(s.Argv[1].Text) != 0
}

// gemini reads
//
//	shopt -u promptvars nullglob extglob nocaseglob dotglob; _bgpids_file=FILE
//	(
//	  trap 'jobs -p > "$_bgpids_file"' EXIT
//	COMMAND
//	)
//	__code=$?
//	exit $__code
//
// of which the first command is absent in older versions.
func (t *Text) gemini() (f Frame, ok bool) {
	stmts := t.stmts
	if len(stmts) == 5 {
		s := t.simple(stmts[0])
		if !s.Literal() || len(s.Argv) < 3 || s.Name() != "shopt" || s.Argv[1].Text != "-u" || len(s.Redirections) > 0 {
			return f, false
		}
		stmts = stmts[1:]
	}
	if len(stmts) != 4 {
		return f, false
	}
	file, code, exit := t.simple(stmts[0]), t.simple(stmts[2]), t.simple(stmts[3])
	switch {
	case !strings.HasPrefix(file.In(t.Source), "_bgpids_file=") || len(file.Assignments) != 1 || !file.Assignments[0].Literal,
		code.In(t.Source) != "__code=$?", exit.In(t.Source) != "exit $__code":
		return f, false
	}
	sub, ok := stmts[1].Cmd.(*syntax.Subshell)
	if !ok || len(sub.Stmts) < 2 || stmts[1].Negated || stmts[1].Background || len(stmts[1].Redirs) > 0 {
		return f, false
	}
	trap := t.simple(sub.Stmts[0])
	f = Frame{Client: "gemini", Span: Span{trap.End + 1, int(sub.Rparen.Offset()) - 1}}
	if trap.In(t.Source) != `trap 'jobs -p > "$_bgpids_file"' EXIT` || f.End < f.Start || t.Source[trap.End] != '\n' || t.Source[f.End] != '\n' {
		return f, false
	}
	f.Command = f.In(t.Source)
	return f, !strings.HasSuffix(f.Command, `\`)
}

// simple returns a statement that is one command, or a stage without words.
func (t *Text) simple(s *syntax.Stmt) Stage {
	if _, ok := s.Cmd.(*syntax.CallExpr); !ok || s.Negated || s.Background {
		return Stage{}
	}
	return t.stage(s)
}

// is reports whether the stage is a program with one argument, both certain. An argument
// of "" stands for any.
func (s Stage) is(program, argument string) bool {
	return len(s.Argv) == 2 && s.Literal() && s.Name() == program && (argument == "" || s.Argv[1].Text == argument) && len(s.Assignments) == 0
}

package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A Decider is a command whose status a text may end with.
type Decider struct {
	// Stage is the command. Its program is "[[" or "((" for those compound commands.
	Stage
	// Decides means that a status other than 0 of the text, if this command was the last
	// that the shell began, is the status of the command.
	Decides bool
	// Runs means that the command may run a program, or hides what it says on standard
	// error. It is set for all commands of a text with a substitution.
	Runs bool
	// Looks means that what it runs is a program that only reads files and prints: it runs no
	// other program and writes to no file but its output.
	Looks bool
}

// Sole returns the command of a text that consists of one command: a simple command, [[ or
// ((, also in braces or a subshell of its own. The text ends with the
// command's status, unless the shell itself fails before it runs the command: see
// [Stage.Hides].
func (t *Text) Sole() (Stage, bool) {
	stmts := t.stmts
	for len(stmts) == 1 {
		c := newCommand(stmts[0])
		if len(c.stages) != 1 || c.negated || stmts[0].Background {
			return Stage{}, false
		}
		switch inner := c.stages[0].Cmd.(type) {
		case *syntax.Block:
			stmts = inner.Stmts
		case *syntax.Subshell:
			stmts = inner.Stmts
		default:
			s := t.named(c.stages[0])
			return s, len(s.Argv) > 0
		}
		if len(c.stages[0].Redirs) > 0 {
			return Stage{}, false
		}
	}
	return Stage{}, false
}

// Deciders returns all commands that the shell itself executes, with the pipelines'. It
// reports false if the text has loops or subshells, or compound commands with redirections:
// the last command that a trap on DEBUG sees says nothing then.
func (t *Text) Deciders() ([]Decider, bool) {
	d := deciders{Text: t, pipefail: strings.Contains(t.Source, "pipefail"), ok: t.alters == nil, substitutes: t.substitutes()}
	d.list(t.stmts, true)
	return d.found, d.ok
}

type deciders struct {
	*Text

	pipefail, ok, substitutes bool
	found                     []Decider
}

func (d *deciders) list(stmts []*syntax.Stmt, decides bool) {
	for _, s := range stmts {
		parts, _ := andOr(s)
		for _, part := range parts {
			d.pipeline(newCommand(part), decides && !s.Background)
		}
	}
}

func (d *deciders) pipeline(c command, decides bool) {
	last := len(c.stages) - 1
	for i, s := range c.stages {
		decides := decides && !c.negated && i == last && (last == 0 || !d.pipefail)
		if last == 0 {
			d.stage(s, decides)
			return
		}
		d.add(s, decides)
		d.ok = d.ok && (i < last || len(d.found[len(d.found)-1].Argv) > 0) // a subshell is not seen
	}
}

// stage adds the commands in a command that is no stage of a longer pipeline.
func (d *deciders) stage(s *syntax.Stmt, decides bool) {
	switch c := s.Cmd.(type) {
	case *syntax.Block:
		d.list(c.Stmts, decides)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			d.list(c.Cond, false)
			d.list(c.Then, decides)
		}
	case *syntax.CaseClause:
		for _, item := range c.Items {
			d.list(item.Stmts, decides)
		}
	case *syntax.FuncDecl:
		return
	case nil:
	case *syntax.CallExpr, *syntax.DeclClause, *syntax.LetClause, *syntax.TestClause, *syntax.ArithmCmd:
		d.add(s, decides)
		return
	default:
		d.ok = false
	}
	d.ok = d.ok && len(s.Redirs) == 0
}

func (d *deciders) add(s *syntax.Stmt, decides bool) {
	stage := d.named(s)
	d.found = append(d.found, Decider{
		Stage: stage, Decides: decides, Runs: d.substitutes || runsProgram(s, stage) || movesStderr(stage),
		Looks: !d.substitutes && strings.Contains(looking, " "+stage.Name()+" ") && !d.Defines(stage.Name()) && len(stage.Assignments) == 0,
	})
}

// named returns a stage, in which [[ and (( have names.
func (t *Text) named(s *syntax.Stmt) Stage {
	stage := t.stage(s)
	switch s.Cmd.(type) {
	case *syntax.TestClause:
		stage.Argv = []Word{{Text: "[[", Literal: true, Single: true}}
	case *syntax.ArithmCmd:
		stage.Argv = []Word{{Text: "((", Literal: true, Single: true}}
	}
	for len(stage.Argv) > 1 && slices.Contains([]string{"exec", "command", "builtin"}, stage.Argv[0].Text) && !strings.HasPrefix(stage.Argv[1].Text, "-") {
		if stage.Argv = stage.Argv[1:]; !stage.Argv[0].Literal {
			stage.Argv = nil
		}
	}
	return stage
}

// FindDecider returns the decider that a shell named as its last command, as in BASH_COMMAND.
// It reports false if no command is that one, or if one of several such commands does not decide.
// others says what the other commands can have run.
func FindDecider(deciders []Decider, named string) (command Stage, others Others, ok bool) {
	text, err := Parse(named, Bash)
	if err != nil {
		return Stage{}, 0, false
	}
	last, ok := text.Sole()
	if !ok {
		return Stage{}, 0, false
	}
	others, ok = Builtins, false
	for _, d := range deciders {
		switch {
		case !slices.Equal(d.Args(), last.Args()):
			others = min(others, d.others())
		case !d.Decides:
			return Stage{}, 0, false
		default:
			command, ok = d.Stage, true
		}
	}
	return command, others, ok
}

func (d *Decider) others() Others {
	switch {
	case !d.Runs:
		return Builtins
	case d.Looks:
		return Lookers
	}
	return Programs
}

// Others says which programs a text's other commands, which did not decide its status, can have run.
type Others int

const (
	Programs Others = iota // any program, which can have forged the shell's answer
	Lookers                // programs that only read and print
	Builtins               // none
)

// looking lists programs that run no other one and write no file, unless an option of a text
// that is read says so.
const looking = " ls cat head tail wc stat file du df grep egrep fgrep diff cmp basename dirname realpath readlink date id whoami hostname uname sleep tree tac nl cut tr uniq jq md5sum sha1sum sha256sum od xxd strings "

// harmless lists builtins that run no program and no text.
const harmless = " cd [ [[ (( test echo printf set shopt export declare typeset local readonly unset true false : pwd pushd popd dirs umask type hash command let exit shift wait "

// substitutes reports whether the text may have a substitution, in whatever command.
func (t *Text) substitutes() bool {
	return slices.ContainsFunc([]string{"`", "$(", "<(", ">("}, func(mark string) bool { return strings.Contains(t.Source, mark) })
}

// runsProgram reports whether a command without substitutions, whose stage is given, may run
// a program: it is no builtin that runs none.
func runsProgram(s *syntax.Stmt, stage Stage) bool {
	if call, ok := s.Cmd.(*syntax.CallExpr); ok && len(call.Args) == 0 { // assignments
		return false
	}
	return !strings.Contains(harmless, " "+stage.Name()+" ")
}

// Plain reports whether the shell cannot fail before it runs the program: all words are
// literal, and no redirection opens a file but /dev/null.
func (s Stage) Plain() bool {
	opens := slices.ContainsFunc(s.Redirections, Redirection.opens)
	return s.Literal() && !opens && len(s.Assignments) == 0
}

// Hides reports whether the shell may fail without a message on its own standard error
// before it runs the program: a file is opened when standard error has already been
// redirected.
func (s Stage) Hides() bool {
	moved := false
	for _, r := range s.Redirections {
		if moved && r.opens() {
			return true
		}
		moved = moved || r.Descriptor == "2" || strings.Contains(r.Op, "&")
	}
	return false
}

// opens reports whether a redirection opens a file that may be missing or forbidden.
func (r Redirection) opens() bool {
	switch {
	case strings.HasPrefix(r.Op, "<<"), r.Target.Literal && r.Target.Text == "/dev/null":
		return false
	case r.Op == ">&" || r.Op == "<&":
		return !r.Target.Literal || strings.Trim(r.Target.Text, "0123456789-") != ""
	}
	return true
}

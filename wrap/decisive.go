package wrap

import (
	"path"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/exitcode"
	"github.com/envwrap/envwrap/internal/shared/shell"
)

// maxTexts bounds how many shells in the texts of shells are looked into.
const maxTexts = 4

// decisive returns the command line whose status the status of the run is. It is the command
// itself, or of a shell's text the command that is known to have set the status: the only
// one, or the one that bash named. What runs the shell (env, timeout) stays in front. An
// answer of bash that a program of the text could have forged makes no failure ok.
func (j *judgement) decisive() []string {
	argv := j.c.Argv
	if !j.exited() {
		return argv
	}
	for i := range maxTexts {
		through := exitcode.Through(argv)
		inv, ok := shell.ReadInvocation(through)
		if !ok {
			break
		}
		stage, words, ok := j.decider(inv, through[0], i == 0)
		if !ok || stage.Hides() || !stage.Plain() && j.shellFailed(through[0], stage.Name()) {
			break
		}
		argv = slices.Concat(argv[:len(argv)-len(through)], stage.Args())
		j.uncertain = j.uncertain || j.followsFailure(words) || j.shellFailed(through[0], stage.Name())
	}
	if through := exitcode.Through(argv); len(through) > 0 && isOwnScript(through[0]) {
		j.uncertain = true
	}
	return argv
}

// followsFailure reports whether the status of a command of a shell may be the
// consequence of a failure before it: its words have the status of the command before, or
// the output of another command, and something was printed on standard error.
func (j *judgement) followsFailure(words string) bool {
	for _, status := range [...]string{"$?", "${?", "PIPESTATUS"} {
		if strings.Contains(words, status) {
			return true
		}
	}
	printed := len(j.res.Stderr.Tail) > 0 || j.c.Merge && len(j.res.Stdout.Tail) > 0
	return printed && (strings.Contains(words, "$(") || strings.Contains(words, "`"))
}

// isOwnScript reports whether a program is named by a relative path, and its name is one
// that projects give to scripts of their own: ./test is not test(1).
func isOwnScript(name string) bool {
	return strings.Contains(name, "/") && !path.IsAbs(name) &&
		slices.Contains([]string{"test", "[", "which", "expr", "type", "hash", "command", "sort", "cmp"}, path.Base(name))
}

// decider returns the command that decided the status of a text that program runs, and its words in the text.
// If the text is the outermost one, bash may have been asked. Else the
// grammar may leave only one command, if the shell says of no other that it failed.
func (j *judgement) decider(inv shell.Invocation, program string, outermost bool) (stage shell.Stage, words string, ok bool) {
	if own, known := j.stageStatuses(); outermost && known && own >= 0 {
		return shell.Stage{}, "", false // byPipeline speaks
	}
	text, err := shell.Parse(inv.Text, inv.Dialect)
	if err != nil {
		return shell.Stage{}, "", false
	}
	setter, found := text.Setter()
	if found && setter.Others {
		found = j.runsAsWritten(inv) && !j.shellSaid(program, inv.Text)
	}
	asked := outermost && j.probe != nil && j.probe.command != nil
	switch {
	case found && (setter.Alone || !asked || j.silent(inv.Text)):
		j.uncertain = j.uncertain || !setter.Alone && !j.silent(inv.Text)
		return setter.Stage, setter.Words, !j.isFunction(setter.Stage)
	case asked:
		looked := j.probe.others == shell.Lookers && j.silent(inv.Text) && !j.hasVariable("BASH_FUNC_")
		j.uncertain = j.probe.others != shell.Builtins && !looked
		return *j.probe.command, j.probe.command.In(inv.Text), true
	}
	stage, ok = text.Sole()
	return stage, stage.In(inv.Text), ok && !j.isFunction(stage)
}

// silent reports whether nothing was printed on standard error, and the text redirects standard
// error to /dev/null at most: no command before the last one that failed has complained.
func (j *judgement) silent(text string) bool {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "2> /dev/null", ""), "2>/dev/null", "")
	return j.res.Stderr.Bytes == 0 && !j.c.Merge && !strings.Contains(text, "2>") && !strings.Contains(text, "&>") && !strings.Contains(text, ">&") && !strings.Contains(text, "|&")
}

// isFunction reports whether the environment has a function with the name of a stage's program.
func (j *judgement) isFunction(stage shell.Stage) bool {
	return j.hasVariable("BASH_FUNC_" + stage.Name() + "%%=")
}

func (j *judgement) hasVariable(prefix string) bool {
	return slices.ContainsFunc(j.c.Env, func(pair string) bool { return strings.HasPrefix(pair, prefix) })
}

// runsAsWritten reports whether no option and no variable makes the shell end a text early or
// give the commands another meaning.
func (j *judgement) runsAsWritten(inv shell.Invocation) bool {
	usual := []string{"-l", "-u", "-h", "-f", "nounset", "noglob", "--norc", "--noprofile", "--login", "--posix"}
	odd := slices.ContainsFunc(inv.Options, func(option string) bool { return !slices.Contains(usual, option) })
	return !odd && inv.Dialect != shell.Zsh && !j.hasVariable("BASH_FUNC_") && !j.hasVariable("BASH_ENV=/") && !j.hasVariable("SHELLOPTS=")
}

// shellSaid reports whether a line of the output begins with the name of the shell, or
// whether the output is not known whole.
func (j *judgement) shellSaid(program, text string) bool {
	streams := []*envelope.Stream{&j.res.Stderr}
	if j.c.Merge || strings.Contains(text, "2>&1") {
		streams = append(streams, &j.res.Stdout)
	}
	for _, s := range streams {
		if s.Bytes > int64(len(s.Tail)) {
			return true
		}
		for line := range strings.Lines(string(s.Tail)) {
			if strings.HasPrefix(line, program+": ") || strings.HasPrefix(line, path.Base(program)+": ") {
				return true
			}
		}
	}
	return false
}

// shellFailed reports whether a shell said on standard error that it failed itself:
// "bash: line 1: x: unbound variable", "sh: 1: cannot open f: No such file". What it says
// of a builtin by name is the builtin's message.
func (j *judgement) shellFailed(name, builtin string) bool {
	text := j.res.Stderr.Tail
	if j.c.Merge {
		text = j.res.Stdout.Tail
	}
	for line := range strings.Lines(string(text)) {
		rest, ok := strings.CutPrefix(line, name+": ")
		if !ok {
			continue
		}
		rest = strings.TrimPrefix(rest, "line ")
		message := strings.TrimLeft(rest, "0123456789")
		if message != rest && strings.HasPrefix(message, ": ") && !strings.HasPrefix(message, ": "+path.Base(builtin)+": ") {
			return true
		}
	}
	return false
}

package wrap

import (
	"path"
	"slices"
	"strings"

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
		stage, ok := j.decider(inv, i == 0)
		if !ok || stage.Hides() || !stage.Plain() && j.shellFailed(through[0], stage.Name()) {
			break
		}
		argv = slices.Concat(argv[:len(argv)-len(through)], stage.Args())
		j.uncertain = j.uncertain || j.followsFailure(stage.In(inv.Text)) || j.shellFailed(through[0], stage.Name())
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
	return len(j.res.Stderr.Tail) > 0 && (strings.Contains(words, "$(") || strings.Contains(words, "`"))
}

// isOwnScript reports whether a program is named by a relative path, and its name is one
// that projects give to scripts of their own: ./test is not test(1).
func isOwnScript(name string) bool {
	return strings.Contains(name, "/") && !path.IsAbs(name) &&
		slices.Contains([]string{"test", "[", "which", "expr", "type", "hash", "command", "sort", "cmp"}, path.Base(name))
}

// decider returns the command that decided the status of a text. If the text is the
// outermost one, bash may have been asked.
func (j *judgement) decider(inv shell.Invocation, outermost bool) (shell.Stage, bool) {
	if own, known := j.stageStatuses(); outermost && known && own >= 0 {
		return shell.Stage{}, false // byPipeline speaks
	}
	if outermost && j.probe != nil && j.probe.command != nil {
		j.uncertain = !j.probe.certain
		return *j.probe.command, true
	}
	text, err := shell.Parse(inv.Text, inv.Dialect)
	if err != nil {
		return shell.Stage{}, false
	}
	stage, ok := text.Sole()
	function := "BASH_FUNC_" + stage.Name() + "%%="
	return stage, ok && !slices.ContainsFunc(j.c.Env, func(pair string) bool { return strings.HasPrefix(pair, function) })
}

// shellFailed reports whether a shell said on standard error that it failed itself:
// "bash: line 1: x: unbound variable", "sh: 1: cannot open f: No such file". What it says
// of a builtin by name is the builtin's message.
func (j *judgement) shellFailed(name, builtin string) bool {
	for line := range strings.Lines(string(j.res.Stderr.Tail)) {
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

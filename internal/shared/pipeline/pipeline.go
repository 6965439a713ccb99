// Package pipeline finds out the exit statuses of the stages of a shell pipeline.
//
// A shell reports only the status of the last stage, so that
// "make 2>&1 | tail -5" succeeds where make failed. For "bash -c TEXT" the
// package gives three things: [Read] returns the pipeline that TEXT ends with, and the
// commands of which one decides its status; [Probe] makes a start-up file for bash that
// records PIPESTATUS when the shell exits, and the command that it began last; and
// [ReadsAll] says whether a stage reads its input to the end. Only then is an early status
// the stage's own, and not the consequence of a reader that went away.
//
// The package reads no output and decides no outcome. Its functions keep no
// state.
package pipeline

import (
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/shell"
)

// Read returns what bash can be asked about the command argv. It reports false unless argv is
// "bash -c TEXT", TEXT, or the command in the frame that TEXT is, has two commands or more, and
// bash's options leave
// its start-up files and its output alone: neither -x nor -v (bash would show the start-up
// file), nor -p, -r, -i and -s. Nor may TEXT turn -v on, which would show the traps. Nor may env, the environment of the command, set -x or -v, or
// have a function with the name of a command's program, since that name says nothing then. Of zsh
// only commands in the frame of Claude Code are read.
func Read(argv, env []string) (*Line, bool) {
	inv, ok := shell.ReadInvocation(argv)
	if ok && inv.Dialect == shell.Zsh {
		return readZsh(argv, inv.Text)
	}
	if !ok || inv.Dialect != shell.Bash || !strings.ContainsAny(inv.Text, "|&;\n") || slices.ContainsFunc(inv.Options, unusual) || !probeable(env) {
		return nil, false
	}
	l := &Line{argv: argv, text: inv.Text}
	if bare, f, _, ok := shell.Unframe(argv); ok {
		l.frame = f
		inv, ok = shell.ReadInvocation(bare)
		if !ok || inv.Dialect != shell.Bash || len(l.text) > maxFramed {
			return nil, false
		}
	}
	if turnsVerbose(inv.Text) {
		return nil, false
	}
	text, err := shell.Parse(inv.Text, shell.Bash)
	if err != nil {
		return nil, false
	}
	if last, err := text.Last(); err == nil && len(last.Stages) > 1 && !shadowed(env, last.Stages) {
		l.LastPipeline = last
	}
	l.readDeciders(text, inv, env)
	if l.readKept(text, env); l.LastPipeline == nil && l.Deciders == nil {
		l.Kept = nil // no start-up file restores BASH_EXECUTION_STRING
	}
	return l, l.LastPipeline != nil || l.Deciders != nil
}

// shownByZsh lists words of texts for zsh that may show the lines that envwrap adds to a text, or
// run them more than once.
var shownByZsh = [...]string{"trap", "TRAP", "ZERR", "xtrace", "verbose", "set -x", "set -v", "set -ex", "set -eux", "pipestatus", "LINENO", "EXECUTION_STRING"}

// readZsh returns what zsh can be asked about a command line: how the stages of the last pipeline
// ended, if the text is a command in the frame of Claude Code. A text of zsh without a frame is
// not changed, and no start-up file of envwrap's own takes the place of the user's.
func readZsh(argv []string, text string) (*Line, bool) {
	bare, f, _, ok := shell.Unframe(argv)
	if !ok || f.Client != "claude-code" || len(text) > maxFramed {
		return nil, false
	}
	inv, ok := shell.ReadInvocation(bare)
	if !ok || len(inv.Options) > 0 {
		return nil, false
	}
	for _, word := range shownByZsh {
		if strings.Contains(inv.Text, word) {
			return nil, false
		}
	}
	command, err := shell.Parse(inv.Text, shell.Zsh)
	if err != nil {
		return nil, false
	}
	last, err := command.Last()
	if err != nil || len(last.Stages) < 2 {
		return nil, false
	}
	return &Line{LastPipeline: last, argv: argv, text: text, frame: f, zsh: true}, true
}

// readDeciders sets Deciders where a trap on DEBUG sees which of several commands was the
// last. It does not in the subshell of Gemini's frame.
func (l *Line) readDeciders(text *shell.Text, inv shell.Invocation, env []string) {
	deciders, known := text.Deciders()
	if !known || len(deciders) < 2 || l.frame.Client == "gemini" || slices.Contains(inv.Options, "pipefail") || showsTrap(inv.Text) || waitsForJob(inv.Text) {
		return
	}
	stages := make([]shell.Stage, len(deciders))
	for i := range deciders {
		stages[i] = deciders[i].Stage
	}
	if !shadowed(env, stages) {
		l.Deciders = deciders
	}
}

// showsTrap reports whether a text may show a trap on DEBUG, or keep it from writing.
func showsTrap(text string) bool {
	for _, word := range [...]string{"trap", "ulimit", "BASH_XTRACEFD", "BASH_COMMAND", "BASH_ARG", "extdebug", "functrace", "restricted", "set -r", "set -T", "declare -p", "typeset -p"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// turnsVerbose reports whether a text may turn bash's option verbose on: bash then shows each trap
// that it runs, and each line that it reads.
func turnsVerbose(text string) bool {
	options, name := false, false // whether the word is an option of set, and the name of one
	for word := range strings.FieldsSeq(text) {
		switch word = strings.Trim(word, "(){}!;&|`\"'"); {
		case word == "set", word == "shopt":
			options, name = true, false
		case options && strings.HasPrefix(word, "-"):
			if strings.Contains(word, "v") {
				return true
			}
			name = strings.Contains(word, "o")
		case options && name && word == "verbose":
			return true
		case !strings.HasPrefix(word, "+"):
			options = name
			name = false
		}
	}
	return false
}

// waitsForJob reports whether a text waits for a job by its number, as in "kill %1; wait %1".
// Without a trap bash mostly gets there before it learns that the job is over, and knows its
// status; later it says that there is no such job.
func waitsForJob(text string) bool {
	return strings.Contains(text, "%") && strings.Contains(text, "wait")
}

// probeable reports whether bash sources its start-up file (BASH_ENV) without tracing it,
// that is without xtrace and verbose.
func probeable(env []string) bool {
	options, _ := variable(env, "SHELLOPTS")
	return !strings.Contains(options, "xtrace") && !strings.Contains(options, "verbose")
}

// shadowed reports whether a function in the environment has the name of a
// stage's program: then the name says nothing.
func shadowed(env []string, stages []shell.Stage) bool {
	return slices.ContainsFunc(env, func(pair string) bool {
		function, ok := strings.CutPrefix(pair, "BASH_FUNC_")
		if !ok {
			return false
		}
		name, _, _ := strings.Cut(function, "%%=")
		return slices.ContainsFunc(stages, func(s shell.Stage) bool { return s.Name() == name })
	})
}

// unusual reports whether an option of bash may change what its start-up file does.
func unusual(option string) bool {
	return !contains("-e -f -l -h -u -B -C pipefail errexit nounset noglob --norc --noprofile --login", option)
}

// Package pipeline finds out the exit statuses of the stages of a shell pipeline.
//
// A shell reports only the status of the last stage, so that
// "make 2>&1 | tail -5" succeeds where make failed. For "bash -c TEXT" the
// package gives three things: [Read] returns the pipeline that TEXT ends with,
// [Probe] makes a start-up file for bash that records PIPESTATUS when the shell
// exits, and [ReadsAll] says whether a stage reads its input to the end. Only then
// is an early status the stage's own, and not the consequence of a reader that
// went away.
//
// The package reads no output and decides no outcome. Its functions keep no
// state.
package pipeline

import (
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/shell"
)

// Read returns the pipeline that the command argv ends with. It reports false unless argv is
// "bash -c TEXT", TEXT, or the command in the frame that TEXT is, ends with a pipeline of
// two or more stages, and bash's options leave
// its start-up files and its output alone: neither -x nor -v (bash would show the start-up
// file), nor -p, -r, -i and -s. Nor may env, the environment of the command, set -x or -v, or
// have a function with the name of a stage's program, since that name says nothing then.
func Read(argv, env []string) (*Line, bool) {
	inv, ok := shell.ReadInvocation(argv)
	if !ok || inv.Dialect != shell.Bash || !strings.Contains(inv.Text, "|") || slices.ContainsFunc(inv.Options, unusual) {
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
	text, err := shell.Parse(inv.Text, shell.Bash)
	if err != nil {
		return nil, false
	}
	l.LastPipeline, err = text.Last()
	return l, err == nil && len(l.Stages) > 1 && probeable(env) && !shadowed(env, l.Stages)
}

// maxFramed bounds a text with a frame, in bytes, so that what Run makes of it fits in one
// argument.
const maxFramed = 100_000

// probeable reports whether bash reads its start-up file in silence.
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

// variable returns the value of an environment variable: of several, the last,
// as bash takes it.
func variable(env []string, name string) (value string, set bool) {
	for _, pair := range env {
		if v, ok := strings.CutPrefix(pair, name+"="); ok {
			value, set = v, true
		}
	}
	return value, set
}

// unusual reports whether an option of bash may change what its start-up file does.
func unusual(option string) bool {
	return !contains("-e -f -l -h -u -B -C pipefail errexit nounset noglob --norc --noprofile --login", option)
}

//go:build unix

package wrap_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// frames put a command into the text that an agent hands to bash.
var frames = map[string]func(command string) string{
	"none": func(c string) string { return c },
	"claude-code": func(c string) string {
		return "source /nonexistent 2>/dev/null || true && shopt -u extglob 2>/dev/null || true && eval " + double(c) + " < /dev/null && pwd -P >| cwd"
	},
	"codex": func(c string) string {
		return "__CODEX_SNAPSHOT_OVERRIDE_SET_0=\"${X+x}\"\nif false; then . /nonexistent; fi\n\nexec '/bin/bash' -c " + double(c)
	},
	"gemini": func(c string) string {
		return "shopt -u promptvars nullglob extglob nocaseglob dotglob; _bgpids_file=bgpids\n(\n" +
			"  trap 'jobs -p > \"$_bgpids_file\"' EXIT\n" + c + "\n)\n__code=$?\nexit $__code"
	},
}

// double quotes a command as Claude Code and Codex do.
func double(command string) string {
	return "'" + strings.ReplaceAll(command, "'", `'"'"'`) + "'"
}

// A command in the frame of an agent ends as it does alone: status, outcome, statuses of its
// pipeline, message, output.
func TestFrames(t *testing.T) {
	t.Parallel()
	in := shell(t, "", "BASH_ENV=/nonexistent")
	ran := func(t *testing.T, text string) *envelope.Result {
		c := command(t, "none")
		c.Process = in.Process
		c.Argv = []string{in.Argv[0], "-c", text}
		return run(t, c)
	}
	for _, text := range []string{
		"false | tail -1", "make 2>&1 | tail -5", "cat words | tail -1", "ls | grep zzz", "cat words | diff - other", "grep x nosuch | cat",
		"true; false | tee 'a b' # done", "cat <<'X' | sh -c 'cat; exit 5' | cat\nit's\nX", "set -u; false | cat", "IFS=0123456789; sh -c 'exit 42' | cat",
		"cat words | sh -c 'cat >/dev/null; exit 3'", "nosuchprogram 2>/dev/null", "echo \"$BASH_ENV\" | cat", "echo \"$BASH_COMMAND\" | wc -c | tr -d ' '; false | cat", "exit 7",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			want := ran(t, text)
			for client, frame := range frames {
				if client == "none" {
					continue
				}
				got := ran(t, frame(text))
				if got.Outcome.Kind != want.Outcome.Kind || got.ExitStatus != want.ExitStatus || !slices.Equal(got.Pipeline, want.Pipeline) ||
					got.Outcome.Message != want.Outcome.Message || got.Outcome.Hint != want.Outcome.Hint || got.Stdout.Text != want.Stdout.Text {
					t.Errorf("%s: %s, %d, stages %v, %q, hint %q, printed %q; want %s, %d, %v, %q, hint %q, %q",
						client, got.Outcome.Kind, got.ExitStatus, got.Pipeline, got.Outcome.Message, got.Outcome.Hint, got.Stdout.Text,
						want.Outcome.Kind, want.ExitStatus, want.Pipeline, want.Outcome.Message, want.Outcome.Hint, want.Stdout.Text)
				}
			}
		})
	}
}

// With zsh as the user's shell the stages of a command in Claude Code's frame are known, too, and
// it ends and prints as it does without that, whatever options are set. A program that zsh does
// not find did not start.
func TestFrameOfZsh(t *testing.T) {
	t.Parallel()
	zsh, err := exec.LookPath("zsh")
	if err != nil {
		t.Skip("zsh is not installed: it has nothing to say of stages")
	}
	for _, options := range []string{"", "setopt ksharrays noclobber shwordsplit shglob noglob; ", "setopt ignorebraces nounset extendedglob rcquotes banghist; ", "emulate ksh; ", "setopt xtrace; "} {
		for text, want := range map[string][]int{
			"false | tail -1": {1, 0}, "sh -c 'exit 3' | cat | sh -c 'exit 4'": {3, 0, 4}, "false | cat # x": {1, 0}, "false | exit 5": nil,
			"cat <<'X' | sh -c 'cat; exit 5' | cat\nit's\nX\n": {0, 5, 0}, "echo a | cat": nil, "false; true": nil, "set -x; false | cat": nil,
		} {
			framed := options + frames["claude-code"](text)
			framed = strings.NewReplacer("shopt", "true", "/nonexistent", "/dev/null").Replace(framed)
			cmd := shell(t, "", "TMPPREFIX="+filepath.Join(t.TempDir(), "zsh")) // of the files of here documents
			cmd.Argv = []string{zsh, "-c", framed}
			res := run(t, cmd)
			alone := exec.Command(zsh, "-c", framed)
			alone.Dir, alone.Env = cmd.Dir, cmd.Env
			var errs strings.Builder
			alone.Stderr = &errs
			out, _ := alone.Output() // its status is compared
			if strings.Contains(options, "xtrace") {
				want = nil // what asks for the stages would show
				if strings.Count(res.Stderr.Text, "\n") != strings.Count(errs.String(), "\n") || strings.Contains(res.Stderr.Text, "envwrap") {
					t.Errorf("%s: traced %q, want %q", framed, res.Stderr.Text, errs.String())
				}
			}
			if status := alone.ProcessState.ExitCode(); res.ExitStatus != status || res.Stdout.Text != string(out) || !slices.Equal(res.Pipeline, want) {
				t.Errorf("%s: status %d, %q, stages %v, stderr %q; want %d, %q, %v", framed, res.ExitStatus, res.Stdout.Text, res.Pipeline, res.Stderr.Text, status, out, want)
			}
		}
	}
	cmd := shell(t, "")
	cmd.Argv = []string{zsh, "-c", "eval 'gti status' </dev/null && pwd -P >| cwd"}
	if o := run(t, cmd).Outcome; o.Kind != envelope.NotStarted || o.Code != envelope.ENOTFOUND {
		t.Errorf("gti: %s, %s", o.Kind, o.Code)
	}
}

// The text that the shell says it runs is the one that it was given, and set -x shows
// nothing of envwrap's.
func TestFrameIsUnchanged(t *testing.T) {
	t.Parallel()
	for client, frame := range frames {
		text := frame(`set -x; printf "%s" "$BASH_EXECUTION_STRING"; false | cat`)
		res := run(t, shell(t, text))
		want := text
		if client == "codex" {
			want = `set -x; printf "%s" "$BASH_EXECUTION_STRING"; false | cat`
		}
		if res.Stdout.Text != want || strings.Contains(res.Stderr.Text, "envwrap") || !slices.Equal(res.Pipeline, []int{1, 0}) {
			t.Errorf("%s: %q ran as %q, stages %v, and showed %q", client, want, res.Stdout.Text, res.Pipeline, res.Stderr.Text)
		}
	}
}

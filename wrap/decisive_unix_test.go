//go:build unix

package wrap_test

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// The status of a shell's text is read as that of the command which set it, where that is
// certain.
func TestDecisiveCommand(t *testing.T) {
	t.Parallel()
	const (
		negative = envelope.Negative
		changes  = envelope.Changes
		failure  = envelope.Failure
		missing  = envelope.NotStarted
	)
	in := shell(t, "mkdir -p d && cp words d/x && printf '#!/nosuch/interpreter\\n' > d/script && printf '#!/bin/sh\necho 3 checks failed >&2; exit 1\n' > d/test && chmod +x d/script d/test")
	if res := run(t, in); !res.Outcome.OK() {
		t.Fatal(res.Outcome.Message)
	}
	for _, c := range []struct {
		shell, text string
		kind        envelope.Kind
		code        envelope.Code
		hint        string
	}{
		{"bash", "grep zzz words", negative, "", ""},
		{"bash", "cd d && grep zzz ../words", negative, "", ""},
		{"bash", "cd nosuch && grep zzz words", failure, envelope.ERUNTIME, ""},
		{"bash", "[ -f nosuch ] && echo yes", negative, "", ""},
		{"bash", "[[ a == b ]]", negative, "", ""},
		{"bash", "cd d; (( 0 ))", negative, "", ""},
		{"bash", "command -v nosuchprog", negative, "", ""},
		{"sh", "command -v nosuchprog", negative, "", ""},
		{"bash", "cd d && diff x ../other", changes, "", ""},
		{"sh", "diff words other", changes, "", ""},
		{"sh", "sh -c 'grep zzz words'", negative, "", ""},
		{"bash", "set -e\ncd d\ngrep zzz x\necho done", negative, "", ""},
		{"bash", "if cd d; then grep zzz x; fi", negative, "", ""},
		{"bash", "cd d && exec grep zzz x", negative, "", ""},
		{"bash", "eval 'cd d && grep zzz x' < /dev/null && pwd -P >| cwd", negative, "", ""}, // as Claude Code runs it
		{"sh", "cd d && grep zzz x", negative, "", ""},
		{"sh", "cd d && diff x ../other", changes, "", ""},
		{"sh", "[ -f nosuch ] && echo yes", negative, "", ""},
		{"sh", "echo a; false || grep zzz words", negative, "", ""},
		{"sh", "cd d; if [ -f x ]; then grep zzz x; fi", negative, "", ""},
		{"sh", "cd d && cat nosuch", failure, envelope.ENOTFOUND, ""},
		{"sh", "make -s nosuch; cat nosuch", failure, envelope.ENOTFOUND, ""},
		{"bash", "eval 'grep zzz words'", negative, "", ""},
		{"bash", "eval grep zzz words", negative, "", ""},
		{"bash", "exec 2>&1; grep zzz words", negative, "", ""},
		{"bash", "(cd d; grep zzz x)", negative, "", ""},
		{"bash", frames["gemini"]("cd d && grep zzz x"), negative, "", ""},
		{"bash", frames["gemini"]("[ -f nosuch ] && echo yes"), negative, "", ""},
		{"bash", frames["gemini"]("cd nosuch; grep zzz words"), failure, envelope.ERUNTIME, ""},
		{"bash", frames["gemini"]("make -s nosuch; grep zzz words"), failure, envelope.ERUNTIME, ""},
		{"bash", "ls nosuch && grep zzz words", failure, envelope.ENOTFOUND, ""},
		{"bash", "make -s nosuch; cat nosuch", failure, envelope.ENOTFOUND, ""},
		{"bash", "cat words | grep zzz | wc -l; grep zzz words", negative, "", ""},
		{"bash", "cat words && grep zzz words", negative, "", ""},
		{"bash", "test -d nosuch && ls nosuch", negative, "", ""},
		{"bash", "[ -f words ] && cat nosuch", failure, envelope.ENOTFOUND, ""},
		{"bash", "ls nosuch 2>/dev/null; grep zzz words", negative, "", ""},
		{"sh", "true; cat words; grep zzz words", negative, "", ""},
		// What only looks like that, or what make could make look like that.
		{"bash", "make -s nosuch; grep zzz words", failure, envelope.ERUNTIME, ""},
		{"bash", "ls nosuch 2>&1; grep zzz words", failure, envelope.ERUNTIME, ""},
		{"sh", "ls nosuch; grep zzz words", failure, envelope.ERUNTIME, ""},
		{"bash", "sh -c : && grep zzz words", failure, envelope.ERUNTIME, ""},
		{"bash", "grep zzz < nosuch", failure, envelope.ERUNTIME, ""},
		{"bash", "cd d && grep zzz x > no/such/file", failure, envelope.ERUNTIME, ""},
		{"bash", "cd d && grep zzz $((1/0)) x", failure, envelope.ERUNTIME, ""},
		{"bash", "cd d && grep zzz x 2>/dev/null < nosuch", failure, envelope.ERUNTIME, ""},
		{"bash", "grep zzz words; exit 1", failure, envelope.ERUNTIME, ""},
		{"bash", "grep zzz words; (exit 1)", failure, envelope.ERUNTIME, ""},
		{"bash", "cd d; ! grep a x", failure, envelope.ERUNTIME, ""},
		{"bash", "grep() { return 1; }; cd d; grep zzz x", failure, envelope.ERUNTIME, ""},
		{"bash", "cd nosuch 2>/dev/null; test -f nosuch", failure, envelope.ERUNTIME, ""},
		{"bash", "cd nosuch 2>&1; grep zzz words", failure, envelope.ERUNTIME, ""},
		{"bash", "exec 2>/dev/null; cd nosuch; grep zzz words", failure, envelope.ERUNTIME, ""},
		{"bash", "exec 2>&1; cd nosuch; grep zzz words", failure, envelope.ERUNTIME, ""},
		{"bash", "exec > nosuch/f 2>&1; grep zzz words", failure, envelope.ERUNTIME, ""},
		{"bash", "eval 'cd nosuch'; grep zzz words", failure, envelope.ERUNTIME, ""},
		{"bash", "eval 'cd nosuch; grep zzz words'", failure, envelope.ERUNTIME, ""},
		{"bash", "eval 'make -s nosuch; grep zzz words'", failure, envelope.ERUNTIME, ""},
		{"bash", "(make -s nosuch; grep zzz words)", failure, envelope.ERUNTIME, ""},
		{"bash", "(set -e; [ -f nosuch ]; grep zzz words)", failure, envelope.ERUNTIME, ""},
		{"sh", "cd nosuch; grep zzz words", failure, envelope.ERUNTIME, ""},
		{"sh", "cd nosuch 2>/dev/null; grep zzz words", failure, envelope.ERUNTIME, ""},
		{"sh", "cd nosuch && grep zzz words", failure, envelope.ERUNTIME, ""},
		{"sh", "make -s nosuch; grep zzz words", failure, envelope.ERUNTIME, ""},
		{"sh", "cat nosuch | grep zzz", failure, envelope.ERUNTIME, ""},
		{"sh", "set -e; [ -f nosuch ]; grep zzz words", failure, envelope.ERUNTIME, ""},
		{"sh", "x=$(cat nosuch); grep zzz words", failure, envelope.ERUNTIME, ""},
		{"sh", "[ -d d ] && grep zzz words", failure, envelope.ERUNTIME, ""},
		{"sh", "cd d; exit 1; grep zzz words", failure, envelope.ERUNTIME, ""},
		{"sh", "cd d; grep zzz x &", envelope.Success, "", ""},
		{"sh", "grep() { return 1; }; cd d; grep zzz x", failure, envelope.ERUNTIME, ""},
		// What may be the consequence of another failure.
		{"bash", "false; [ $? -eq 0 ]", failure, envelope.ERUNTIME, ""},
		{"bash", "cd d; [ \"${?}\" -eq 1 ]", failure, envelope.ERUNTIME, ""},
		{"bash", "cd nosuch; [ -d sub ]", failure, envelope.ERUNTIME, ""},
		{"bash", "[ \"$(cat nosuch)\" = x ]", failure, envelope.ERUNTIME, ""},
		{"bash", "[[ `make -s nosuch` == ok ]]", failure, envelope.ERUNTIME, ""},
		{"bash", "[ \"$(cat words)\" = x ]", negative, "", ""},
		{"bash", "./d/test", failure, envelope.ERUNTIME, ""},
		{"bash", "test -f nosuch", negative, "", ""},
		// Why there is nothing to run.
		{"bash", "cd d && nosuchprog", missing, envelope.ENOTFOUND, `No program named "nosuchprog"`},
		{"sh", "nosuchprog", missing, envelope.ENOTFOUND, `No program named "nosuchprog"`},
		{"bash", "./d/script", missing, envelope.ENOTFOUND, "interpreter"},
		{"bash", "./d/nosuch", missing, envelope.ENOTFOUND, "./d/nosuch"},
		{"bash", "bash nosuch.sh", failure, envelope.ENOTFOUND, "nosuch.sh"},
		{"bash", "set -u; cd d; grep $nosuch x", failure, envelope.ERUNTIME, "Set the variable nosuch"},
		{"bash", "echo ${X:?}", failure, envelope.ERUNTIME, "Set the variable X"},
		{"bash", frames["gemini"]("set -u; cd d; grep $nosuch x"), failure, envelope.ERUNTIME, "Set the variable nosuch"},
		{"sh", "set -u; cd d; grep $nosuch x", failure, envelope.ERUNTIME, "Set the variable nosuch"},
		{"sh", "echo ${X:?is not there}", failure, envelope.ERUNTIME, "Set the variable X"},
		{"sh", "(echo ${X:?}); exit 1", failure, envelope.ERUNTIME, "Set the variable X"},
		{"sh", "(echo ${X:?}); ls nosuch", failure, envelope.ERUNTIME, ""},
		{"bash", "env nosuchprog", failure, envelope.ENOTFOUND, `No program named "nosuchprog"`},
		{"bash", "exit 127", failure, envelope.ERUNTIME, ""},
		{"bash", "./words", failure, envelope.EIO, "chmod +x"},
	} {
		t.Run(c.shell+" "+c.text, func(t *testing.T) {
			t.Parallel()
			cmd := shell(t, c.text)
			cmd.Dir = in.Dir
			if c.shell != "bash" {
				cmd.Argv[0] = c.shell
			}
			res := run(t, cmd)
			o := res.Outcome
			if o.Kind != c.kind || o.Code != c.code || !strings.Contains(o.Hint, c.hint) {
				t.Errorf("%s %s by %s, hint %q, message %q; want %s %s", o.Kind, o.Code, o.ClassifiedBy, o.Hint, o.Message, c.kind, c.code)
			}
		})
	}
}

// A text ends as it does without envwrap: by a signal, with the same words of the shell,
// with nothing of envwrap's that it can see. No other test runs meanwhile: what it opens to be
// inherited would be counted.
func TestDecisiveCommandIsAskedUnseen(t *testing.T) {
	for _, text := range []string{
		"cd / && kill -SEGV $$", "cd / && sh -c 'kill -SEGV $$'", "cd / && sh -c 'kill -SEGV $$'; echo $?", "cd /; nosuchprog",
		"true a b; echo $_ $- $LINENO $#; env | grep -c ENV; echo ${BASH_ENV-unset}", "cd nosuch; echo $?", "set -x; cd /; false",
		"f() { echo ${FUNCNAME[@]} $BASH_SUBSHELL; false; }; f; echo $?; ls /proc/self/fd | wc -l", "shopt; set -o; echo $BASH_EXECUTION_STRING",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			cmd := shell(t, text)
			alone := exec.Command(cmd.Argv[0], cmd.Argv[1:]...)
			alone.Dir, alone.Env = cmd.Dir, cmd.Env
			var stdout, stderr strings.Builder
			alone.Stdout, alone.Stderr = &stdout, &stderr
			_ = alone.Run()
			res := run(t, cmd)
			o := res.Outcome
			if ended := fmt.Sprint(alone.ProcessState); o.ExitCode != nil && ended != fmt.Sprintf("exit status %d", *o.ExitCode) || o.ExitCode == nil && strings.HasPrefix(ended, "exit") {
				t.Errorf("ended with %+v, alone with %s", o, ended)
			}
			pid := regexp.MustCompile(`line 1: +[0-9]+ `)
			got, want := string(res.Stdout.Tail)+string(res.Stderr.Tail), stdout.String()+stderr.String()
			if pid.ReplaceAllString(got, "") != pid.ReplaceAllString(want, "") {
				t.Errorf("printed %q, alone %q", got, want)
			}
		})
	}
}

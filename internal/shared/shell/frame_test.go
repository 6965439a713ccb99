package shell

import (
	"strings"
	"testing"
)

// double quotes a command as Claude Code and Codex do.
func double(command string) string {
	return "'" + strings.ReplaceAll(command, "'", `'"'"'`) + "'"
}

// frames put a command into the text that a client hands to the shell.
var frames = map[string]func(command string) string{
	"claude-code": func(c string) string {
		return "source /home/u/.claude/shell-snapshots/snapshot-bash-1-x.sh 2>/dev/null || true && shopt -u extglob 2>/dev/null || true && eval " +
			double(c) + " < /dev/null && pwd -P >| /tmp/claude-1a2b-cwd"
	},
	"codex": func(c string) string {
		return "__CODEX_SNAPSHOT_OVERRIDE_SET_0=\"${CODEX_THREAD_ID+x}\"\n__CODEX_SNAPSHOT_OVERRIDE_0=\"${CODEX_THREAD_ID-}\"\n\n" +
			"if . '/home/u/.codex/shell_snapshots/x.sh' >/dev/null 2>&1; then :; fi\n\n" +
			"if [ -n \"${__CODEX_SNAPSHOT_OVERRIDE_SET_0}\" ]; then export CODEX_THREAD_ID=\"${__CODEX_SNAPSHOT_OVERRIDE_0}\"; else unset CODEX_THREAD_ID; fi\n\n" +
			"exec '/bin/bash' -c " + double(c)
	},
	"gemini": func(c string) string {
		return "shopt -u promptvars nullglob extglob nocaseglob dotglob; _bgpids_file=/tmp/gemini-shell-x/bgpids.tmp\n(\n" +
			"  trap 'jobs -p > \"$_bgpids_file\"' EXIT\n" + c + "\n)\n__code=$?\nexit $__code"
	},
}

func TestFrame(t *testing.T) {
	for client, put := range frames {
		for _, command := range []string{
			"ls", "make 2>&1 | tail -5", "echo 'a b' \"c'd\" $e `f` \\\ng", "cat <<'X'\na'b\nX", "a # b", "true\n(\nfalse\n)", "exit 3", "é 'ü' | cat",
			"pwd -P >| f", "eval 'x' < /dev/null && pwd -P >| y", "a || b; c &",
		} {
			text, err := Parse(put(command), Bash)
			if err != nil {
				t.Errorf("%s, %q: %v", client, command, err)
				continue
			}
			f, ok := text.Frame()
			if !ok || f.Client != client || f.Command != command {
				t.Errorf("%s, %q: %+v, %t", client, command, f, ok)
				continue
			}
			if client == "gemini" && f.In(text.Source) != command || client != "gemini" && f.In(text.Source) != double(command) {
				t.Errorf("%s, %q stands at %q", client, command, f.In(text.Source))
			}
			if (f.Shell == "/bin/bash") != (client == "codex") {
				t.Errorf("%s: the shell is %q", client, f.Shell)
			}
		}
	}
}

// Shapes that clients write, too.
func TestFrameVariants(t *testing.T) {
	for source, want := range map[string]string{
		"source x && eval pwd < /dev/null && pwd -P >| f":                                                  "pwd",
		"eval 'a <<X\nb\nX' && pwd -P >| f":                                                                "a <<X\nb\nX",
		"{ [ -n \"$T\" ] || export T=x; } && eval 'a' && pwd -P >| 'f g'":                                  "a",
		"X=y\n: && eval 'a' < /dev/null && pwd -P >| f":                                                    "a",
		"_bgpids_file='/x y'\n(\n  trap 'jobs -p > \"$_bgpids_file\"' EXIT\na\n)\n__code=$?\nexit $__code": "a",
		"__CODEX_SNAPSHOT_PROXY_ENV_SET=\"${X+x}\"\nexec '/bin/zsh' -c 'a' 'b' 'c'":                        "a",
	} {
		text, err := Parse(source, Bash)
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		if f, ok := text.Frame(); !ok || f.Command != want {
			t.Errorf("%q: %+v, %t", source, f, ok)
		}
	}
}

// In doubt a text has no frame: then it is a command itself.
func TestNoFrame(t *testing.T) {
	gemini := frames["gemini"]
	for _, source := range []string{
		"", "ls", "eval 'a'", "pwd -P >| f",
		"source x && eval 'a' < /dev/null && pwd -P > f",
		"source x && eval 'a' < /dev/null && pwd -P >| $f",
		"source x && eval 'a' < /dev/null && pwd >| f",
		"source x && eval 'a' < /dev/null; pwd -P >| f",
		"source x && eval 'a' < /dev/null || pwd -P >| f",
		"source x || eval 'a' < /dev/null && pwd -P >| f",
		"source x && eval 'a' < b && pwd -P >| f",
		"source x && eval 'a' > /dev/null && pwd -P >| f",
		"source x && eval \"$a\" && pwd -P >| f",
		"source x && eval 'a' 'b' && pwd -P >| f",
		"source x && X=1 eval 'a' && pwd -P >| f",
		"source x && ! eval 'a' && pwd -P >| f",
		"source x && b 'a' && pwd -P >| f",
		"source x && b | eval 'a' && pwd -P >| f",
		"eval 'a' && pwd -P >| f &",
		"eval 'a' && pwd -P >| f; b",
		"exec '/bin/bash' -c 'a'",
		"__CODEX_SNAPSHOT_X=1\nexec '/bin/bash' -c \"$a\"",
		"__CODEX_SNAPSHOT_X=1\nexec '/bin/bash' -lc 'a'",
		"__CODEX_SNAPSHOT_X=1\nexec make -c 'a'",
		"__CODEX_SNAPSHOT_X=1\nexec '/bin/bash' -c 'a' > f",
		"__CODEX_SNAPSHOT_X=1\nexec '/bin/bash' -c 'a'; b",
		"__CODEX_SNAPSHOT_X=1\nexec '/bin/bash' -c 'a' &",
		gemini("a\n)\n(\nb"),
		gemini("a\n)\n__code=$?\nexit $__code\n(\nb"),
		gemini("a \\"),
		gemini("a") + "\nb",
		strings.Replace(gemini("a"), "exit $__code", "exit 0", 1),
		strings.Replace(gemini("a"), "__code=$?", "__code=0", 1),
		strings.Replace(gemini("a"), "jobs -p", "jobs -l", 1),
		strings.Replace(gemini("a"), ")\n__code", ") > f\n__code", 1),
		strings.Replace(gemini("a"), "EXIT\n", "EXIT; ", 1),
		strings.Replace(gemini("a"), "shopt -u", "shopt -s", 1),
		strings.Replace(gemini("a"), "=/tmp", "=$(b)/tmp", 1),
	} {
		text, err := Parse(source, Bash)
		if err != nil {
			continue
		}
		if f, ok := text.Frame(); ok {
			t.Errorf("%q is a frame: %+v", source, f)
		}
	}
}

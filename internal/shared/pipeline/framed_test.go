package pipeline

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Run only inserts into the text of a frame: after the command what writes its statuses or,
// where another shell runs the command, the variable with the start-up file.
func TestFramed(t *testing.T) {
	answers := Answers{Statuses: "/tmp/answer"}
	for _, c := range []struct {
		client, text, insert string
		own, remade          bool // the start-up file restores the text
	}{
		{"", "make | tail", "", true, false},
		{"claude-code", "eval 'make | tail' < /dev/null && pwd -P >| /tmp/cwd", "/tmp/answer", true, true},
		{"claude-code", "eval 'make; tail' < /dev/null && pwd -P >| /tmp/cwd", "", true, false},
		{"gemini", "_bgpids_file=/tmp/b\n(\n  trap 'jobs -p > \"$_bgpids_file\"' EXIT\nmake | tail\n)\n__code=$?\nexit $__code", "/tmp/answer", true, true},
		{"codex", "__CODEX_SNAPSHOT_OVERRIDE_SET_0=x\n\nif . '/h/x.sh' >/dev/null 2>&1; then :; fi\n\nexec '/bin/bash' -c 'make | tail'", "BASH_ENV=", false, false},
	} {
		line, ok := Read([]string{"bash", "-c", c.text, "name"}, nil)
		if !ok || line.Framed() != (c.client != "") || line.frame.Client != c.client {
			t.Errorf("%q: %+v, %t", c.text, line, ok)
			continue
		}
		argv, own := line.Run("/tmp/startup", "/tmp/answer")
		if own != c.own || len(argv) != 4 || argv[3] != "name" || !strings.Contains(argv[2], c.insert) || (argv[2] == c.text) != (c.insert == "") {
			t.Errorf("%q: runs %q, own %t", c.text, argv, own)
		}
		if c.client != "claude-code" && !isInsertion(c.text, argv[2]) {
			t.Errorf("%q became %q", c.text, argv[2])
		}
		startup, ok := line.Startup(answers, nil)
		if restored := strings.Contains(startup, "BASH_EXECUTION_STRING="); ok && restored != c.remade {
			t.Errorf("%q: the start-up file restores the text: %t", c.text, restored)
		}
	}
	for _, argv := range [][]string{
		{"bash", "-c", "_bgpids_file=/tmp/b\n(\n  trap 'jobs -p > \"$_bgpids_file\"' EXIT\nmake | tail #" + strings.Repeat("x", maxFramed) + "\n)\n__code=$?\nexit $__code"},
		{"bash", "-c", "__CODEX_SNAPSHOT_OVERRIDE_SET_0=x\n\nif . '/h/x.sh' >/dev/null 2>&1; then :; fi\n\nexec '/bin/zsh' -c 'make | tail'"},
	} {
		if line, ok := Read(argv, nil); ok {
			t.Errorf("%.80q: %+v", argv, line)
		}
	}
}

// Of zsh only pipelines in the frame of Claude Code are asked about, by what no trap and no trace
// shows.
func TestFramedZsh(t *testing.T) {
	for text, want := range map[string]bool{
		"eval 'make | tail' < /dev/null && pwd -P >| /tmp/cwd": true, "make | tail": false, "eval 'set -x; make | tail' < /dev/null && pwd -P >| /tmp/cwd": false,
		"eval 'TRAPZERR() { :; }; make | tail' < /dev/null && pwd -P >| /tmp/cwd": false, "eval 'make; tail' < /dev/null && pwd -P >| /tmp/cwd": false,
	} {
		line, ok := Read([]string{"zsh", "-c", text}, nil)
		if ok != want {
			t.Errorf("%q: %t", text, ok)
		}
		if !ok {
			continue
		}
		argv, own := line.Run("/tmp/startup", "/tmp/answer")
		if own || argv[2] != "eval "+"'make | tail'"+recorderOfZsh("/tmp/answer")+" < /dev/null && pwd -P >| /tmp/cwd" {
			t.Errorf("%q: runs %q, own %t", text, argv, own)
		}
	}
}

// isInsertion reports whether after is before with a text inserted at one place.
func isInsertion(before, after string) bool {
	n := 0
	for n < len(before) && n < len(after) && before[n] == after[n] {
		n++
	}
	return strings.HasSuffix(after, before[n:])
}

// The lines of a command keep their numbers, whatever Run adds, also with a comment or a
// here-document at its end.
func TestFramedLineNumbers(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed: there is nothing to compare with")
	}
	dir := t.TempDir()
	run := func(argv []string) string {
		cmd := exec.Command(bash, argv[1:]...)
		cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH")}
		out, _ := cmd.CombinedOutput() // some of the texts fail
		return string(out)
	}
	for _, command := range []string{
		"echo $LINENO | cat", "true | echo $LINENO # at the end", "cd nowhere | cat", "echo $LINENO\n\ntrue | echo $LINENO",
		"true | cat <<E\n$LINENO\nE",
	} {
		for _, frame := range [][2]string{
			{"eval '", "' < /dev/null && pwd -P >| " + dir + "/cwd"},
			{"shopt -u extglob 2>/dev/null || true\n\neval '", "' < /dev/null && pwd -P >| " + dir + "/cwd"},
			{"_bgpids_file=" + dir + "/b\n(\n  trap 'jobs -p > \"$_bgpids_file\"' EXIT\n", "\n)\n__code=$?\nexit $__code"},
		} {
			argv := []string{"bash", "-c", frame[0] + command + frame[1]}
			line, ok := Read(argv, nil)
			if !ok || !line.Framed() {
				t.Errorf("%q is no pipeline in a frame", argv[2])
				continue
			}
			answer := filepath.Join(dir, "answer")
			changed, _ := line.Run("", answer)
			want, got := run(argv), run(changed)
			if want != got {
				t.Errorf("%q: prints %q, and %q without what Run adds", changed[2], got, want)
			}
			if _, err := os.Stat(answer); err != nil {
				t.Errorf("%q: %v", changed[2], err)
			}
			_ = os.Remove(answer)
		}
	}
}

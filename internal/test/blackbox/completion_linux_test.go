package blackbox

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// A person at a terminal types a line, then Tab: what the line has then is what
// zsh made of it.
func TestZshCompletion(t *testing.T) {
	t.Parallel()
	zsh, err := exec.LookPath("zsh")
	if err != nil {
		t.Skip("no zsh here")
	}
	dir := t.TempDir()
	script, err := exec.Command("envwrap", "completion", "zsh").Output()
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "script"), string(script))
	for line, want := range map[string]string{
		"envwrap det":              "envwrap detect ",
		"envwrap --timeout 5s det": "envwrap --timeout 5s detect ",
		"envwrap artifact ca":      "envwrap artifact cat ",
		"envwrap run --on-over":    "envwrap run --on-overflow=",
		"envwrap --on-overflow tr": "envwrap --on-overflow truncate ",
		"envwrap shim in":          "envwrap shim install ",
		"envwrap -o scr":           "envwrap -o script ",
		"envwrap -- cat scr":       "envwrap -- cat script ",
		"envwrap completion z":     "envwrap completion zsh ",
		"envwrap detect scr":       "envwrap detect scr",
		"envwrap artifact cat 67":  "envwrap artifact cat 67d4ff71d439 ",

		"envwrap artifact query -n --raw-o": "envwrap artifact query -n --raw-output ",
	} {
		if got := typed(t, zsh, dir, line); got != want {
			t.Errorf("%q became %q, want %q", line, got, want)
		}
	}
}

// typed is the line that an interactive zsh has after Tab.
func typed(t *testing.T, zsh, dir, line string) string {
	t.Helper()
	master, slave := testenv.Terminal(t)
	defer master.Close()
	cmd := exec.CommandContext(t.Context(), zsh, "-f", "-i")
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TERM=xterm", "LC_ALL=C"}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	defer func() { _ = cmd.Wait() }()
	screen := bufio.NewReader(master)
	say(t, master, "envwrap() { echo sha256:67d4ff71d43921d5 4 KiB }; unsetopt beep; autoload -Uz compinit; compinit -u; source ./script; "+
		"show() { print -r -- \"[\"now:\"${BUFFER}]\"; exit }; zle -N show; bindkey '^X^X' show; echo [rea''dy]\n")
	await(t, screen, "[ready]")
	say(t, master, line+"\t\x18\x18")
	await(t, screen, "[now:")
	rest, err := screen.ReadString(']')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(rest, "]")
}

func say(t *testing.T, w io.Writer, text string) {
	t.Helper()
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
}

// await reads until a text has been seen.
func await(t *testing.T, r *bufio.Reader, text string) {
	t.Helper()
	var seen strings.Builder
	for !strings.HasSuffix(seen.String(), text) {
		c, err := r.ReadByte()
		if err != nil {
			t.Fatalf("%v before %q, after %q", err, text, seen.String())
		}
		seen.WriteByte(c)
	}
}

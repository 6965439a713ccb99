package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/below"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// On a terminal only a command that needs none runs under envwrap.
func TestBelowClientOnTerminal(t *testing.T) {
	home, env := clientHome(t)
	_, env.Stdout = testenv.Terminal(t)
	defer env.Stdout.Close()
	env.Args = []string{below.ClaudeShell, "eval 'ls' < /dev/null && pwd -P >| /tmp/cwd"}
	if got, _, over := env.belowClient(); over || got == env {
		t.Errorf("a command without a terminal: %q", got.Args)
	}
	env.Args, env.Environ = []string{below.CodexShell, home + "/bash", "ls"}, []string{"CODEX_TOOL_CALL_ID=1"}
	if _, status, over := env.belowClient(); !over || status != StatusMissing {
		t.Errorf("a command that may need one: %d", status)
	}
}

// Help is at most 80 columns wide.
func TestHelpWidth(t *testing.T) {
	_, terminal := testenv.Terminal(t)
	defer terminal.Close()
	for columns, want := range map[string]int{"60": 60, "200": helpWidth} {
		if got := (&Env{Stdout: terminal, Environ: []string{"COLUMNS=" + columns}}).helpScreen().Width; got != want {
			t.Errorf("on %s columns: %d", columns, got)
		}
	}
}

// On a terminal JSON is indented, and control codes of a text are shown and not obeyed.
func TestPrintOnTerminal(t *testing.T) {
	master, terminal := testenv.Terminal(t)
	env := &Env{Stdout: terminal}
	out, end := env.Content(false)
	if _, err := out.Write([]byte("a\x1b[2Jb\n")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(end(), env.AnswerJSON(map[string]int{"a": 1}), terminal.Close()); err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(master) // ends with EIO
	if got := string(text); strings.Contains(got, "\x1b[2J") || !strings.Contains(got, "{\r\n  \"a\": 1\r\n}") {
		t.Errorf("on a terminal: %q", got)
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	env.Stdout = file
	out, end = env.Content(false)
	_, err = out.Write([]byte("a\x1b[2Jb\n"))
	if err := errors.Join(err, end(), env.AnswerJSON(map[string]int{"a": 1})); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file.Name()); err != nil || string(got) != "a\x1b[2Jb\n{\"a\":1}\n" {
		t.Errorf("in a file: %q, %v", got, err)
	}
}

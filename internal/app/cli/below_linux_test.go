package cli

import (
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

package completion

import (
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// Lines that begin like a roff request, or have a backslash, are escaped to text.
func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		".envwrap.toml": `\&.envwrap.toml`, "'x": `\&'x`, `a\b`: `a\eb`, "--x": `\-\-x`,
	} {
		if got := roff(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := roffWord(`a "b"`); got != `"a ""b"""` {
		t.Errorf("got %s", got)
	}
}

// zsh offers the codes after explain, and programs only where none fits.
func TestZshExplainOffersCodes(t *testing.T) {
	got := zshOperand(cli.Node{Takes: cli.AProgram, Words: []string{"EARG", "EIO"}})
	if want := "word:{compadd -- EARG EIO || _command_names -e}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

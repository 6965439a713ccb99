package cli

import (
	"io"

	"github.com/envwrap/envwrap/internal/term"
)

// screen returns what stdout shows text on.
func (w *World) screen() term.Screen { return term.ScreenOf(w.Stdout, w.lookup) }

// print writes an answer on stdout.
func (w *World) print(text string) error {
	_, err := io.WriteString(w.Stdout, term.ForScreen(w.Stdout, text))
	return err
}

// rawOption is the --raw of verbs that print what a command printed.
func rawOption(dst *bool) *option {
	return &option{
		name: "raw", noEnv: true, set: into(dst, boolean),
		help: "print control characters as they are, on a terminal too",
	}
}

package cli

import (
	"io"

	"github.com/envwrap/envwrap/internal/term"
)

// Screen returns what stdout shows text on.
func (w *World) Screen() term.Screen { return term.ScreenOf(w.Stdout, w.Lookup) }

// Print writes an answer on stdout.
func (w *World) Print(text string) error {
	_, err := io.WriteString(w.Stdout, term.ForScreen(w.Stdout, text))
	return err
}

package cli

import (
	"io"
	"os"

	"github.com/envwrap/envwrap/internal/display"
)

// forScreen is a text of envwrap's own as f shows it: on a terminal what that would
// obey is spelled out, but for our colours. Elsewhere the text is for a program.
func forScreen(f *os.File, text string) string {
	if !isTerminal(f) {
		return text
	}
	return display.Text(text, paintBold, paintName, paintText, paintWord, paintFault, paintNormal)
}

// print writes an answer on stdout.
func (w *World) print(text string) error {
	_, err := io.WriteString(w.Stdout, forScreen(w.Stdout, text))
	return err
}

// rawOption is the --raw of verbs that print what a command printed.
func rawOption(dst *bool) *option {
	return &option{
		name: "raw", noEnv: true, set: into(dst, boolean),
		help: "print control characters as they are, on a terminal too",
	}
}

// content returns where the bytes of an artifact go: to stdout as they are, but on a
// terminal, unless raw asks for them, as less(1) shows them. The function writes
// what is left and follows the last write.
func (w *World) content(raw bool) (io.Writer, func() error) {
	if raw || !isTerminal(w.Stdout) {
		return w.Stdout, func() error { return nil }
	}
	v := display.NewWriter(w.Stdout)
	return v, v.Close
}

// watched is where a person sees a command's output live: on a terminal without
// the sequences that this obeys, but with its colours where they are asked for. The
// carriage returns and backspaces of a progress bar stay.
func watched(f *os.File, to io.Writer, color bool) io.Writer {
	if color || !isTerminal(f) {
		return to
	}
	return &plain{w: display.NewWriter(to, "\r", "\b")}
}

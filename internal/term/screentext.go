package term

import (
	"io"
	"os"
)

// ForScreen returns a text of envwrap's own as f shows it: on a terminal what that would
// obey is spelled out, but for our colours. Elsewhere the text is for a program.
func ForScreen(f *os.File, text string) string {
	if !IsTerminal(f) {
		return text
	}
	return Text(text, paintBold, paintName, paintText, paintWord, paintFault, paintNormal)
}

// Live returns where a person sees a command's output live: on a terminal without
// the sequences that this obeys, but with its colours where they are asked for. The
// carriage returns and backspaces of a progress bar stay.
func Live(f *os.File, to io.Writer, color bool) io.Writer {
	if color || !IsTerminal(f) {
		return to
	}
	return NewStripper(NewWriter(to, "\r", "\b"))
}

// Content returns where bytes go that f shows: to f as they are, but on a
// terminal, unless raw asks for them, as less(1) shows them. The function writes
// what is left and follows the last write.
func Content(f *os.File, raw bool) (io.Writer, func() error) {
	if raw || !IsTerminal(f) {
		return f, func() error { return nil }
	}
	v := NewWriter(f)
	return v, v.Close
}

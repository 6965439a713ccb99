package term

import (
	"io"
	"os"
)

// ForScreen returns a text of envwrap to show on f: if that is a terminal, with
// all control characters but envwrap's own colours made visible.
func ForScreen(f *os.File, text string) string {
	if !IsTerminal(f) {
		return text
	}
	return Text(text, paintBold, paintName, paintText, paintWord, paintFault, paintNormal)
}

// Live returns a writer for a command's live output to a writer to f. If f is a
// terminal, escape sequences are removed, except colours if color is true; carriage
// returns and backspaces of a progress bar stay.
func Live(f *os.File, to io.Writer, color bool) io.Writer {
	if color || !IsTerminal(f) {
		return to
	}
	return NewStripper(NewWriter(to, "\r", "\b"))
}

// Content returns a writer that shows bytes on f: unchanged, or, if f is a terminal and
// raw is false, as less(1) shows them. The function writes the bytes held back, and must be
// called after the last write.
func Content(f *os.File, raw bool) (io.Writer, func() error) {
	if raw || !IsTerminal(f) {
		return f, func() error { return nil }
	}
	v := NewWriter(f)
	return v, v.Close
}

package term

import (
	"io"
	"strings"
)

// A StatusLine is a line on a terminal that is redrawn, and erased at the end. The
// usual libraries for progress bars link an HTTP client, which would add half a
// millisecond to every start.
type StatusLine struct {
	w     io.Writer
	width func() int
	drawn bool
}

// NewStatusLine returns a StatusLine on w. columns returns the current width of the
// terminal.
func NewStatusLine(w io.Writer, columns func() int) *StatusLine {
	return &StatusLine{w: w, width: columns}
}

// Draw replaces the line by text, shortened to one line and with control characters
// made visible.
func (l *StatusLine) Draw(text string) {
	l.drawn = true
	text = Text(strings.NewReplacer("\n", " ", "\t", " ").Replace(text))
	_, _ = io.WriteString(l.w, "\r"+clip(text, l.width()-1)+"\x1b[K")
}

// Erase removes the line from the terminal.
func (l *StatusLine) Erase() {
	if l.drawn {
		_, _ = io.WriteString(l.w, "\r\x1b[K")
	}
}

package term

import (
	"io"
	"strings"
)

// A StatusLine is one line on a terminal that is drawn again and again, and
// leaves no trace. The common progress bars link an HTTP client, which costs each
// start of envwrap half a millisecond.
type StatusLine struct {
	w     io.Writer
	width func() int
	drawn bool
}

// NewStatusLine returns a StatusLine on w, which has the width that columns returns at
// the time.
func NewStatusLine(w io.Writer, columns func() int) *StatusLine {
	return &StatusLine{w: w, width: columns}
}

// Draw replaces the line by text, of which it makes one line that nothing obeys.
func (l *StatusLine) Draw(text string) {
	l.drawn = true
	text = Text(strings.NewReplacer("\n", " ", "\t", " ").Replace(text))
	_, _ = io.WriteString(l.w, "\r"+clip(text, l.width()-1)+"\x1b[K")
}

// Erase leaves the terminal as it was.
func (l *StatusLine) Erase() {
	if l.drawn {
		_, _ = io.WriteString(l.w, "\r\x1b[K")
	}
}

package cli

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"
)

// isTerminal reports whether a person may be looking at f. The cheap look at
// the file's kind comes first; /dev/null is a character device too.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && term.IsTerminal(int(f.Fd()))
}

// A screen is what a text is shown on. Its zero value is no terminal: nothing
// is cut there, and nothing coloured.
type screen struct {
	width   int // in columns
	colours bool
}

// screen is what stdout is.
func (w *World) screen() screen {
	if !isTerminal(w.Stdout) {
		return screen{}
	}
	return screen{w.columns(w.Stdout), w.hasColours(w.Stdout)}
}

// prose writes paragraphs with empty lines between them. On a terminal that is
// narrower than they were written for, their lines are broken anew.
func (s screen) prose(b *strings.Builder, text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		if s.width > 0 && slices.ContainsFunc(strings.Split(paragraph, "\n"), s.tooWide) {
			paragraph = strings.Join(fold(paragraph, s.width), "\n")
		}
		b.WriteString(paragraph + "\n")
	}
}

func (s screen) tooWide(line string) bool { return textWidth(line) > s.width }

func (s screen) bold(text string) string {
	if !s.colours {
		return text
	}
	return paintBold + text + paintNormal
}

// columns is the width of a terminal: what COLUMNS says, as with ls(1), else
// what the terminal says, else 80.
func (w *World) columns(f *os.File) int {
	said, _ := w.lookup("COLUMNS")
	if width, err := strconv.Atoi(said); err == nil && width > 0 {
		return width
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width
	}
	return 80
}

package term

import (
	"os"
	"slices"
	"strconv"
	"strings"

	xterm "golang.org/x/term"
)

// IsTerminal reports whether f is a terminal.
func IsTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && xterm.IsTerminal(int(f.Fd()))
}

// A Screen describes the terminal that text is shown on. The zero value is not a
// terminal: nothing is cut or coloured.
type Screen struct {
	Width   int // in columns
	colours bool
}

// An environment looks up a variable.
type environment = func(name string) (value string, ok bool)

// ScreenOf returns the Screen of f.
func ScreenOf(f *os.File, env environment) Screen {
	if !IsTerminal(f) {
		return Screen{}
	}
	return Screen{Columns(f, env), hasColours(f, env)}
}

// Prose writes text, paragraphs with empty lines between them, wrapped again if the
// terminal is narrower than the text.
func (s Screen) Prose(b *strings.Builder, text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		if s.Width > 0 && slices.ContainsFunc(strings.Split(paragraph, "\n"), s.tooWide) {
			paragraph = strings.Join(fold(paragraph, s.Width), "\n")
		}
		b.WriteString(paragraph + "\n")
	}
}

func (s Screen) tooWide(line string) bool { return textWidth(line) > s.Width }

func (s Screen) bold(text string) string {
	if !s.colours {
		return text
	}
	return paintBold + text + paintNormal
}

// Columns returns the width of a terminal in characters: COLUMNS, as for ls(1), else
// what the terminal reports, else 80.
func Columns(f *os.File, env environment) int {
	said, _ := env("COLUMNS")
	if width, err := strconv.Atoi(said); err == nil && width > 0 {
		return width
	}
	if width, _, err := xterm.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width
	}
	return 80
}

// Redraws reports whether f is a terminal on which a line can be drawn over.
func Redraws(f *os.File, env environment) bool {
	kind, _ := env("TERM")
	return kind != "dumb" && IsTerminal(f)
}

// hasColours follows no-color.org and CLICOLOR: a terminal has colours unless
// it says, or the user says, that there shall be none. CLICOLOR_FORCE speaks for
// a terminal of an unknown kind, and never for a file or a pipe: whatever reads
// an envelope there reads JSON.
func hasColours(f *os.File, env environment) bool {
	if _, none := env("NO_COLOR"); none || !IsTerminal(f) {
		return false
	}
	if force, ok := env("CLICOLOR_FORCE"); ok && force != "0" {
		return true
	}
	kind, _ := env("TERM")
	wish, _ := env("CLICOLOR")
	return kind != "" && kind != "dumb" && wish != "0"
}

// Colours of a JSON text on a terminal (ECMA-48, SGR).
const (
	paintName   = "\x1b[34m" // blue
	paintText   = "\x1b[32m" // green
	paintWord   = "\x1b[36m" // cyan: numbers, true, false, null
	paintFault  = "\x1b[1;31m"
	paintBold   = "\x1b[1m"
	paintNormal = "\x1b[0m"
)

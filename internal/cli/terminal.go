package cli

import (
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether a person may be looking at f. The cheap look at
// the file's kind comes first; /dev/null is a character device too.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && term.IsTerminal(int(f.Fd()))
}

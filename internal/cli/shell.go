package cli

import (
	"strings"

	"github.com/envwrap/envwrap/internal/hints"
)

// ShellQuote spells a word so that a POSIX shell reads it back.
func ShellQuote(s string) string { return hints.Quote(s) }

// ShellLine spells a command line.
func ShellLine(args ...string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = ShellQuote(a)
	}
	return strings.Join(quoted, " ")
}

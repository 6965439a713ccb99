package cli

import (
	"strings"

	"github.com/envwrap/envwrap/internal/hints"
)

// shellQuote spells a word so that a POSIX shell reads it back.
func shellQuote(s string) string { return hints.Quote(s) }

// shellLine spells a command line.
func shellLine(args ...string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = shellQuote(a)
	}
	return strings.Join(quoted, " ")
}

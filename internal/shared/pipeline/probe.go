package pipeline

import (
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/hints"
)

// Variable names the file that bash reads before it runs a text (Bash Reference
// Manual, section 6.2).
const Variable = "BASH_ENV"

// Probe returns the start-up file that makes bash write the statuses of its
// last pipeline to the file named answer when it exits, as [Statuses] reads
// them. If env, the environment of bash, sets BASH_ENV, the file restores that and
// reads the user's file in turn.
//
// The shell is left as it was but for a trap on EXIT, which a trap of the text
// replaces: then there is no answer. Nor is there one after exec, after a
// signal that bash cannot catch, and where the name of the user's file would have to be expanded, for
// which Probe reports false.
//
// The braces keep a text's "set -x" from showing the trap.
func Probe(answer string, env []string) (string, bool) {
	own, set := variable(env, Variable)

	if strings.ContainsAny(own, "$`\\~") || own != "" && !strings.HasPrefix(own, "/") {
		return "", false
	}
	var b strings.Builder
	switch {
	case own != "":
		b.WriteString("export BASH_ENV=" + hints.SingleQuoted(own) + "\n")
	case set:
		b.WriteString("export BASH_ENV=\n")
	default:
		b.WriteString("unset BASH_ENV\n")
	}
	b.WriteString("trap " + hints.SingleQuoted(`{ builtin printf '%s ' "${PIPESTATUS[@]}" >|`+hints.SingleQuoted(answer)+`; } 2>/dev/null || :`) + " EXIT\n")
	if own != "" {
		b.WriteString("if [ -f " + hints.SingleQuoted(own) + " ]; then builtin . " + hints.SingleQuoted(own) + "; fi\n")
	}
	b.WriteString(": \"$BASH\"\n") // $_ is the shell's path at the start of a text
	return b.String(), true
}

// maxStages bounds the statuses that are read.
const maxStages = 256

// Statuses reads the answer that the start-up file wrote: one exit status for
// each of n stages. It reports false for anything else.
func Statuses(answer string, n int) ([]int, bool) {
	fields := strings.Fields(answer)
	if len(fields) != n || n > maxStages {
		return nil, false
	}
	statuses := make([]int, n)
	for i, field := range fields {
		status, err := strconv.ParseUint(field, 10, 8)
		if err != nil {
			return nil, false
		}
		statuses[i] = int(status)
	}
	return statuses, true
}

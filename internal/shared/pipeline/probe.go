package pipeline

import (
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/hints"
)

// Variable names the file that bash reads before it runs a text (Bash Reference
// Manual, section 6.2).
const Variable = "BASH_ENV"

// Answers names the files that bash writes its answers to. An empty name asks nothing.
type Answers struct {
	// Statuses gets the statuses of the last pipeline when bash exits, as [Statuses] reads
	// them.
	Statuses string
	// Command gets each command of the text as bash begins it, for [LastCommand] to read, but
	// none in a function or a subshell.
	Command string
}

// Probe returns the start-up file that makes bash write its answers. If env, the environment of
// bash, sets BASH_ENV, the file restores that and reads the user's file in turn.
// The shell is left as it was but for traps on EXIT and DEBUG, which a trap of the text
// replaces: then there is no answer. Nor are there statuses after exec, after a
// signal that bash cannot catch, and where the name of the user's file has more to expand than
// variables, or is relative, for which Probe reports false.
// The braces keep a text's "set -x" from showing the traps. A trap on DEBUG leaves bash free to
// replace itself by the last program of a text, and $_ keeps its value.
func Probe(answers Answers, env []string) (string, bool) {
	own, set := variable(env, Variable)
	file, ok := startupFile(own)
	if !ok {
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
	if answers.Statuses != "" {
		write := `builtin printf '%s ' "${PIPESTATUS[@]}" >|` + hints.SingleQuoted(answers.Statuses)
		b.WriteString("trap " + hints.SingleQuoted(`{ `+write+`; } 2>/dev/null || :`) + " EXIT\n")
	}
	if answers.Command != "" {
		// Appending costs 20 us a command. A file system may take 1 ms to empty and fill a file.
		write := `builtin printf '\0%s%.0s\0' "$BASH_COMMAND" "$_" >>` + hints.SingleQuoted(answers.Command)
		write = `case $BASH_COMMAND in ` + hints.SingleQuoted(lastOfStartup) + `) ;; *) ` + write + ` ;; esac`
		b.WriteString("trap " + hints.SingleQuoted(`{ `+write+`; } 2>/dev/null || :`) + " DEBUG\n")
	}
	if own != "" {
		b.WriteString("if [ -f " + file + " ]; then builtin . " + file + "; fi\n")
	}
	b.WriteString(lastOfStartup + "\n")
	return b.String(), true
}

// startupFile returns a word for a value of BASH_ENV, which bash expands as in double quotes. It
// reports false unless that is an absolute path, or a variable and a path: $HOME/x, ${HOME}/x.
func startupFile(value string) (word string, ok bool) {
	rest := value
	if strings.HasPrefix(value, "$") {
		head, _, _ := strings.Cut(value, "/")
		rest = value[len(head):]
		name := head[1:]
		if strings.HasPrefix(name, "{") && strings.HasSuffix(name, "}") {
			name = name[1 : len(name)-1]
		}
		if name == "" || strings.Trim(strings.ToUpper(name), "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
			return "", false
		}
		word = `"` + head + `"`
	}
	if strings.ContainsAny(rest, "$`\\~") || value != "" && !strings.HasPrefix(rest, "/") {
		return "", false
	}
	return word + hints.SingleQuoted(rest), true
}

// lastOfStartup is the last command of the start-up file. It makes $_ the path of the
// shell, as at the start of a text. A trap on DEBUG sees it again when bash exits.
const lastOfStartup = `: "$BASH"`

// variable returns the value of an environment variable: of several, the last,
// as bash takes it.
func variable(env []string, name string) (value string, set bool) {
	for _, pair := range env {
		if v, ok := strings.CutPrefix(pair, name+"="); ok {
			value, set = v, true
		}
	}
	return value, set
}

// LastCommand returns the command that bash began last, given the file of Answers.Command or the
// end of it, or "" if that does not hold it whole.
func LastCommand(answer string) string {
	answer, whole := strings.CutSuffix(answer, "\x00")
	if i := strings.LastIndexByte(answer, 0); whole && i >= 0 {
		return answer[i+1:]
	}
	return ""
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

package below

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/hints"
)

// codexSnapshot begins the text that Codex runs before a command, in the same process.
const codexSnapshot = "__CODEX_SNAPSHOT_"

// GuardVariable holds the id of the call that was handed over, so that the start-up file of
// bash does so only once.
const GuardVariable = "ENVWRAP_BELOW"

// A userStartup is the start-up file of bash that the user has named in BASH_ENV, which
// the one for Codex takes the place of.
type userStartup struct {
	value    string // as in BASH_ENV; "" if it is unset
	settings bool   // it was named by Codex's settings, else by the environment
}

// How the start-up file for Codex says which one it took the place of.
const (
	inSettings    = "# BASH_ENV in config.toml was "
	inEnvironment = "# BASH_ENV in the environment was "
)

// userStartup returns the start-up file of the user's own: that in the settings, or the one
// that an install found there, or that of the environment, if Codex passes it on.
func (p *Place) userStartup() userStartup {
	doc, _ := readFile(filepath.Join(p.codex, "config.toml"))
	_, policy, set, err := decodeSet(doc)
	if err != nil {
		return userStartup{} // the edit says so
	}
	if value, ok := set["BASH_ENV"].(string); ok && !IsStartup(value) {
		return userStartup{value, true}
	}
	before := p.replaced()
	if before.settings || p.bashEnv == "" {
		return before
	}
	for _, name := range []string{"exclude", "include_only", "inherit"} {
		if value, ok := policy[name]; ok && value != "all" {
			return before // perhaps Codex would not pass it on
		}
	}
	return userStartup{value: p.bashEnv}
}

// replaced returns what the last install found.
func (p *Place) replaced() (found userStartup) {
	text, _ := readFile(p.Link(codexStartup))
	for line := range strings.Lines(string(text)) {
		for _, head := range []string{inSettings, inEnvironment} {
			if value, ok := strings.CutPrefix(line, head); ok && json.Unmarshal([]byte(value), &found.value) == nil {
				found.settings = head == inSettings
				return found
			}
		}
	}
	return found
}

// plain reports whether a script can name the file in double quotes, as bash expands
// BASH_ENV.
func (s userStartup) plain() bool {
	return !strings.ContainsAny(s.value, "\"\\`\n") && !strings.Contains(s.value, "$(")
}

// startup returns the start-up file of bash for Codex. Shells that are not handed over read
// the user's own, as does the shell in which the command runs.
func startup(link string, own userStartup) string {
	link = hints.SingleQuoted(link)
	head, chain, read := "", "", ""
	if own.value != "" {
		head = inEnvironment
		if own.settings {
			head = inSettings
		}
		head += jsonString(own.value) + "\n"
		chain = "BASH_ENV=" + hints.SingleQuoted(own.value) + "\n\t\t"
		read = "case ${BASH_EXECUTION_STRING-} in " + codexSnapshot + "*) ;; *) BASH_ENV=" + hints.SingleQuoted(own.value) + " ;; esac\n" +
			`if [ -r "` + own.value + `" ]; then . "` + own.value + `"; fi` + "\n"
	}
	return `# Written by "envwrap hook install codex". bash reads it before a command of Codex, and
# hands the command over to envwrap, once. Everything else goes on as it is.
` + head + `if [ -n "${CODEX_TOOL_CALL_ID-}" ] && [ "${ENVWRAP_BELOW-}" != "$CODEX_TOOL_CALL_ID" ] && [ "$-" = hBc ] && ! shopt -q login_shell && [ -x ` + link + ` ]; then
	case ${BASH_EXECUTION_STRING-} in
	'' | ` + codexSnapshot + `*) ;;
	*)
		export ENVWRAP_BELOW="$CODEX_TOOL_CALL_ID"
		` + chain + `shopt -s execfail
		exec ` + link + ` "$BASH" "$BASH_EXECUTION_STRING" "$0" "$@"
		shopt -u execfail
		unset ENVWRAP_BELOW
		;;
	esac
fi
` + read
}

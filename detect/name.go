package detect

import "strings"

// aliases are names of agents in AI_AGENT and AGENT that do not begin with
// their id.
var aliases = [...]struct{ name, id string }{
	{"github-copilot", "copilot"},
	{"kilocode", "kilo"},
	{"auggie", "augment"},
	{"roocode", "roo"},
}

// nameInEnv returns the id of the agent that AI_AGENT names, or "".
func nameInEnv(env Env) string {
	value, ok := truthy(env, "AI_AGENT")
	if !ok {
		return ""
	}
	return nameOf(value)
}

// nameOf returns the id of the longest known name that value begins with, or
// "" if none exists: claude for "claude-code_2-1-263_agent", copilot for
// "github_copilot_vscode_agent", crush for "Crush@1.2".
func nameOf(value string) string { return longest(value, beginsWith) }

// exactNameOf returns the id of the known name that value is, or begins with
// where only "-code", "-cli" or "-agent" follows.
func exactNameOf(value string) string { return longest(value, isName) }

func longest(value string, fits func(value, name string) bool) string {
	id, length := "", 0
	try := func(name, of string) {
		if len(name) > length && fits(value, name) {
			id, length = of, len(name)
		}
	}
	for i := range agents {
		try(agents[i].id, agents[i].id)
	}
	for _, a := range aliases {
		try(a.name, a.id)
	}
	return id
}

// beginsWith reports whether value, in lower case and with dashes for its
// underscores, begins with name and ends there, or goes on after a dash, with a
// version after @, or with something after a slash.
func beginsWith(value, name string) bool {
	if len(value) < len(name) {
		return false
	}
	for i := range len(name) {
		if plain(value[i]) != name[i] {
			return false
		}
	}
	if len(value) == len(name) {
		return true
	}
	switch plain(value[len(name)]) {
	case '-', '@', '/':
		return true
	}
	return false
}

func isName(value, name string) bool {
	if !beginsWith(value, name) {
		return false
	}
	for _, rest := range [...]string{"", "-code", "-cli", "-agent"} {
		if len(value) == len(name)+len(rest) && (rest == "" || beginsWith(value[len(name):], rest)) {
			return true
		}
	}
	return false
}

// plain returns the form in which names are compared.
func plain(c byte) byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return c + 'a' - 'A'
	case c == '_':
		return '-'
	}
	return c
}

// maxName is the longest name that is shown, in bytes.
const maxName = 64

// sanitize makes a name that somebody else chose fit to be shown, without what
// follows @ or a slash.
func sanitize(name string) string {
	if i := strings.IndexAny(name, "@/"); i > 0 {
		name = name[:i]
	}
	var b strings.Builder
	for _, c := range []byte(name) {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		fit := 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '-'
		if fit && b.Len() < maxName {
			b.WriteByte(c)
		}
	}
	return b.String()
}

package hook

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"
)

// Rules are permission rules of a client, as far as they are about commands of
// a shell. They follow Claude Code's page on permissions ("Permission rule
// syntax"): Bash, Bash(exact text), Bash(prefix:*), and Bash(with * anywhere).
type Rules struct {
	allow []string // what is in the parentheses of Bash(...); "*" is everything
	stop  []string // the same of rules that deny, or ask
	// all says that a rule that denies or asks could match every command.
	all bool
	// ManagedOnly says that rules of other files do not count.
	ManagedOnly bool
}

// errRules says that permission rules are of another shape than is known.
var errRules = errors.New("the permission rules cannot be read")

// ParseRules reads the rules of one settings file. An error means that there
// may be rules that were not understood.
func ParseRules(settings []byte) (*Rules, error) {
	var file, permissions map[string]json.RawMessage // a struct would take names in any case
	if err := json.Unmarshal(settings, &file); err != nil {
		return nil, errRules
	}
	r := &Rules{}
	if text, ok := file["allowManagedPermissionRulesOnly"]; ok && json.Unmarshal(text, &r.ManagedOnly) != nil {
		return nil, errRules
	}
	text, ok := file["permissions"]
	if !ok {
		return r, nil
	}
	if err := json.Unmarshal(text, &permissions); err != nil {
		return nil, errRules
	}
	for _, list := range []string{"allow", "deny", "ask"} {
		var rules []string
		if text, ok := permissions[list]; ok && json.Unmarshal(text, &rules) != nil {
			return nil, errRules
		}
		for _, rule := range rules {
			r.add(list == "allow", strings.TrimSpace(rule))
		}
	}
	return r, nil
}

// add takes one rule.
func (r *Rules) add(allow bool, rule string) {
	tool, inside, limited := strings.Cut(rule, "(")
	if limited {
		inside = strings.TrimSpace(strings.TrimSuffix(inside, ")"))
	}
	if inside == "" {
		inside = "*"
	}
	switch {
	case allow && tool == "Bash":
		r.allow = append(r.allow, inside)
	case allow, elsewhere(tool):
	case tool == "Bash":
		r.stop = append(r.stop, inside)
	default:
		// Rules about files (Read, Edit) hold for commands that the client knows
		// to read or write them; which these are, and what other tools there are,
		// nobody can tell from here.
		r.all = true
	}
}

// elsewhere reports whether a tool's rules never are about commands.
func elsewhere(tool string) bool {
	return strings.HasPrefix(tool, "mcp__") ||
		slices.Contains([]string{"WebFetch", "WebSearch", "Task", "Agent", "Skill", "SlashCommand", "TodoWrite", "ExitPlanMode", "AskUserQuestion"}, tool)
}

// AddStops adds the rules of another file that deny or ask.
func (r *Rules) AddStops(o *Rules) {
	r.stop, r.all = append(r.stop, o.stop...), r.all || o.all
}

// AddAllows adds the rules of another file that allow.
func (r *Rules) AddAllows(o *Rules) { r.allow = append(r.allow, o.allow...) }

// Permit reports whether a line may be rewritten: each of its commands is
// allowed by a rule as it is, and no rule that denies or asks could match any
// part of it. Where that is not certain it is false.
func (r *Rules) Permit(line string) bool {
	if r.all || strings.ContainsAny(line, "$`\\{}<(!") || strings.Contains(strings.TrimSpace(line), "\n") {
		return false // what the shell makes of it, no rule can be compared with
	}
	list, ok := split(line)
	if !ok {
		return false
	}
	words := tokens(line)
	for _, c := range list {
		for _, w := range c { // "r"m is rm
			words = append(words, tokens(w.text)...)
		}
	}
	if slices.ContainsFunc(r.stop, func(rule string) bool { return couldMatch(rule, words) }) {
		return false
	}
	return !slices.ContainsFunc(commands(line, list), func(command string) bool {
		return !slices.ContainsFunc(r.allow, func(rule string) bool { return matches(rule, command) })
	})
}

// commands are the texts of the simple commands of a line.
func commands(line string, list []simple) []string {
	texts := make([]string, len(list))
	for i, c := range list {
		end := len(line)
		if i+1 < len(list) {
			end = list[i+1][0].at
		}
		text := strings.TrimSpace(line[c[0].at:end])
		if i+1 < len(list) {
			text = strings.TrimSpace(strings.TrimSuffix(text, "&&"))
		}
		texts[i] = text
	}
	return texts
}

// matches reports whether a rule that allows matches a simple command for
// certain. It takes less than the client does where the client's own page
// leaves room.
func matches(rule, command string) bool {
	prefix, ok := strings.CutSuffix(rule, ":*")
	switch {
	case ok && !strings.Contains(prefix, "*"):
		return command == prefix || strings.HasPrefix(command, prefix+" ")
	case strings.Contains(rule, "*"):
		return glob(rule, command)
	}
	return command == rule
}

// glob matches a pattern of which * is any text.
func glob(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(s, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}

// couldMatch reports whether a rule that denies or asks could match a line of
// these tokens, or a command in it: behind sudo, env or timeout, in the text of
// bash -c, by a path. It could where the fixed words that it begins with are
// among the tokens, in whatever order: options may stand between them.
func couldMatch(rule string, words []string) bool {
	fixed, open := rule, false
	if prefix, ok := strings.CutSuffix(rule, ":*"); ok {
		fixed, open = prefix, true
	}
	if i := strings.IndexAny(fixed, `*?[\`); i >= 0 {
		fixed, open = fixed[:i], true
	}
	want := tokens(fixed)
	for i, w := range want {
		last := open && i == len(want)-1 && strings.HasSuffix(fixed, w)
		if !slices.ContainsFunc(words, func(have string) bool { return same(have, w, last) }) {
			return false
		}
	}
	return true
}

// same compares tokens as a file system would that knows no case. A word that a
// wildcard cuts off may go on.
func same(have, want string, cut bool) bool {
	return strings.EqualFold(have, want) || cut && len(have) > len(want) && strings.EqualFold(have[:len(want)], want)
}

// tokens are the parts of a text of which names of programs, verbs and options
// consist.
func tokens(s string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.-+", r)
	}), func(t string) bool { return strings.Trim(t, ".") == "" })
}

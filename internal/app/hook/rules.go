package hook

import (
	"path"
	"slices"
	"strings"
)

// Rules are an agent's permission rules for shell commands.
type Rules struct {
	Allow []Rule
	// Refuse are the rules that forbid a command or ask the user.
	Refuse []Rule
	// Files are the patterns of rules that forbid files or ask the user.
	Files []string
}

// A Rule matches commands. Exactly one of its fields is set.
type Rule struct {
	// Every matches all commands.
	Every bool
	// Pattern matches the source of a command; * is any text. A final " *" or ":*" also
	// matches the end of the command.
	Pattern string
	// Words are the first words of a command: a list of alternatives for each.
	Words [][]string
}

// Permits reports whether the rules let a text run without a question: each command in
// it is harmless or matches an Allow rule, at least one matches, and no rule that
// forbids or asks may match.
//
// It is stricter than the agents themselves, and returns false in case of doubt.
func (r *Rules) Permits(t *Text) bool {
	if r.refuses(t) {
		return false
	}
	if slices.ContainsFunc(r.Allow, func(a Rule) bool { return a.Every }) {
		return true
	}
	if !t.Plain {
		return false
	}
	matched, moves, git := false, false, false
	for i := range t.Calls {
		c := &t.Calls[i]
		moves = moves || slices.Contains(directoryBuiltins, c.Program())
		git = git || base(c.Program()) == "git"
		switch {
		case runsAnything(c):
			return false
		case slices.ContainsFunc(r.Allow, func(a Rule) bool { return a.matches(c) }):
			matched = true
		case !harmless(c):
			return false
		}
	}
	// A directory has hooks and settings that git runs.
	return matched && (!moves || !git)
}

// matches reports whether a rule matches a command, as its agent sees it.
func (r *Rule) matches(c *Call) bool {
	if r.Words != nil {
		if !c.Literal || len(c.assigns) > 0 || len(c.Words) < len(r.Words) {
			return false
		}
		for i, one := range r.Words {
			if !slices.Contains(one, c.Words[i]) {
				return false
			}
		}
		return true
	}
	pattern := strings.TrimSpace(r.Pattern)
	if pattern == "" || strings.ContainsAny(pattern, "\\") {
		return false
	}
	if prefix, ok := strings.CutSuffix(pattern, ":*"); ok {
		pattern = prefix + " *"
	}
	if prefix, ok := strings.CutSuffix(pattern, " *"); ok && !strings.Contains(prefix, "*") {
		return c.Source == prefix || strings.HasPrefix(c.Source, prefix+" ")
	}
	return glob(pattern, c.Source)
}

// glob reports whether a pattern with * matches a text as a whole.
func glob(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	last := parts[len(parts)-1]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(text, p)
		if i < 0 {
			return false
		}
		text = text[i+len(p):]
	}
	return strings.HasSuffix(text, last)
}

// refuses reports whether a rule that forbids or asks could match a part of a
// text.
func (r *Rules) refuses(t *Text) bool {
	if len(r.Refuse)+len(r.Files) == 0 {
		return false
	}
	said := newWords(t)
	for i := range r.Refuse {
		if r.Refuse[i].could(said) {
			return true
		}
	}
	if len(r.Files) == 0 {
		return false
	}
	if !t.Plain {
		return true
	}
	for i := range t.Calls {
		if slices.Contains(readsFiles, base(t.Calls[i].Program())) {
			return true
		}
	}
	return slices.ContainsFunc(r.Files, func(f string) bool { return said.all(belowHere(f)) })
}

// belowHere returns a pattern for files without what says where it begins.
func belowHere(pattern string) string {
	for _, start := range []string{"~", "//", "/", "./"} {
		pattern = strings.TrimPrefix(pattern, start)
	}
	return pattern
}

// could reports whether a rule could match something in a text: all words that
// it names are there, in whatever order.
func (r *Rule) could(s *words) bool {
	if r.Every || s.unknown {
		return true
	}
	if r.Words != nil {
		for _, one := range r.Words {
			if !slices.ContainsFunc(one, s.all) {
				return false
			}
		}
		return true
	}
	return s.all(strings.TrimSuffix(r.Pattern, ":*") + " ")
}

// words are those of a text: as written, and as the shell reads them.
type words struct {
	list []string
	// unknown reports that the text has a program that cannot be known.
	unknown bool
}

func newWords(t *Text) *words {
	// A backslash can hide a name in ways that differ from shell to shell.
	s := &words{list: split(t.source), unknown: strings.Contains(t.source, "\\")}
	for i := range t.Calls {
		c := &t.Calls[i]
		s.unknown = s.unknown || len(c.Words) > 0 && c.Words[0] == ""
		for _, w := range c.Words {
			s.list = append(s.list, split(w)...)
		}
	}
	return s
}

const wordChars = "abcdefghijklmnopqrstuvwxyz0123456789_-.+"

// split takes a text apart at everything that is no part of a name.
func split(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 0x80 && !strings.ContainsRune(wordChars, r) })
}

// all reports whether all names of a pattern are there. Next to a * a name may
// be a part of one. A pattern without names could be anything.
func (s *words) all(pattern string) bool {
	pattern = strings.ToLower(pattern)
	for len(pattern) > 0 {
		end := strings.IndexFunc(pattern, func(r rune) bool { return r < 0x80 && r != '*' && !strings.ContainsRune(wordChars, r) })
		name := pattern
		if end >= 0 {
			name, pattern = pattern[:end], pattern[end+1:]
		} else {
			pattern = ""
		}
		if !strings.Contains(name, "*") {
			if name != "" && !slices.Contains(s.list, name) {
				return false
			}
			continue
		}
		for part := range strings.SplitSeq(name, "*") {
			if part != "" && !slices.ContainsFunc(s.list, func(w string) bool { return strings.Contains(w, part) }) {
				return false
			}
		}
	}
	return true
}

// harmless reports whether agents run a command without a question whatever the
// rules are: filters that read nothing but the stage before them, and cd into a
// directory below. Claude Code documents them as read-only commands (Configure
// permissions, October 2026).
func harmless(c *Call) bool {
	if !c.Literal || len(c.assigns) > 0 {
		return false
	}
	operands := slices.DeleteFunc(slices.Clone(c.Words[1:]), func(w string) bool {
		return strings.HasPrefix(w, "-") || strings.Trim(w, "0123456789") == ""
	})
	switch c.Program() {
	case "cd":
		dir := c.Words[len(c.Words)-1]
		return len(c.Words) == 2 && len(operands) == 1 && !path.IsAbs(dir) && !slices.Contains(strings.Split(dir, "/"), "..")
	case "head", "tail", "wc", "cat":
		return c.Reads && len(operands) == 0
	case "grep":
		for _, w := range c.Words[1:] {
			if strings.HasPrefix(w, "-") && strings.Trim(w, "-incvowEFABC0123456789") != "" {
				return false
			}
		}
		return c.Reads && len(operands) == 1
	case "echo", "pwd":
		return true
	}
	return false
}

// runsAnything reports whether a command runs what its arguments say in a way
// that agents always ask about (Configure permissions, October 2026).
func runsAnything(c *Call) bool {
	switch base(c.Program()) {
	case "watch", "setsid", "ionice", "flock", "eval", "exec", "source", ".":
		return true
	case "find":
		return slices.ContainsFunc(c.Words, func(w string) bool {
			return slices.Contains([]string{"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"}, w)
		})
	}
	return false
}

// readsFiles are programs whose arguments agents judge by their rules for files.
var readsFiles = []string{
	"cat", "head", "tail", "less", "more", "sed", "awk", "grep", "egrep", "fgrep", "rg", "tee", "cp", "mv", "rm", "ln", "touch", "mkdir", "rmdir",
	"dd", "od", "xxd", "hexdump", "strings", "cut", "sort", "uniq", "tac", "nl", "bat", "diff", "cmp", "tar", "zip", "unzip", "chmod", "chown",
	"truncate", "install", "rsync", "base64", "find", "ls", "wc", "stat", "file", "vi", "vim", "jq", "yq", "patch", "perl", "python", "python3", "node",
}

package hookclient

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/hook"
)

// Codex, after its pages "Hooks" (developers.openai.com/codex/hooks) and "Rules"
// (developers.openai.com/codex/rules), as of autumn 2026, and the pull request
// openai/codex 20527 (May 2026): updatedInput counts only beside
// permissionDecision "allow" (issues 18491 and 46664). That the rewritten command
// then goes through Codex's own approval is said there, but could not be tried
// here, so the rules are read here as well. Codex runs a new hook only after the
// user reviewed it with /hooks.
var codex = &Client{
	Name: "codex", event: "PreToolUse", tool: "Bash", userShell: true,
	rules: codexRules,
	answer: func(e *event) any {
		return map[string]any{"hookSpecificOutput": map[string]any{
			"hookEventName": e.Event, "permissionDecision": "allow", "updatedInput": e.Input,
		}}
	},
	settings: settings{
		dir: func(w *World) (string, error) { return w.configured("CODEX_HOME", ".codex") }, file: "hooks.json",
		path:  []string{"hooks", "PreToolUse"},
		entry: `{"matcher":"Bash","hooks":[{"type":"command","command":"envwrap hook codex","timeout":10}]}`,
	},
}

// codexRules reads the files of rules: the user's, those of the project and all
// directories above, and an administrator's.
func codexRules(w *World, e *event) (*hook.Rules, error) {
	rules := &hook.Rules{}
	switch e.Mode {
	case "", "default", "acceptEdits", "dontAsk":
	case "bypassPermissions":
		rules.Allow = append(rules.Allow, hook.Rule{Every: true})
	default:
		return rules, nil
	}
	home, err := w.configured("CODEX_HOME", ".codex")
	if err != nil {
		return nil, err
	}
	system := filepath.Join(w.Root, "/etc/codex")
	for _, path := range []string{
		filepath.Join(system, "requirements.toml"), filepath.Join(system, "managed_config.toml"), filepath.Join(home, "managed_config.toml"),
		filepath.Join(home, "cloud-requirements-cache.json"),
	} {
		if exists(path) {
			return nil, fmt.Errorf("%q may have rules, which are not read", path)
		}
	}
	dirs := []string{filepath.Join(home, "rules"), filepath.Join(system, "rules")}
	for _, dir := range parents(e.Dir) {
		dirs = append(dirs, filepath.Join(dir, ".codex", "rules"))
	}
	for i, dir := range dirs {
		files, err := names(dir, "*.rules")
		if err != nil {
			return nil, err
		}
		for _, path := range files {
			text, err := readFile(path)
			if err == nil {
				err = readStarlark(string(text), rules, i < 2)
			}
			if err != nil {
				return nil, fmt.Errorf("read the rules of %q: %w", path, err)
			}
		}
	}
	return rules, nil
}

// readStarlark adds the rules of a file that has nothing but calls of
// prefix_rule with strings and lists for arguments. Anything else is an error:
// the language can compute rules.
func readStarlark(text string, rules *hook.Rules, allow bool) error {
	s := &starlark{text: text}
	for {
		token := s.next()
		switch {
		case token == "":
			return s.err
		case token != "prefix_rule" || s.next() != "(":
			return errors.New("it has more than calls of prefix_rule")
		}
		rule, err := s.rule()
		if err != nil {
			return err
		}
		if rule.decision != "allow" {
			rules.Refuse = append(rules.Refuse, hook.Rule{Words: rule.pattern})
		} else if allow {
			rules.Allow = append(rules.Allow, hook.Rule{Words: rule.pattern})
		}
	}
}

// A prefixRule is a call of prefix_rule.
type prefixRule struct {
	pattern  [][]string
	decision string
}

// starlark reads the tokens of a text: names, strings as they are with their
// quotes, and punctuation.
type starlark struct {
	text string
	err  error
}

const starlarkName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

func (s *starlark) next() string {
	for {
		s.text = strings.TrimLeft(s.text, " \t\r\n")
		if !strings.HasPrefix(s.text, "#") {
			break
		}
		_, s.text, _ = strings.Cut(s.text, "\n")
	}
	var n int
	switch {
	case s.text == "":
		return ""
	case strings.IndexByte("()[],=", s.text[0]) >= 0:
		n = 1
	case s.text[0] == '"' || s.text[0] == '\'':
		end := strings.IndexByte(s.text[1:], s.text[0])
		if end <= 0 || strings.ContainsAny(s.text[1:end+1], "\\\n") { // also ""
			return s.fail()
		}
		n = end + 2
	default:
		n = len(s.text) - len(strings.TrimLeft(s.text, starlarkName))
		if n == 0 {
			return s.fail()
		}
	}
	token := s.text[:n]
	s.text = s.text[n:]
	return token
}

func (s *starlark) fail() string {
	s.err, s.text = errors.New("it is not understood"), ""
	return ""
}

// rule reads the arguments of a call, to its closing parenthesis.
func (s *starlark) rule() (*prefixRule, error) {
	rule := &prefixRule{decision: "allow"}
	for {
		name := s.next()
		if name == "," {
			continue
		}
		if name == ")" {
			break
		}
		if name == "" || s.next() != "=" {
			return nil, errors.New("an argument of prefix_rule is not understood")
		}
		switch value := s.next(); {
		case name == "decision" && isString(value):
			rule.decision = unquote(value)
		case name == "pattern" && value == "[":
			var err error
			if rule.pattern, err = s.list(true); err != nil {
				return nil, err
			}
		case slices.Contains([]string{"match", "not_match"}, name) && value == "[":
			if _, err := s.list(true); err != nil {
				return nil, err
			}
		case name == "justification" && isString(value):
		default:
			return nil, errors.New("an argument of prefix_rule is not understood")
		}
	}
	if len(rule.pattern) == 0 {
		return nil, errors.New("a prefix_rule has no pattern")
	}
	return rule, nil
}

// list reads an array of strings, and of arrays of strings where nested is set.
func (s *starlark) list(nested bool) ([][]string, error) {
	var list [][]string
	for {
		switch token := s.next(); {
		case token == ",":
		case token == "]":
			return list, nil
		case isString(token):
			list = append(list, []string{unquote(token)})
		case token == "[" && nested:
			inner, err := s.list(false)
			if err != nil {
				return nil, err
			}
			list = append(list, slices.Concat(inner...))
		default:
			return nil, errors.New("a list is not understood")
		}
	}
}

func isString(token string) bool {
	return token != "" && (token[0] == '"' || token[0] == '\'')
}

func unquote(token string) string { return token[1 : len(token)-1] }

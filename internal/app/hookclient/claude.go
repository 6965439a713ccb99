package hookclient

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/envwrap/envwrap/internal/app/hook"
)

// Claude Code, after its pages "Hooks reference" (code.claude.com/docs/en/hooks)
// and "Configure permissions" (code.claude.com/docs/en/permissions), as copies of
// July to October 2026 quote them. A PreToolUse hook may answer with updatedInput;
// permissionDecision "allow" skips the question, and rules that deny or ask are
// then matched against the rewritten text. So the rules are read here first.
var claudeCode = &Client{
	Name: "claude-code", event: "PreToolUse", tool: "Bash", userShell: true,
	rules: claudeRules, answer: decided,
	settings: settings{
		dir: func(w *World) (string, error) { return w.configured("CLAUDE_CONFIG_DIR", ".claude") }, file: "settings.json",
		path:  []string{"hooks", "PreToolUse"},
		entry: `{"matcher":"Bash","hooks":[{"type":"command","command":"envwrap hook claude-code","timeout":10}]}`,
	},
}

// decided answers with the rewritten input, as Claude Code and Codex take it.
// The rules allow the original, or the mode asks nothing; in that mode Claude
// Code decides by itself.
func decided(e *event) any {
	output := map[string]any{"hookEventName": e.Event, "updatedInput": e.Input}
	if e.Mode != "bypassPermissions" {
		output["permissionDecision"] = "allow"
		output["permissionDecisionReason"] = "a permission rule allows it; it runs under envwrap"
	}
	return map[string]any{"hookSpecificOutput": output}
}

// configured returns an agent's directory of settings: what a variable names, or a
// directory of the home directory.
func (w *World) configured(variable, dir string) (string, error) {
	if dir := w.Getenv(variable); variable != "" && dir != "" {
		if !filepath.IsAbs(dir) {
			return "", fmt.Errorf("%s is not an absolute path", variable)
		}
		return dir, nil
	}
	home, err := w.home()
	return filepath.Join(home, dir), err
}

// claudeFlags are options that give rules which are in no file.
var claudeFlags = []string{"--disallowedTools", "--disallowed-tools", "--settings", "--setting-sources", "--agents", "--agent", "--managed-settings"}

// claudeRules reads the rules of Claude Code. Rules that refuse count wherever
// they are found; rules that allow only where Claude Code itself reads them.
func claudeRules(w *World, e *event) (*hook.Rules, error) {
	r := &claudeReader{}
	switch e.Mode {
	case "", "default", "acceptEdits", "dontAsk":
	case "bypassPermissions":
		r.rules.Allow = append(r.rules.Allow, hook.Rule{Every: true})
	default: // plan, auto: what they allow is not in the rules
		return &r.rules, nil
	}
	if err := w.flags(claudeFlags); err != nil {
		return nil, err
	}
	user, err := w.configured("CLAUDE_CONFIG_DIR", ".claude")
	if err != nil {
		return nil, err
	}
	managed, err := w.managed(user)
	if err != nil {
		return nil, err
	}
	for _, path := range managed {
		r.read(path, true)
	}
	r.read(filepath.Join(user, "settings.json"), !r.managedOnly)
	project := w.Getenv("CLAUDE_PROJECT_DIR")
	if project == "" {
		project = e.Dir
	}
	seen := map[string]bool{}
	for _, dir := range append(parents(project), parents(e.Dir)...) {
		if seen[dir] {
			continue
		}
		seen[dir] = true
		own := dir == filepath.Clean(project) && !r.managedOnly
		r.read(filepath.Join(dir, ".claude", "settings.json"), own)
		r.read(filepath.Join(dir, ".claude", "settings.local.json"), own)
		if main, err := mainCheckout(dir); err != nil {
			return nil, err
		} else if main != "" {
			r.read(filepath.Join(main, ".claude", "settings.local.json"), false)
		}
	}
	return &r.rules, r.err
}

// managed returns the files that an administrator writes.
func (w *World) managed(user string) ([]string, error) {
	dir := filepath.Join(w.Root, "/etc/claude-code")
	switch w.System {
	case "windows":
		return nil, fmt.Errorf("rules of an administrator may be in the registry, which is not read")
	case "darwin":
		dir = filepath.Join(w.Root, "/Library/Application Support/ClaudeCode")
		profiles := filepath.Join(w.Root, "/Library/Managed Preferences")
		for _, pattern := range []string{"com.anthropic.claudecode.plist", "*/com.anthropic.claudecode.plist"} {
			if found, _ := filepath.Glob(filepath.Join(profiles, pattern)); len(found) > 0 {
				return nil, fmt.Errorf("rules of an administrator are in %q, which is not read", found[0])
			}
		}
	}
	list := []string{filepath.Join(dir, "managed-settings.json"), filepath.Join(user, "remote-settings.json")}
	more, err := names(filepath.Join(dir, "managed-settings.d"), "*.json")
	return append(list, more...), err
}

// mainCheckout returns the checkout that a Git worktree belongs to; "" where dir
// is none.
func mainCheckout(dir string) (string, error) {
	git := filepath.Join(dir, ".git")
	text, err := readFile(git)
	if err != nil || text == nil {
		if exists(filepath.Join(git, "HEAD")) { // a directory
			return "", nil
		}
		return "", err
	}
	target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if !ok {
		return "", nil
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	if filepath.Base(filepath.Dir(target)) != "worktrees" { // a submodule
		return "", nil
	}
	return filepath.Dir(filepath.Dir(filepath.Dir(target))), nil
}

// flags returns an error where a process above was started with one of the
// options, or cannot be seen.
func (w *World) flags(list []string) error {
	lines, ok := w.Callers()
	if !ok {
		return fmt.Errorf("the agent's command line cannot be read, and it may have rules")
	}
	for _, line := range lines {
		for _, flag := range list {
			if strings.Contains(line, flag) {
				return fmt.Errorf("the agent was started with %s, which may have rules", flag)
			}
		}
	}
	return nil
}

// A claudeReader collects rules of several files. The first error stays.
type claudeReader struct {
	rules       hook.Rules
	managedOnly bool
	err         error
}

// read reads one file. Its rules that allow count only where allow is set.
func (r *claudeReader) read(path string, allow bool) {
	if r.err != nil {
		return
	}
	settings, err := readObject(path)
	if err == nil {
		err = r.add(settings, allow)
	}
	if err != nil {
		r.err = fmt.Errorf("read the rules of %q: %w", path, err)
	}
}

func (r *claudeReader) add(settings object, allow bool) error {
	r.managedOnly = r.managedOnly || string(settings["allowManagedPermissionRulesOnly"]) == "true"
	permissions, err := settings.object("permissions")
	if err != nil {
		return err
	}
	for _, name := range []string{"allow", "ask", "deny"} {
		list, err := permissions.list(name)
		if err != nil {
			return err
		}
		for _, rule := range list {
			switch {
			case name != "allow":
				r.refuse(rule)
			case allow:
				r.allow(rule)
			}
		}
	}
	return nil
}

// allow adds a rule that allows.
func (r *claudeReader) allow(rule string) {
	tool, pattern := splitRule(rule)
	switch {
	case tool != "Bash":
	case pattern == "" || pattern == "*":
		r.rules.Allow = append(r.rules.Allow, hook.Rule{Every: true})
	default:
		r.rules.Allow = append(r.rules.Allow, hook.Rule{Pattern: pattern})
	}
}

// refuse adds a rule that denies or asks. One that is not understood could match
// every command.
func (r *claudeReader) refuse(rule string) {
	tool, pattern := splitRule(rule)
	switch tool {
	case "Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Glob", "Grep", "LS":
		r.rules.Files = append(r.rules.Files, pattern)
		return
	case "WebFetch", "WebSearch", "Task", "Agent", "Skill", "TodoWrite", "SlashCommand", "NotebookRead", "PowerShell", "ExitPlanMode", "AskUserQuestion":
		return
	case "Bash":
		name, _, parameter := strings.Cut(pattern, ":")
		if pattern != "" && (!parameter || strings.HasSuffix(pattern, ":*") || strings.ContainsAny(name, " /")) {
			r.rules.Refuse = append(r.rules.Refuse, hook.Rule{Pattern: pattern})
			return
		}
	default:
		if strings.HasPrefix(tool, "mcp__") {
			return
		}
	}
	r.rules.Refuse = append(r.rules.Refuse, hook.Rule{Every: true})
}

// splitRule takes Tool(pattern) apart.
func splitRule(rule string) (tool, pattern string) {
	rule = strings.TrimSpace(rule)
	tool, pattern, ok := strings.Cut(rule, "(")
	if !ok {
		return rule, ""
	}
	inner, ok := strings.CutSuffix(pattern, ")")
	if !ok {
		return rule, "" // no tool has such a name
	}
	return tool, inner
}

package hookclient

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/hook"
	"github.com/envwrap/envwrap/internal/shared/tomltext"
)

// Gemini CLI, after its page "Hooks reference" (geminicli.com/docs/hooks/reference,
// docs/hooks/reference.md of google-gemini/gemini-cli at 06c0d81, 2026): the
// members of hookSpecificOutput.tool_input replace those of the tool's input. A
// BeforeTool hook runs before the policies do (pull request 21146, March 2026), so
// these judge the rewritten text, and are read here first.
var gemini = &Client{
	Name: "gemini", event: "BeforeTool", tool: "run_shell_command",
	rules: geminiRules,
	answer: func(e *event) any {
		return map[string]any{"hookSpecificOutput": map[string]any{
			"hookEventName": e.Event, "tool_input": object{"command": e.Input["command"]},
		}}
	},
	settings: settings{
		dir: func(w *World) (string, error) { return w.configured("", ".gemini") }, file: "settings.json",
		path:  []string{"hooks", "BeforeTool"},
		entry: `{"matcher":"run_shell_command","hooks":[{"name":"envwrap","type":"command","command":"envwrap hook gemini","timeout":10000}]}`,
	},
}

var geminiFlags = []string{"--policy", "--admin-policy", "--exclude-tools"}

// geminiRules reads the settings of user, project and system, and the policies
// of user, project, system and extensions.
func geminiRules(w *World, e *event) (*hook.Rules, error) {
	if err := w.flags(geminiFlags); err != nil {
		return nil, err
	}
	for _, name := range []string{"GEMINI_CLI_HOME", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"} {
		if w.Getenv(name) != "" {
			return nil, fmt.Errorf("%s is set, and what lies there is not read", name)
		}
	}
	home, err := w.configured("", ".gemini")
	if err != nil {
		return nil, err
	}
	system := filepath.Join(w.Root, "/etc/gemini-cli")
	switch w.System {
	case "darwin":
		system = filepath.Join(w.Root, "/Library/Application Support/GeminiCli")
	case "windows":
		return nil, errors.New("rules of an administrator are not read on Windows")
	}
	files := []string{filepath.Join(home, "settings.json"), filepath.Join(system, "settings.json"), filepath.Join(system, "system-defaults.json")}
	policies := []string{filepath.Join(home, "policies"), filepath.Join(system, "policies")}
	for _, dir := range parents(e.Dir) {
		files = append(files, filepath.Join(dir, ".gemini", "settings.json"))
		policies = append(policies, filepath.Join(dir, ".gemini", "policies"))
	}
	extensions, err := names(filepath.Join(home, "extensions"), "*")
	if err != nil {
		return nil, err
	}
	for _, dir := range extensions {
		policies = append(policies, filepath.Join(dir, "policies"))
	}
	rules := &hook.Rules{}
	for i, path := range files {
		if err := geminiSettings(path, rules, i < 3); err != nil {
			return nil, fmt.Errorf("read the rules of %q: %w", path, err)
		}
	}
	for i, dir := range policies {
		list, err := names(dir, "*.toml")
		if err != nil {
			return nil, err
		}
		for _, path := range list {
			if err := geminiPolicy(path, rules, i < 2); err != nil {
				return nil, fmt.Errorf("read the rules of %q: %w", path, err)
			}
		}
	}
	return rules, nil
}

// geminiSettings reads the lists of tools, under their present and their former
// names.
func geminiSettings(path string, rules *hook.Rules, allow bool) error {
	settings, err := readObject(path)
	if err != nil {
		return err
	}
	for _, name := range []string{"policyPaths", "adminPolicyPaths"} {
		if settings[name] != nil {
			return fmt.Errorf("%s names more rules", name)
		}
	}
	tools, err := settings.object("tools")
	if err != nil {
		return err
	}
	for _, l := range []struct {
		in     object
		name   string
		refuse bool
	}{
		{tools, "allowed", false},
		{settings, "allowedTools", false},
		{tools, "exclude", true},
		{settings, "excludeTools", true},
		{tools, "confirmationRequired", true},
	} {
		list, err := l.in.list(l.name)
		if err != nil {
			return err
		}
		for _, rule := range list {
			tool, pattern := splitRule(rule)
			r := hook.Rule{Every: pattern == ""}
			if !r.Every {
				r.Pattern = strings.TrimSuffix(pattern, ":*") + " *"
			}
			switch shell := slices.Contains([]string{"run_shell_command", "ShellTool"}, tool); {
			case l.refuse && (shell || strings.Contains(tool, "*")):
				rules.Refuse = append(rules.Refuse, r)
			case !l.refuse && shell && allow && !strings.Contains(pattern, "*"):
				rules.Allow = append(rules.Allow, r)
			}
		}
	}
	return nil
}

// geminiPolicy reads one file of policies.
func geminiPolicy(path string, rules *hook.Rules, allow bool) error {
	text, err := readFile(path)
	if err != nil {
		return err
	}
	var file struct {
		Rule []map[string]any `toml:"rule"`
	}
	if _, err := tomltext.Decode(text, &file); err != nil {
		return err
	}
	for _, r := range file.Rule {
		tools, known := texts(r["toolName"])
		shell := slices.ContainsFunc(tools, func(t string) bool { return t == "run_shell_command" || strings.Contains(t, "*") })
		if known && len(tools) > 0 && !shell {
			continue
		}
		prefixes, plain := texts(r["commandPrefix"])
		for name := range r { // another condition: it is not known what it matches
			plain = plain && slices.Contains([]string{"toolName", "commandPrefix", "decision", "priority", "name", "description", "deny_message", "denyMessage"}, name)
		}
		add := hook.Rule{Every: len(prefixes) == 0 || !plain}
		list := []hook.Rule{add}
		if !add.Every {
			list = nil
			for _, p := range prefixes {
				list = append(list, hook.Rule{Pattern: p + " *"})
			}
		}
		switch {
		case r["decision"] != "allow":
			rules.Refuse = append(rules.Refuse, list...)
		case allow && known && plain && slices.Contains(tools, "run_shell_command") && !strings.Contains(strings.Join(prefixes, ""), "*"):
			rules.Allow = append(rules.Allow, list...)
		}
	}
	return nil
}

// texts returns a value that is a string or an array of strings; false where it is
// something else.
func texts(v any) ([]string, bool) {
	switch v := v.(type) {
	case nil:
		return nil, true
	case string:
		return []string{v}, true
	case []any:
		var list []string
		for _, one := range v {
			s, ok := one.(string)
			if !ok {
				return nil, false
			}
			list = append(list, s)
		}
		return list, true
	}
	return nil, false
}

package hookclient

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/envwrap/envwrap/internal/app/hook"
)

// Cursor, after its page "Hooks" (cursor.com/docs/agent/hooks) and reports of
// those who use them (rtk-ai/rtk pull request 595 of March 2026 and 3213 of July
// 2026; aovestdipaperino/tokensave 187 of July 2026): beforeShellExecution cannot
// rewrite; preToolUse can, by updated_input beside permission "allow", and an
// empty answer is an error. The page itself could not be read here, nor the
// answer be tried.
//
// The editor keeps its rules in a database that is not read, so commands are
// rewritten for Cursor's command line program only, whose rules are in files.
var cursor = &Client{
	Name: "cursor", event: "preToolUse", tool: "Shell", otherwise: "{}\n", persistent: true, userShell: true,
	rules: cursorRules,
	answer: func(e *event) any {
		return map[string]any{"permission": "allow", "updated_input": e.Input}
	},
	settings: settings{
		dir: func(w *World) (string, error) { return w.configured("", ".cursor") }, file: "hooks.json",
		path:  []string{"hooks", "preToolUse"},
		entry: `{"command":"envwrap hook cursor","matcher":"Shell"}`,
		fresh: `"version":1`,
	},
}

// cursorRules reads cli-config.json of the user and cli.json of the project.
func cursorRules(w *World, e *event) (*hook.Rules, error) {
	lines, _ := w.Callers()
	if !strings.Contains(strings.Join(lines, "\n"), "cursor-agent") {
		return nil, errors.New("the rules of Cursor's editor cannot be read")
	}
	home, err := w.configured("", ".cursor")
	if err != nil {
		return nil, err
	}
	if dir := w.Getenv("CURSOR_CONFIG_DIR"); dir != "" {
		return nil, errors.New("CURSOR_CONFIG_DIR is set, and what lies there is not known")
	}
	rules := &hook.Rules{}
	own := map[string]bool{filepath.Join(home, "cli-config.json"): true}
	paths := []string{filepath.Join(home, "cli-config.json")}
	for _, root := range append([]string{e.Dir}, e.Roots...) {
		for _, dir := range parents(root) {
			paths = append(paths, filepath.Join(dir, ".cursor", "cli.json"))
		}
	}
	for _, path := range paths {
		if err := cursorFile(path, rules, own[path]); err != nil {
			return nil, fmt.Errorf("read the rules of %q: %w", path, err)
		}
	}
	return rules, nil
}

func cursorFile(path string, rules *hook.Rules, allow bool) error {
	settings, err := readObject(path)
	if err != nil {
		return err
	}
	permissions, err := settings.object("permissions")
	if err != nil {
		return err
	}
	for _, name := range []string{"allow", "deny"} {
		list, err := permissions.list(name)
		if err != nil {
			return err
		}
		for _, rule := range list {
			tool, pattern := splitRule(rule)
			switch {
			case tool == "Read" || tool == "Write":
				if name == "deny" {
					rules.Files = append(rules.Files, pattern)
				}
			case tool != "Shell" || pattern == "" || pattern == "*" || strings.Contains(pattern, "|"):
				if name == "deny" && !strings.HasPrefix(tool, "Mcp") && tool != "WebFetch" {
					rules.Refuse = append(rules.Refuse, hook.Rule{Every: true})
				}
			case name == "deny":
				rules.Refuse = append(rules.Refuse, hook.Rule{Pattern: strings.ReplaceAll(pattern, ":", " ")})
			case allow && !strings.Contains(pattern, ":"): // the program, with any arguments
				rules.Allow = append(rules.Allow, hook.Rule{Pattern: pattern + " *"})
			}
		}
	}
	return nil
}

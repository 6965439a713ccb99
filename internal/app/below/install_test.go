//go:build unix

package below

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// home makes a home directory with files, and returns the place of clients in it.
func home(t *testing.T, files map[string]string) (string, *Place) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		put(t, filepath.Join(dir, name), text)
	}
	p, err := NewPlace(filepath.Join(dir, "data"), "/usr/bin/envwrap", func(name string) (string, bool) { return dir, name == "HOME" })
	if err != nil {
		t.Fatal(err)
	}
	return dir, p
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// text returns the content of a file, and "(none)" for a missing one.
func text(t *testing.T, file string) string {
	t.Helper()
	doc, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return "(none)"
	} else if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

func do(t *testing.T, plan func(*Place) (*Plan, error), p *Place) *Plan {
	t.Helper()
	done, err := plan(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := done.Write(); err != nil {
		t.Fatal(err)
	}
	return done
}

// The directories of clients are those that their variables name.
func TestNewPlace(t *testing.T) {
	for _, c := range []struct{ variable, value, want string }{
		{"CLAUDE_CONFIG_DIR", "", "/h/.claude /h/.codex"},
		{"CLAUDE_CONFIG_DIR", "/c", "/c /h/.codex"},
		{"CODEX_HOME", "/c", "/h/.claude /c"},
		{"CODEX_HOME", "c", "CODEX_HOME is \"c\""},
		{"HOME", "h", "HOME is not set to a directory"},
	} {
		p, err := NewPlace("/data", "/usr/bin/envwrap", func(name string) (string, bool) {
			if name == c.variable {
				return c.value, true
			}
			return "/h", name == "HOME"
		})
		got := ""
		if err == nil {
			got = p.claude + " " + p.codex
		} else {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s=%s: %q, want %q", c.variable, c.value, got, c.want)
		}
	}
}

// Settings that install and remove leave, for each client and several files. {DIR} is the
// place of the links.
func TestInstallAndRemove(t *testing.T) {
	const (
		claudeOld = `{"matcher":"Bash","hooks":[{"type":"command","command":"envwrap hook claude-code","timeout":10}]}`
		set       = "BASH_ENV = \"{DIR}/codex-bash-env\"\nSHLVL = \"2\"\n"
	)
	for _, c := range []struct {
		client, file, before, with string
		// after is what remove leaves if the file was changed in between by another
		// line at its end; "" is as before, with that line.
		removed string
	}{
		{ClaudeCode, ".claude/settings.json", "(none)", "{\n  \"env\": {\n    \"CLAUDE_CODE_SHELL_PREFIX\": \"{DIR}/envwrap-claude-shell\"\n  }\n}\n", "{}\n"},
		{ClaudeCode, ".claude/settings.json", "{\n\t\"model\": \"x\",\n\t\"env\": {\"A\": \"b\"}\n}\n", "{\n\t\"model\": \"x\",\n\t\"env\": {\"A\": \"b\",\n\t\t\"CLAUDE_CODE_SHELL_PREFIX\": \"{DIR}/envwrap-claude-shell\"}\n}\n", ""},
		{ClaudeCode, ".claude/settings.json", "{\"a\": 1, \"hooks\": {\"PreToolUse\": [" + claudeOld + "]}}", "{\"a\": 1,\n  \"env\": {\n    \"CLAUDE_CODE_SHELL_PREFIX\": \"{DIR}/envwrap-claude-shell\"\n  }}", `{"a": 1}`},
		{ClaudeCode, ".claude/settings.json", `{"env":{"CLAUDE_CODE_SHELL_PREFIX":"/old/envwrap-claude-shell"}}`, `{"env":{"CLAUDE_CODE_SHELL_PREFIX":"{DIR}/envwrap-claude-shell"}}`, `{}`},
		{ClaudeCode, ".claude/settings.json", "{\n  // a \"b\", {\n  \"u\": \"http://x/*\", /* c\n */\n  \"env\": {\"A\": \"b\",}, // d\n}\n", "{\n  // a \"b\", {\n  \"u\": \"http://x/*\", /* c\n */\n  \"env\": {\"A\": \"b\",\n    \"CLAUDE_CODE_SHELL_PREFIX\": \"{DIR}/envwrap-claude-shell\",}, // d\n}\n", ""},
		{Codex, ".codex/config.toml", "(none)", "[shell_environment_policy.set]\n" + set, " "},
		{Codex, ".codex/config.toml", "# mine\nmodel = \"x\" # y\n", "# mine\nmodel = \"x\" # y\n\n[shell_environment_policy.set]\n" + set, ""},
		{Codex, ".codex/config.toml", "[shell_environment_policy]\ninherit = \"all\" # z\nset = { A = \"b\" } # w\n[c]\nd = 1\n", "[shell_environment_policy]\ninherit = \"all\" # z\nset = { " + strings.ReplaceAll(strings.TrimSpace(set), "\n", ", ") + ", A = \"b\" } # w\n[c]\nd = 1\n", ""},
		{Codex, ".codex/config.toml", "[shell_environment_policy.set] # s\nA = \"b\"\n\n[c]\n", "[shell_environment_policy.set] # s\n" + set + "A = \"b\"\n\n[c]\n", ""},
		{Codex, ".codex/config.toml", "set = { z = 1 }\n[a]\nshell_environment_policy = 2\n", "set = { z = 1 }\n[a]\nshell_environment_policy = 2\n\n[shell_environment_policy.set]\n" + set, ""},
		{Codex, ".codex/config.toml", "[shell_environment_policy]\nother = { z = 1 }\n", "[shell_environment_policy]\nother = { z = 1 }\n\n[shell_environment_policy.set]\n" + set, ""},
		{Codex, ".codex/config.toml", "[shell_environment_policy]\ninclude_only = [\"bash_*\", \"S*\"]\n", "[shell_environment_policy]\ninclude_only = [\"bash_*\", \"S*\"]\n\n[shell_environment_policy.set]\n" + set, ""},
		{Codex, ".codex/config.toml", "shell_environment_policy.inherit = \"all\"\n", "shell_environment_policy.inherit = \"all\"\n\n[shell_environment_policy.set]\n" + set, ""},
		{Codex, ".codex/config.toml", "[shell_environment_policy.set]\nBASH_ENV='$HOME/own'\nA = \"b\"\n", "[shell_environment_policy.set]\nSHLVL = \"2\"\nBASH_ENV='{DIR}/codex-bash-env'\nA = \"b\"\n", ""},
		{Codex, ".codex/config.toml", "a = 1\r\n", "a = 1\r\n\r\n[shell_environment_policy.set]\r\n" + strings.ReplaceAll(set, "\n", "\r\n"), ""},
		{Codex, ".codex/config.toml", "\ufeffa = 1\n", "\ufeffa = 1\n\n[shell_environment_policy.set]\n" + set, ""},
		{ClaudeCode, ".claude/settings.json", "\ufeff{\r\n  \"a\": 1 // one\r\n}\r\n", "\ufeff{\r\n  \"a\": 1, // one\r\n  \"env\": {\r\n    \"CLAUDE_CODE_SHELL_PREFIX\": \"{DIR}/envwrap-claude-shell\"\r\n  }\r\n}\r\n", ""},
		{ClaudeCode, ".claude/settings.json", "{\n  \"env\": {\n    \"A\": \"b\" /* c */ // d\n    // e\n  }\n}\n", "{\n  \"env\": {\n    \"A\": \"b\", /* c */ // d\n    \"CLAUDE_CODE_SHELL_PREFIX\": \"{DIR}/envwrap-claude-shell\"\n    // e\n  }\n}\n", ""},
		{ClaudeCode, ".claude/settings.json", "{\r\n  // one\n  \"a\": 1\r\n}\n", "{\r\n  // one\n  \"a\": 1,\r\n  \"env\": {\n    \"CLAUDE_CODE_SHELL_PREFIX\": \"{DIR}/envwrap-claude-shell\"\n  }\n}\n", ""},
		{ClaudeCode, ".claude/settings.json", "{\r\n  \"a\": 1\r\n  // one\r\n} // two\n", "{\r\n  \"a\": 1,\r\n  \"env\": {\n    \"CLAUDE_CODE_SHELL_PREFIX\": \"{DIR}/envwrap-claude-shell\"\n  }\n  // one\r\n} // two\n", ""},
		{Codex, ".codex/hooks.json", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"envwrap hook codex"}]}]},"a":1}`, `{"a":1}`, `{"a":1}`},
		{Gemini, ".gemini/settings.json", `{"hooks":{"BeforeTool":[{"matcher":"run_shell_command","hooks":[{"name":"envwrap","type":"command","command":"envwrap hook gemini"}]}]}}`, `{}`, `{}`},
		{Cursor, ".cursor/mcp.json", "(none)", "{\n  \"mcpServers\": {\n    \"envwrap\": {\n      \"command\": \"/usr/bin/envwrap\",\n      \"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}\n", "{}\n"},
		{Cursor, ".cursor/mcp.json", `{"mcpServers":{"envwrap":{"command":"/old/envwrap","args":["mcp"]},"x":{}}}`, `{"mcpServers":{"envwrap":{"command":"/usr/bin/envwrap","args":["mcp"]},"x":{}}}`, `{"mcpServers":{"x":{}}}`},
		{Cursor, ".cursor/hooks.json", `{"version":1,"hooks":{"preToolUse":[{"command":"envwrap hook cursor","matcher":"Shell"}]}}`, `{"version":1}`, `{"version":1}`},
	} {
		files := map[string]string{}
		if c.before != "(none)" {
			files[c.file] = c.before
		}
		dir, p := home(t, files)
		file := filepath.Join(dir, c.file)
		client, _ := Lookup(c.client)
		do(t, client.Install, p)
		want := strings.ReplaceAll(c.with, "{DIR}", p.Dir)
		if got := text(t, file); got != want {
			t.Errorf("install %s in %q: got %q, want %q", c.client, c.before, got, want)
		}
		if again := do(t, client.Install, p); !again.Empty() {
			t.Errorf("install %s again in %q changes %+v", c.client, c.before, again.Changes)
		}
		clean := c.removed
		if clean == "" {
			clean = c.before
		}
		if strings.HasSuffix(c.file, ".toml") || c.removed == "" { // a change of another program's
			added := "\n"
			if strings.HasSuffix(c.file, ".toml") {
				added = "\n# added\n"
			}
			if strings.Contains(c.before, "\r\n") {
				added = strings.ReplaceAll(added, "\n", "\r\n")
			}
			put(t, file, text(t, file)+added)
			do(t, client.Remove, p)
			if got := text(t, file); strings.TrimSpace(strings.Replace(got, "# added", "", 1)) != strings.TrimSpace(clean) {
				t.Errorf("remove %s from a changed file: got %q, want %q", c.client, got, clean)
			}
			put(t, file, c.before)
			if c.before == "(none)" {
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
			}
			do(t, client.Install, p)
		}
		do(t, client.Remove, p)
		undone := c.before
		if strings.Contains(c.before, "envwrap hook") || strings.Contains(c.before, "/old/") { // that goes, too
			undone = c.removed
		}
		if got := text(t, file); got != undone {
			t.Errorf("remove %s: got %q, want %q", c.client, got, undone)
		}
		if again := do(t, client.Remove, p); !again.Empty() {
			t.Errorf("remove %s again changes %+v, %q", c.client, again.Changes, again.Links)
		}
	}
}

// A link to a file of the user's own is followed, and stays a link.
func TestInstallFollowsLinks(t *testing.T) {
	dir, p := home(t, map[string]string{"dotfiles/claude.json": "{}"})
	if err := os.Symlink(filepath.Join(dir, "dotfiles"), filepath.Join(dir, ".claude")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("claude.json", filepath.Join(dir, "dotfiles/settings.json")); err != nil {
		t.Fatal(err)
	}
	client, _ := Lookup(ClaudeCode)
	do(t, client.Install, p)
	if got := text(t, filepath.Join(dir, "dotfiles/claude.json")); !strings.Contains(got, ClaudeShell) {
		t.Errorf("the file has %q", got)
	}
	if target, err := os.Readlink(filepath.Join(dir, "dotfiles/settings.json")); err != nil || target != "claude.json" {
		t.Errorf("the link leads to %q, %v", target, err)
	}
	do(t, client.Remove, p)
	if got := text(t, filepath.Join(dir, "dotfiles/claude.json")); got != "{}" {
		t.Errorf("after removal it has %q", got)
	}
}

// Install leaves a file that it cannot safely change, and prints the manual step.
func TestInstallRefuses(t *testing.T) {
	for _, c := range []struct{ client, file, before, want string }{
		{Cursor, ".cursor/mcp.json", `{"mcpServers":{"envwrap":{"command":"/my/own","args":["mcp"]}}}`, "is set to {"},
		{Cursor, ".cursor/mcp.json", `{"mcpServers":{"envwrap":{"command":"/my/envwrap","args":["x"]}}}`, "is set to {"},
		{Cursor, ".cursor/mcp.json", `{"mcpServers":{"envwrap":{"command":"/my/envwrap"}}}`, "is set to {"},
		{ClaudeCode, ".claude/settings.json", "{ // mine\n}", "add this by hand:\n{\n  \"env\""},
		{ClaudeCode, ".claude/settings.json", "{ /* mine }", "add this by hand:\n{\n  \"env\""},
		{ClaudeCode, ".claude/settings.json", "[]", "no JSON object"},
		{ClaudeCode, ".claude/settings.json", " null\n", "no JSON object"},
		{ClaudeCode, ".claude/settings.json", "5", "no JSON object"},
		{ClaudeCode, ".claude/settings.json", `{"env":[]}`, "env is no object"},
		{ClaudeCode, ".claude/settings.json", `{"env":{"CLAUDE_CODE_SHELL_PREFIX":"/my/own"}}`, "is set to \"/my/own\" already"},
		{Codex, ".codex/config.toml", "a = ", "it is not TOML"},
		{Codex, ".codex/config.toml", "[shell_environment_policy.set]\nBASH_ENV = \"$(my own)\"\n", "BASH_ENV is \"$(my own)\" already"},
		{Codex, ".codex/config.toml", "[shell_environment_policy.set]\nSHLVL = \"1\"\n", "SHLVL is set to 1 already"},
		{Codex, ".codex/config.toml", "shell_environment_policy = { inherit = \"all\" }\n", "add these lines by hand:\n[shell_environment_policy.set]"},
		{Codex, ".codex/config.toml", "shell_environment_policy.set.A = \"1\"\n", "add these lines by hand:\nshell_environment_policy.set.BASH_ENV = "},
		{Codex, ".codex/config.toml", "[shell_environment_policy]\nset.A = \"1\"\n", "add these lines by hand:\nset.BASH_ENV = "},
		{Codex, ".codex/config.toml", "[shell_environment_policy]\ninclude_only = [\"PATH\", \"HOME\"]\n", "add \"BASH_ENV\" and \"SHLVL\" to that list"},
		{Codex, ".codex/config.toml", "[shell_environment_policy]\ninclude_only = [\"PATH\", \"bash_*\"]\n", "add \"BASH_ENV\" and \"SHLVL\" to that list"},
	} {
		dir, p := home(t, map[string]string{c.file: c.before})
		client, _ := Lookup(c.client)
		if _, err := client.Install(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("install %s in %q: %v; want %q", c.client, c.before, err, c.want)
		}
		if got := text(t, filepath.Join(dir, c.file)); got != c.before {
			t.Errorf("%q became %q", c.before, got)
		}
	}
	dir, p := home(t, map[string]string{".claude/settings.json": "{}", ".codex/config.toml/dir": ""})
	codex, _ := Lookup(Codex)
	if _, err := codex.Install(p); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a directory: %v", err)
	}
	config := filepath.Join(dir, ".codex", "config.toml")
	for want, plant := range map[string]func() error{
		"link to a file that does not exist":         func() error { return os.Symlink("gone", config) },
		`config.toml": EvalSymlinks: too many links`: func() error { return os.Symlink("config.toml", config) },
		"larger than 4194304 bytes":                  func() error { return errors.Join(os.WriteFile(config, nil, 0o600), os.Truncate(config, maxSettings+1)) },
	} {
		if err := errors.Join(os.RemoveAll(config), plant()); err != nil {
			t.Fatal(err)
		}
		for name, plan := range map[string]func(*Place) (*Plan, error){"install": codex.Install, "remove": codex.Remove} {
			if _, err := plan(p); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
	client, _ := Lookup(ClaudeCode)
	plan, err := client.Install(p)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, ".claude/settings.json")
	put(t, file, `{"a":1}`)
	if err := plan.Write(); err == nil || !strings.Contains(err.Error(), "try again") {
		t.Errorf("a file that changed: %v", err)
	}
	if err := os.Chmod(file, 0o400); err != nil {
		t.Fatal(err)
	}
	if plan, err = client.Install(p); err == nil {
		err = plan.Write()
	}
	if err == nil || !strings.Contains(err.Error(), "chmod u+w") {
		t.Errorf("a read-only file: %v", err)
	}
}

// Remove leaves settings that are not envwrap's, and says which it cannot read.
func TestRemoveLeaves(t *testing.T) {
	for _, c := range []struct{ client, file, before, want string }{
		{ClaudeCode, ".claude/settings.json", `{"env":5}`, ""},
		{ClaudeCode, ".claude/settings.json", `{"env":{"CLAUDE_CODE_SHELL_PREFIX":"/my/own"}}`, ""},
		{ClaudeCode, ".claude/settings.json", " \n", ""},
		{ClaudeCode, ".claude/settings.json", "[]", "no JSON object: take env.CLAUDE_CODE_SHELL_PREFIX out by hand"},
		{Cursor, ".cursor/mcp.json", `{"mcpServers":{"envwrap":{"command":"/my/envwrap"}}}`, ""},
		{Codex, ".codex/config.toml", "[shell_environment_policy.set]\nBASH_ENV = \"/my/own\"\n", ""},
		{Codex, ".codex/config.toml", "a = ", "it is not TOML"},
	} {
		dir, p := home(t, map[string]string{c.file: c.before})
		client, _ := Lookup(c.client)
		plan, err := client.Remove(p)
		switch {
		case c.want == "" && (err != nil || !plan.Empty()):
			t.Errorf("%s in %q: %+v, %v", c.client, c.before, plan, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s in %q: %v, want %q", c.client, c.before, err, c.want)
		}
		if got := text(t, filepath.Join(dir, c.file)); got != c.before {
			t.Errorf("%q became %q", c.before, got)
		}
	}
}

// The links are made in a directory that only the user can change, and settings are
// written to a file that only the user can change.
func TestInstallIntoExposedPlace(t *testing.T) {
	dir, p := home(t, map[string]string{".claude/settings.json": "{}"})
	client, _ := Lookup(ClaudeCode)
	install := func() error {
		plan, err := client.Install(p)
		must(t, err)
		return plan.Write()
	}
	settings := filepath.Join(dir, ".claude/settings.json")
	must(t, os.Chmod(settings, 0o602))
	if err := install(); err == nil || !strings.Contains(err.Error(), "others can write to it") {
		t.Errorf("settings of mode 0602: %v", err)
	}
	must(t, os.Chmod(settings, 0o640))
	put(t, p.Dir, "")
	if err := install(); err == nil {
		t.Error("the place is a file, and was written to")
	}
	must(t, os.Remove(p.Dir))
	must(t, os.MkdirAll(p.Dir, 0o700))
	must(t, os.Chmod(p.Dir, 0o707))
	if err := install(); err == nil || !strings.Contains(err.Error(), "make links in") {
		t.Errorf("a place of mode 0707: %v", err)
	}
	must(t, os.Chmod(p.Dir, 0o700))
	must(t, install())
	if info, err := os.Stat(settings); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the settings have another mode: %v, %v", info.Mode(), err)
	}
}

// What is left to do by hand names the user's own file, or the lines to add.
func TestAfter(t *testing.T) {
	_, p := home(t, nil)
	p.bashEnv = ""
	for name, want := range map[string]string{Codex: "", Gemini: "PATH='" + p.Dir + "/gemini':", Cursor: "/usr/bin/envwrap shim install"} {
		c, _ := Lookup(name)
		if got := c.After(p); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	p.bashEnv = "/own"
	if c, _ := Lookup(Codex); c.After(p) != "Your own BASH_ENV, /own, is read as before." {
		t.Errorf("got %q", c.After(p))
	}
	if _, ok := Lookup("none"); ok {
		t.Error("a client without a name is found")
	}
}

// The user's own start-up file is the one that Codex would give to bash.
func TestUserStartup(t *testing.T) {
	for config, want := range map[string]userStartup{
		"": {"/own", false},
		"[shell_environment_policy]\ninherit = \"all\"\n":                       {"/own", false},
		"[shell_environment_policy]\ninherit = \"core\"\n":                      {},
		"[shell_environment_policy]\nexclude = [\"BASH*\"]\n":                   {},
		"[shell_environment_policy]\ninclude_only = [\"PATH\"]\n":               {},
		"[shell_environment_policy.set]\nBASH_ENV = \"/set\"\n":                 {"/set", true},
		"[shell_environment_policy.set]\nBASH_ENV = \"{DIR}/codex-bash-env\"\n": {"/own", false},
		"[shell_environment_policy\n":                                           {},
	} {
		dir, p := home(t, nil)
		must(t, p.make())
		p.bashEnv = "/own"
		put(t, filepath.Join(dir, ".codex/config.toml"), strings.ReplaceAll(config, "{DIR}", p.Dir))
		if got := p.userStartup(); got != want {
			t.Errorf("%q: %+v, want %+v", config, got, want)
		}
		if !IsStartup(p.Link(codexStartup)) || IsStartup(p.Link("x")) || IsStartup(filepath.Join(dir, codexStartup)) {
			t.Error("the start-up file for Codex is not known by its directory and name")
		}
		if link := p.Link(geminiDir + "/" + GeminiShell); !IsGeminiShell(link) || IsGeminiShell(p.Link(GeminiShell)) || IsGeminiShell(filepath.Join(dir, geminiDir, GeminiShell)) {
			t.Error("the link for Gemini CLI is not known by its directories")
		}
		must(t, os.Remove(p.Link(mark)))
		if IsGeminiShell(p.Link(geminiDir+"/"+GeminiShell)) || IsStartup(p.Link(codexStartup)) {
			t.Error("a directory without the mark is envwrap's")
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

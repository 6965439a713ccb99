package hookclient

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// What the rules of the other agents allow, refuse, or cannot say.
func TestRulesOfAgents(t *testing.T) {
	const allow, stays, fails = "it is rewritten", "it stays", "an error"
	m := newMachine(t)
	m.callers = append(m.callers, "cursor-agent")
	for _, c := range []struct {
		client, path, text string
		want               string
	}{
		{"codex", "home/.codex/rules/x.rules", `prefix_rule(pattern=["make"], justification="it builds", not_match=[["x"]])`, allow},
		{"codex", "home/.codex/rules/x.rules", `prefix_rule(pattern=["make"], decision="forbidden")`, stays},
		{"codex", "root/etc/codex/rules/x.rules", `prefix_rule(pattern=["make"])`, allow},
		{"codex", "src/project/.codex/rules/x.rules", `prefix_rule(pattern=["make"])`, stays},
		{"codex", "home/.codex/rules/x.text", `prefix_rule(pattern=["make"])`, stays},
		{"codex", "home/.codex/rules/x.rules", `prefix_rule(decision="allow")`, fails},
		{"codex", "home/.codex/rules/x.rules", `prefix_rule(pattern=[])`, fails},
		{"codex", "home/.codex/rules/x.rules", `prefix_rule(pattern=[""])`, fails},
		{"codex", "home/.codex/rules/x.rules", `prefix_rule(pattern=[["a", ["b"]]])`, fails},
		{"codex", "home/.codex/rules/x.rules", `prefix_rule(pattern=["make"], match=[1])`, fails},
		{"codex", "home/.codex/rules/x.rules", `prefix_rule(pattern=["make"], match=["x", x])`, fails},
		{"codex", "home/.codex/rules/x.rules", `prefix_rule(pattern=["make"], decision=x)`, fails},
		{"codex", "home/.codex/rules/x.rules", `prefix_rule(pattern=["make"], justification=x)`, fails},
		{"codex", "home/.codex/rules/x.rules", `prefix_rule(pattern=["make"], other="x")`, fails},
		{"codex", "home/.codex/rules/x.rules", `prefix_rule(pattern=["make"] decision "allow")`, fails},
		{"codex", "home/.codex/rules/x.rules", `prefix_rule(pattern=["make"]) %`, fails},
		{"codex", "home/.codex/rules", "", stays},
		{"codex", "home/.codex/rules/x.rules/y", "", fails},
		{"codex", "home/.codex/managed_config.toml", "", fails},

		{"cursor", "home/.cursor/cli-config.json", `{"permissions":{"allow":["Shell(make)"]}}`, allow},
		{"cursor", "home/.cursor/cli-config.json", `{"permissions":{"allow":["Shell(make:all)"]}}`, stays},
		{"cursor", "home/.cursor/cli-config.json", `{"permissions":{"allow":["Shell(*)", "Shell", "Shell(a|make)", "Read(make)"]}}`, stays},
		{"cursor", "home/.cursor/cli-config.json", `{"permissions":{"allow":["Shell(make)"],"deny":["Shell(make:all)"]}}`, stays},
		{"cursor", "home/.cursor/cli-config.json", `{"permissions":{"allow":["Shell(make)"],"deny":["Shell(*)"]}}`, stays},
		{"cursor", "home/.cursor/cli-config.json", `{"permissions":{"allow":["Shell(make)"],"deny":["Shell(a|b)"]}}`, stays},
		{"cursor", "home/.cursor/cli-config.json", `{"permissions":{"allow":["Shell(make)"],"deny":["New(x)"]}}`, stays},
		{"cursor", "home/.cursor/cli-config.json", `{"permissions":{"allow":["Shell(make)"],"deny":["WebFetch(x)", "Mcp(a:b)"]}}`, allow},
		{"cursor", "home/.cursor/cli-config.json", `{"permissions":{"allow":["Shell(make)"],"deny":["Write(all)"]}}`, stays},
		{"cursor", "home/.cursor/cli-config.json", `{"permissions":{"allow":["Shell(make)", "Write(all)", "Read(all)"]}}`, allow},
		{"cursor", "home/.cursor/cli-config.json", `{"permissions":[]}`, fails},
		{"cursor", "home/.cursor/cli-config.json", `{"permissions":{"allow":1}}`, fails},
		{"cursor", "home/.cursor/cli-config.json", ``, stays},

		{"gemini", "home/.gemini/settings.json", `{"allowedTools":["ShellTool(make)"]}`, allow},
		{"gemini", "home/.gemini/settings.json", `{"tools":{"allowed":["run_shell_command"]}}`, allow},
		{"gemini", "home/.gemini/settings.json", `{"tools":{"allowed":["run_shell_command(m*)", "other(make)"]}}`, stays},
		{"gemini", "home/.gemini/settings.json", `{"tools":{"allowed":["run_shell_command"]},"excludeTools":["ShellTool(make:*)"]}`, stays},
		{"gemini", "home/.gemini/settings.json", `{"tools":{"allowed":["run_shell_command"],"confirmationRequired":["run_*"]}}`, stays},
		{"gemini", "home/.gemini/settings.json", `{"tools":{"allowed":["run_shell_command"],"exclude":["other"]}}`, allow},
		{"gemini", "root/etc/gemini-cli/settings.json", `{"allowedTools":["ShellTool"]}`, allow},
		{"gemini", "src/project/.gemini/settings.json", `{"allowedTools":["ShellTool"]}`, stays},
		{"gemini", "home/.gemini/settings.json", `{"tools":[]}`, fails},
		{"gemini", "home/.gemini/settings.json", `{"tools":{"exclude":"x"}}`, fails},
		{"gemini", "home/.gemini/settings.json", `{"adminPolicyPaths":[]}`, fails},
		{"gemini", "home/.gemini/extensions", "", stays},
		{"gemini", "home/.gemini/policies", "", stays},
		{"gemini", "home/.gemini/policies/x.toml/y", "", fails},
		{"gemini", "home/.gemini/policies/x.toml", "[[rule]]\ntoolName='run_shell_command'\ndecision='allow'", allow},
		{"gemini", "home/.gemini/policies/x.toml", "[[rule]]\ntoolName=['a','run_shell_command']\ncommandPrefix=['x','make']\ndecision='allow'\nname='n'\ndescription='d'\ndenyMessage='m'\ndeny_message='m'", allow},
		{"gemini", "root/etc/gemini-cli/policies/x.toml", "[[rule]]\ntoolName='run_shell_command'\ndecision='allow'", allow},
		{"gemini", "home/.gemini/extensions/e/policies/x.toml", "[[rule]]\ntoolName='run_shell_command'\ndecision='allow'", stays},
		{"gemini", "home/.gemini/policies/x.toml", "[[rule]]\ntoolName='run_shell_command'\ncommandPrefix='makes'\ndecision='allow'", stays},
		{"gemini", "home/.gemini/policies/x.toml", "[[rule]]\ntoolName='run_shell_command'\ncommandPrefix='m*'\ndecision='allow'", stays},
		{"gemini", "home/.gemini/policies/x.toml", "[[rule]]\ntoolName='*'\ndecision='allow'", stays},
		{"gemini", "home/.gemini/policies/x.toml", "[[rule]]\ntoolName='run_shell_command'\ncommandRegex='x'\ndecision='allow'", stays},
		{"gemini", "home/.gemini/policies/x.toml", "[[rule]]\ntoolName=1\ndecision='allow'", stays},
		{"gemini", "home/.gemini/policies/x.toml", "[[rule]]\ntoolName=['run_shell_command',1]\ndecision='allow'", stays},
		{"gemini", "home/.gemini/policies/x.toml", "[[rule]]\ntoolName='run_shell_command'\ncommandPrefix=1\ndecision='allow'", stays},
		{"gemini", "home/.gemini/policies/x.toml", "[[rule]]\ntoolName='run_shell_command'\ndecision='allow'\n[[rule]]\ncommandPrefix='make'\ndecision='deny'", stays},
		{"gemini", "home/.gemini/policies/x.toml", "[[rule]]\ntoolName='run_shell_command'\ndecision='allow'\n[[rule]]\ntoolName='run_*'\ndecision='ask_user'", stays},
		{"gemini", "home/.gemini/policies/x.toml", "[[rule]]\ntoolName='run_shell_command'\ndecision='allow'\n[[rule]]\ntoolName='other'\ndecision='deny'", allow},
	} {
		path := filepath.Join(filepath.Dir(m.home), c.path)
		m.write(t, path, c.text)
		got, err := m.ask(t, c.client, "make all", nil)
		if err := os.RemoveAll(filepath.Dir(path)); err != nil {
			t.Fatal(err)
		}
		result := stays
		switch {
		case err != nil:
			result = fails
		case strings.Contains(got, "envwrap"):
			result = allow
		}
		if result != c.want {
			t.Errorf("%s, %s: %s: %s, want %s (%v)", c.client, c.path, c.text, result, c.want, err)
		}
	}
}

// circle makes a directory that cannot be opened: a link to itself.
func circle(t *testing.T, path string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(path, path)); err != nil {
		t.Fatal(err)
	}
}

// Where an agent is told to look elsewhere, or is of another system, nothing is known but
// where that is.
func TestPlacesOfAgents(t *testing.T) {
	const claude, codexRule = `{"permissions":{"allow":["Bash(make:*)"]}}`, `prefix_rule(pattern=["make"])`
	for name, c := range map[string]struct {
		client, path, text string
		prepare            func(m *machine)
		rewritten, fails   bool
	}{
		"Claude's directory": {"claude-code", "else/settings.json", claude, func(m *machine) { m.env["CLAUDE_CONFIG_DIR"] = filepath.Dir(m.home) + "/else" }, true, false},
		"Claude's, relative": {"claude-code", "home/.claude/settings.json", claude, func(m *machine) { m.env["CLAUDE_CONFIG_DIR"] = "else" }, false, true},
		"Claude of macOS":    {"claude-code", "root/Library/Application Support/ClaudeCode/managed-settings.json", claude, func(m *machine) { m.System = "darwin" }, true, false},
		"a checkout":         {"claude-code", "home/.claude/settings.json", claude, func(m *machine) { m.write(t, m.project+"/.git/HEAD", "x") }, true, false},
		"a submodule": {"claude-code", "home/.claude/settings.json", claude, func(m *machine) {
			m.write(t, m.project+"/.git", "gitdir: ../.git/modules/x\n")
			m.write(t, m.project+"/../.claude/settings.local.json", "")
		}, true, false},
		"a .git that is none": {"claude-code", "home/.claude/settings.json", claude, func(m *machine) { m.write(t, m.project+"/.git", "nothing\n") }, true, false},
		"a relative worktree": {"claude-code", "home/.claude/settings.json", claude, func(m *machine) {
			m.write(t, m.project+"/.git", "gitdir: ../main/.git/worktrees/w\n")
			m.write(t, m.project+"/../main/.claude/settings.local.json", "x")
		}, false, true},
		"a worktree without rules":      {"claude-code", "home/.claude/settings.json", claude, func(m *machine) { m.write(t, m.project+"/.git", "gitdir: ../main/.git/worktrees/w\n") }, true, false},
		"the worktree's main allows":    {"claude-code", "src/main/.claude/settings.local.json", claude, func(m *machine) { m.write(t, m.project+"/.git", "gitdir: ../main/.git/worktrees/w\n") }, false, false},
		"a .git that cannot be read":    {"claude-code", "home/.claude/settings.json", claude, func(m *machine) { m.write(t, m.project+"/.git/x", "") }, false, true},
		"Codex' directory":              {"codex", "else/rules/x.rules", codexRule, func(m *machine) { m.env["CODEX_HOME"] = filepath.Dir(m.home) + "/else" }, true, false},
		"Cursor's directory":            {"cursor", "home/.cursor/cli-config.json", `{"permissions":{"allow":["Shell(make)"]}}`, func(m *machine) { m.env["CURSOR_CONFIG_DIR"] = "/x" }, false, true},
		"Gemini's directory":            {"gemini", "home/.gemini/settings.json", `{"allowedTools":["ShellTool"]}`, func(m *machine) { m.env["GEMINI_CLI_HOME"] = "/x" }, false, true},
		"Gemini's command line":         {"gemini", "home/.gemini/settings.json", `{"allowedTools":["ShellTool"]}`, func(m *machine) { m.callers = []string{"gemini --policy x"} }, false, true},
		"Gemini of macOS":               {"gemini", "root/Library/Application Support/GeminiCli/settings.json", `{"allowedTools":["ShellTool"]}`, func(m *machine) { m.System = "darwin" }, true, false},
		"Gemini of Windows":             {"gemini", "home/.gemini/settings.json", `{"allowedTools":["ShellTool"]}`, func(m *machine) { m.System = "windows" }, false, true},
		"Gemini's policies in a circle": {"gemini", "home/.gemini/settings.json", `{"allowedTools":["ShellTool"]}`, func(m *machine) { circle(t, m.home+"/.gemini/policies") }, false, true},
		"its extensions in a circle":    {"gemini", "home/.gemini/settings.json", `{"allowedTools":["ShellTool"]}`, func(m *machine) { circle(t, m.home+"/.gemini/extensions") }, false, true},
		"Codex' rules in a circle":      {"codex", "root/etc/codex/rules/x.rules", codexRule, func(m *machine) { circle(t, m.home+"/.codex/rules") }, false, true},
		"a home of Windows":             {"codex", "home/.codex/rules/x.rules", codexRule, func(m *machine) { m.System, m.env["USERPROFILE"], m.env["HOME"] = "windows", m.home, "" }, true, false},
		"no home, but USERPROFILE":      {"codex", "home/.codex/rules/x.rules", codexRule, func(m *machine) { m.env["USERPROFILE"], m.env["HOME"] = m.home, "" }, false, true},
		"a home that is relative":       {"codex", "home/.codex/rules/x.rules", codexRule, func(m *machine) { m.env["HOME"] = "home" }, false, true},
		"no program of the name":        {"codex", "home/.codex/rules/x.rules", codexRule, func(m *machine) { m.env["PATH"] = ":" + m.home }, false, false},
		"a directory of the name":       {"codex", "home/.codex/rules/x.rules", codexRule, func(m *machine) { m.env["PATH"] = m.home; m.write(t, m.home+"/make/x", "") }, false, false},
		"a file that is not executable": {"codex", "home/.codex/rules/x.rules", codexRule, func(m *machine) { m.env["PATH"] = m.home; m.write(t, m.home+"/make", "") }, false, false},
	} {
		m := newMachine(t)
		m.callers = append(m.callers, "cursor-agent")
		m.write(t, filepath.Join(filepath.Dir(m.home), c.path), c.text)
		c.prepare(m)
		if got, err := m.ask(t, c.client, "make all", nil); strings.Contains(got, "envwrap") != c.rewritten || (err != nil) != c.fails {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

// A program with a path is looked for from the directory of the event.
func TestRuns(t *testing.T) {
	m := newMachine(t)
	m.write(t, m.project+"/run", "")
	if err := os.Chmod(m.project+"/run", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir, name string
		want      bool
	}{
		{m.project, "./run", true},
		{filepath.Dir(m.project), "project/run", true},
		{"/", m.project + "/run", true},
		{"", "./run", false},
		{m.project, "run", false},
		{m.project, "", false},
		{m.project, "./none", false},
	} {
		if got := m.runs(c.dir, c.name); got != c.want {
			t.Errorf("%q in %q: %t", c.name, c.dir, got)
		}
	}
	for mode, want := range map[string]bool{"bypassPermissions": true, "plan": false, "default": false} {
		if got, err := m.ask(t, "codex", "make", map[string]any{"permission_mode": mode}); err != nil || strings.Contains(got, "envwrap") != want {
			t.Errorf("in mode %s: %q, %v", mode, got, err)
		}
	}
	if parents("relative") != nil {
		t.Error("a relative directory has directories above it")
	}
}

// An event that cannot be read is an error, and its answer changes nothing.
func TestUnreadableEvents(t *testing.T) {
	m := newMachine(t)
	for name, in := range map[string]io.Reader{
		"no JSON":   strings.NewReader("x"),
		"an array":  strings.NewReader("[]"),
		"too large": io.MultiReader(strings.NewReader("{}"), bytes.NewReader(bytes.Repeat([]byte(" "), maxEvent))),
		"an error":  io.MultiReader(strings.NewReader("{}"), failing{}),
	} {
		var out strings.Builder
		if err := cursor.Answer(&m.World, in, &out); err == nil || !strings.HasPrefix(err.Error(), "read the event: ") || out.String() != "{}\n" {
			t.Errorf("%s: got %q, %v", name, out.String(), err)
		}
	}
	if _, ok := Lookup("nobody"); ok {
		t.Error("there is a client that is not")
	}
	m.write(t, m.home+"/.codex/rules/x.rules", `prefix_rule(pattern=["make"])`)
	event := `{"hook_event_name":"PreToolUse","tool_name":"Bash","cwd":"/","tool_input":{"command":"make"}}`
	if err := codex.Answer(&m.World, strings.NewReader(event), failing{}); !errors.Is(err, errFailing) {
		t.Errorf("an answer that cannot be written: %v", err)
	}
	if err := cursor.Answer(&m.World, strings.NewReader(event), failing{}); !errors.Is(err, errFailing) {
		t.Errorf("an answer that cannot be written: %v", err)
	}
	for _, c := range []struct {
		shell, line string
		want        bool
	}{{"/bin/zsh", "make {a,b}(x)", false}, {"/bin/bash", "make", true}} {
		m.env["SHELL"] = c.shell
		m.write(t, m.home+"/.claude/settings.json", `{"permissions":{"allow":["Bash(make:*)"]}}`)
		if got, err := m.ask(t, "claude-code", c.line, nil); err != nil || strings.Contains(got, "envwrap") != c.want {
			t.Errorf("%s of %s: %q, %v", c.line, c.shell, got, err)
		}
	}
}

var errFailing = errors.New("it fails")

type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, errFailing }
func (failing) Write([]byte) (int, error) { return 0, errFailing }

// The processes above this one are seen, the nearest first.
func TestCallers(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it is compared with /proc")
	}
	lines, ok := Callers()
	parent, known := readProcess(os.Getppid())
	if !ok || os.Getppid() > 0 && (len(lines) == 0 || !known || lines[0] != parent.line) {
		t.Errorf("got %q, %t; the parent is %+v", lines, ok, parent)
	}
	self, ok := readProcess(os.Getpid())
	if !ok || self.parent != os.Getppid() || !strings.HasPrefix(self.line, os.Args[0]+" ") {
		t.Errorf("this process is %+v", self)
	}
	if _, ok := readProcess(1 << 30); ok {
		t.Error("there is a process that is not")
	}
	if _, err := os.Stat("/bin/ps"); err != nil {
		t.Skip("no ps here")
	}
	look := listProcesses()
	if p, ok := look(os.Getpid()); !ok || p.parent != os.Getppid() || !strings.Contains(p.line, filepath.Base(os.Args[0])) {
		t.Errorf("by ps this process, %s, is %+v", strconv.Itoa(os.Getpid()), p)
	}
	if _, ok := look(1 << 30); ok {
		t.Error("by ps there is a process that is not")
	}
}

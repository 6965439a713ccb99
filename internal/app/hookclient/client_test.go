package hookclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// programs is a directory for PATH, which all machines share.
var programs string

func TestMain(m *testing.M) { os.Exit(testenv.Run(withPrograms{m})) }

type withPrograms struct{ m *testing.M }

// Run makes the programs and runs the tests.
func (w withPrograms) Run() int {
	programs = filepath.Join(os.TempDir(), "bin")
	err := os.Mkdir(programs, 0o700)
	for name := range strings.FieldsSeq("envwrap bash make git go npm rm tail head grep cat sort seq sed ls curl") {
		err = errors.Join(err, os.WriteFile(filepath.Join(programs, name), []byte("#!"), 0o700))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return w.m.Run()
}

// A machine is an Env with directories of its own, which are not there before a test
// writes to them.
type machine struct {
	World
	home, root, project string
	env                 map[string]string
	callers             []string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	base := t.TempDir()
	m := &machine{home: filepath.Join(base, "home"), root: filepath.Join(base, "root"), project: filepath.Join(base, "src", "project")}
	m.env = map[string]string{"HOME": m.home, "PATH": programs}
	m.callers = []string{"bash", "claude"}
	m.World = World{
		Root: m.root, System: "linux",
		Getenv:  func(name string) string { return m.env[name] },
		Callers: func() ([]string, bool) { return m.callers, m.callers != nil },
	}
	return m
}

func (m *machine) write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ask gives a client an event about a command, and returns the answer.
func (m *machine) ask(t *testing.T, client, command string, more map[string]any) (answer string, err error) {
	t.Helper()
	c, ok := Lookup(client)
	if !ok {
		t.Fatalf("no client %q", client)
	}
	event := map[string]any{
		"hook_event_name": c.event, "tool_name": c.tool, "cwd": m.project, "tool_input": map[string]any{"command": command, "description": "a test"},
	}
	for name, value := range more {
		if input, ok := value.(map[string]any); ok {
			maps.Copy(event["tool_input"].(map[string]any), input)
			continue
		}
		event[name] = value
	}
	text, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = c.Answer(&m.World, bytes.NewReader(text), &out)
	return out.String(), err
}

const userRules = `{"permissions":{"allow":["Bash(make:*)","Bash(git *)"],"deny":["Bash(git push *)"],"ask":["Bash(make deploy)"]}}`

// Each agent gets its own form of answer, with the whole input.
func TestAnswers(t *testing.T) {
	for client, test := range map[string]struct{ path, rules, want, none string }{
		"claude-code": {
			".claude/settings.json", userRules,
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"a permission rule allows it; it runs under envwrap","updatedInput":{"command":"envwrap -f brief -- make all","description":"a test"}}}`, "",
		},
		"codex": {
			".codex/rules/default.rules", "# mine\nprefix_rule(pattern = [\"make\"], decision = \"allow\", match = [\"make x\"])\nprefix_rule(pattern=['git', ['push', 'fetch']], decision='prompt',)\n",
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"envwrap -f brief -- make all","description":"a test"}}}`, "",
		},
		"cursor": {
			".cursor/cli-config.json", `{"permissions":{"allow":["Shell(make)"],"deny":["Shell(git)"]}}`,
			`{"permission":"allow","updated_input":{"command":"envwrap -f brief -- make all","description":"a test"}}`, "{}\n",
		},
		"gemini": {
			".gemini/settings.json", `{"tools":{"allowed":["run_shell_command(make)"],"exclude":["run_shell_command(git push)"]}}`,
			`{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"envwrap -f brief -- make all"}}}`, "",
		},
	} {
		m := newMachine(t)
		m.callers = append(m.callers, "node /opt/cursor-agent/index.js")
		m.write(t, filepath.Join(m.home, test.path), test.rules)
		if got, err := m.ask(t, client, "make all", nil); err != nil || strings.TrimSpace(got) != test.want {
			t.Errorf("%s: got %s, %v, want %s", client, got, err, test.want)
		}
		for _, line := range []string{"git push origin", "make && git push", "rm -rf x", "curl x | make", "ls", "vim x", "make &", "if", "echo $(git push)"} {
			if got, err := m.ask(t, client, line, nil); got != test.none {
				t.Errorf("%s: %q: got %q, %v", client, line, got, err)
			}
		}
		for _, more := range []map[string]any{
			{"tool_name": "Other"},
			{"hook_event_name": "Other"},
			{"in": map[string]any{"run_in_background": true}},
			{"in": map[string]any{"is_background": true}},
			{"in": map[string]any{"dangerouslyDisableSandbox": true}},
			{"in": map[string]any{"sandbox_permissions": "require_escalated"}},
			{"in": map[string]any{"command": 1}},
		} {
			if got, err := m.ask(t, client, "make all", more); got != test.none || err != nil {
				t.Errorf("%s: %v: got %q, %v", client, more, got, err)
			}
		}
		m.env["HOME"] = ""
		if got, err := m.ask(t, client, "make all", nil); got != test.none || err == nil {
			t.Errorf("%s: without HOME: got %q, %v", client, got, err)
		}
	}
}

// Rules that cannot be read, or may be elsewhere, leave everything as it is.
func TestUnreadableRules(t *testing.T) {
	for name, prepare := range map[string]func(m *machine){
		"not JSON": func(m *machine) { m.write(t, filepath.Join(m.project, ".claude", "settings.json"), "{ // x\n}") },
		"a link to itself": func(m *machine) {
			m.write(t, filepath.Join(m.project, ".claude", "x"), "")
			if err := os.Symlink("settings.json", filepath.Join(m.project, ".claude", "settings.json")); err != nil {
				t.Fatal(err)
			}
		},
		"a directory": func(m *machine) { m.write(t, filepath.Join(m.project, ".claude", "settings.json", "x"), "") },
		"rules of a kind": func(m *machine) {
			m.write(t, filepath.Join(m.project, ".claude", "settings.local.json"), `{"permissions":{"deny":"Bash"}}`)
		},
		"managed":            func(m *machine) { m.write(t, filepath.Join(m.root, "etc/claude-code/managed-settings.json"), "x") },
		"managed, in parts":  func(m *machine) { m.write(t, filepath.Join(m.root, "etc/claude-code/managed-settings.d/a.json"), "x") },
		"managed, from afar": func(m *machine) { m.write(t, filepath.Join(m.home, ".claude/remote-settings.json"), "x") },
		"registry":           func(m *machine) { m.System = "windows" },
		"profile": func(m *machine) {
			m.System = "darwin"
			m.write(t, filepath.Join(m.root, "Library/Managed Preferences/me/com.anthropic.claudecode.plist"), "")
		},
		"command line":        func(m *machine) { m.callers = []string{"claude --disallowedTools Bash(make *)"} },
		"unseen command line": func(m *machine) { m.callers = nil },
		"a worktree's main checkout": func(m *machine) {
			main := filepath.Join(m.home, "main")
			m.write(t, filepath.Join(m.project, ".git"), "gitdir: "+main+"/.git/worktrees/w\n")
			m.write(t, filepath.Join(main, ".claude", "settings.local.json"), "x")
		},
	} {
		m := newMachine(t)
		m.write(t, filepath.Join(m.home, ".claude/settings.json"), userRules)
		prepare(m)
		if got, err := m.ask(t, "claude-code", "make all", nil); got != "" || err == nil {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	for client, files := range map[string][]string{
		"codex": {
			"home/.codex/rules/x.rules:def f(): pass", "home/.codex/rules/x.rules:prefix_rule(pattern=P)", "home/.codex/rules/x.rules:prefix_rule(pattern=[\"a\\x62\"])",
			"home/.codex/rules/x.rules:prefix_rule(", "root/etc/codex/requirements.toml:", "home/.codex/cloud-requirements-cache.json:{}",
		},
		"gemini": {"home/.gemini/policies/x.toml:[[rule", "home/.gemini/settings.json:{\"policyPaths\":[\"x\"]}", "root/etc/gemini-cli/settings.json://"},
		"cursor": {"src/project/.cursor/cli.json:x"},
	} {
		for _, file := range files {
			m := newMachine(t)
			m.callers = append(m.callers, "cursor-agent")
			for _, rules := range [][2]string{
				{".codex/rules/a.rules", "prefix_rule(pattern=[\"make\"])"},
				{".gemini/policies/a.toml", "[[rule]]\ntoolName='run_shell_command'\ncommandPrefix='make'\ndecision='allow'\npriority=1\n"},
				{".cursor/cli-config.json", `{"permissions":{"allow":["Shell(make)"]}}`},
			} {
				m.write(t, filepath.Join(m.home, rules[0]), rules[1])
			}
			if got, err := m.ask(t, client, "make all", nil); !strings.Contains(got, "envwrap") || err != nil {
				t.Errorf("%s: got %q, %v", client, got, err)
			}
			path, text, _ := strings.Cut(file, ":")
			m.write(t, filepath.Join(filepath.Dir(m.home), path), text)
			if got, err := m.ask(t, client, "make all", nil); strings.Contains(got, "envwrap") || err == nil {
				t.Errorf("%s: %s: got %q, %v", client, file, got, err)
			}
		}
	}
	m := newMachine(t)
	m.write(t, filepath.Join(m.home, ".cursor/cli-config.json"), `{"permissions":{"allow":["Shell(make)"]}}`)
	if got, err := m.ask(t, "cursor", "make all", nil); got != "{}\n" || err == nil {
		t.Errorf("the editor: got %q, %v", got, err)
	}
}

// Rules that refuse count wherever they are; rules that allow only where the
// agent reads them.
func TestPlacesOfRules(t *testing.T) {
	allow, deny := `{"permissions":{"allow":["Bash(make:*)"]}}`, `{"permissions":{"deny":["Bash(make:*)"]}}`
	for name, test := range map[string]struct {
		files   map[string]string
		mode    string
		rewrite bool
	}{
		"user":                     {map[string]string{"home/.claude/settings.json": allow}, "default", true},
		"project":                  {map[string]string{"src/project/.claude/settings.json": allow}, "acceptEdits", true},
		"local":                    {map[string]string{"src/project/.claude/settings.local.json": allow}, "dontAsk", true},
		"managed":                  {map[string]string{"root/etc/claude-code/managed-settings.json": allow}, "", true},
		"nobody":                   {nil, "default", false},
		"above":                    {map[string]string{"src/.claude/settings.json": allow}, "default", false},
		"deny above":               {map[string]string{"home/.claude/settings.json": allow, "src/.claude/settings.json": deny}, "default", false},
		"deny managed":             {map[string]string{"home/.claude/settings.json": allow, "root/etc/claude-code/managed-settings.d/x.json": deny}, "default", false},
		"managed only":             {map[string]string{"home/.claude/settings.json": allow, "root/etc/claude-code/managed-settings.json": `{"allowManagedPermissionRulesOnly":true}`}, "default", false},
		"names differ in case":     {map[string]string{"home/.claude/settings.json": `{"Permissions":{"ALLOW":["Bash"]}}`}, "default", false},
		"plan":                     {map[string]string{"home/.claude/settings.json": allow}, "plan", false},
		"auto":                     {map[string]string{"home/.claude/settings.json": allow}, "auto", false},
		"an unknown mode":          {map[string]string{"home/.claude/settings.json": allow}, "x", false},
		"all is allowed":           {nil, "bypassPermissions", true},
		"all is allowed, but deny": {map[string]string{"src/project/.claude/settings.json": deny}, "bypassPermissions", false},
		"another tool":             {map[string]string{"home/.claude/settings.json": `{"permissions":{"allow":["Read(make)","mcp__x","Bash(makes)"]}}`}, "default", false},
		"an ask for all":           {map[string]string{"home/.claude/settings.json": `{"permissions":{"allow":["Bash"],"ask":["*"]}}`}, "default", false},
		"a parameter":              {map[string]string{"home/.claude/settings.json": `{"permissions":{"allow":["Bash"],"ask":["Bash(description:x)"]}}`}, "default", false},
		"a broken rule":            {map[string]string{"home/.claude/settings.json": `{"permissions":{"allow":["Bash"],"deny":["Bash(rm"]}}`}, "default", false},
		"other tools":              {map[string]string{"home/.claude/settings.json": `{"permissions":{"allow":["Bash"],"deny":["WebFetch","mcp__x__y"]}}`}, "default", true},
	} {
		m := newMachine(t)
		for path, text := range test.files {
			m.write(t, filepath.Join(filepath.Dir(m.home), path), text)
		}
		got, err := m.ask(t, "claude-code", "make all", map[string]any{"permission_mode": test.mode})
		if err != nil || strings.Contains(got, "envwrap") != test.rewrite {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	for dir, rewrite := range map[string]bool{"home": true, "src/project": false} {
		m := newMachine(t)
		m.callers = append(m.callers, "cursor-agent")
		for _, name := range []string{"cli-config.json", "cli.json"} {
			m.write(t, filepath.Join(filepath.Dir(m.home), dir, ".cursor", name), `{"permissions":{"allow":["Shell(make)"]}}`)
		}
		if got, err := m.ask(t, "cursor", "make all", nil); err != nil || strings.Contains(got, "envwrap") != rewrite {
			t.Errorf("rules for Cursor in %s: got %q, %v", dir, got, err)
		}
	}
	m := newMachine(t)
	m.write(t, filepath.Join(m.project, ".claude/settings.json"), allow)
	m.env["CLAUDE_PROJECT_DIR"] = m.home // the agent went into the project of somebody else
	if got, err := m.ask(t, "claude-code", "make all", nil); got != "" || err != nil {
		t.Errorf("a project within: got %q, %v", got, err)
	}
}

// ruleSets are those that the texts are tried with: allow, deny, ask.
var ruleSets = [][3]string{
	{"Bash", "", ""},
	{"Bash", "Bash(rm *)", ""},
	{"Bash(*)", "Bash(seq:*)", ""},
	{"Bash", "", "Bash(echo *)"},
	{"Bash", "Bash(cat *)|Bash(grep:*)", "Bash(sort*)"},
	{"Bash(seq *)", "", ""},
	{"Bash(seq:*)", "Bash(seq 3)", ""},
	{"Bash(echo *)", "", ""},
	{"Bash(echo *)|Bash(seq *)|Bash(grep *)", "Bash(tail *)", ""},
	{"Bash(seq *)|Bash(sort:*)|Bash(sh -c *)", "", "Bash(sh *)"},
	{"Bash(cat *)|Bash(printf *)", "Bash(* in.txt)", ""},
	{"Bash(* | *)", "", ""},
	{"Bash(grep -n a in.txt)", "", ""},
	{"Bash(ls:*)|Bash(set:*)|Bash(cd *)|Bash(../run.sh)|Bash(./run.sh *)", "", ""},
	{"Bash(f *)|Bash(seq *)", "", "Bash(f)"},
	{"Bash(bash *)", "Bash(false)", ""},
	{"Bash", "Bash(*false*)", "Bash(true)"},
	{"Bash", "Read(./in.txt)", ""},
	{"Bash(for *)|Bash(if *)|Bash(case *)", "", ""},
	{"", "Bash", ""},
}

// Nothing that the rules refuse, ask about or do not know becomes allowed, by a
// model of the agent that was written after its documentation for this test.
func TestNothingBecomesAllowed(t *testing.T) {
	text, err := os.ReadFile("../hook/testdata/lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n%%\n")
	m := newMachine(t)
	m.All = true
	m.env["PATH"] += ":" + os.Getenv("PATH")
	rewritten, allowed := 0, 0
	for i, set := range ruleSets {
		var rules [3][]string
		for j, list := range set {
			if list != "" {
				rules[j] = strings.Split(list, "|Bash") // a rule may have a bar itself
				for k := 1; k < len(rules[j]); k++ {
					rules[j][k] = "Bash" + rules[j][k]
				}
			}
		}
		settings, err := json.Marshal(map[string]any{"permissions": map[string]any{"allow": rules[0], "deny": rules[1], "ask": rules[2]}})
		if err != nil {
			t.Fatal(err)
		}
		m.write(t, filepath.Join(m.home, ".claude/settings.json"), string(settings))
		for j, line := range lines {
			if (i+j)%matrix.Every(4) != 0 {
				continue
			}
			got, err := m.ask(t, "claude-code", line, nil)
			if err != nil {
				t.Fatal(err)
			}
			may := model(line, rules)
			if may {
				allowed++
			}
			if got == "" {
				continue
			}
			rewritten++
			if !may {
				t.Errorf("%q with %v: %s", line, rules, got)
			}
		}
	}
	if rewritten*4 < allowed || rewritten == 0 {
		t.Errorf("%d of %d allowed texts were rewritten", rewritten, allowed)
	}
	t.Logf("%d of %d allowed texts were rewritten", rewritten, allowed)
}

// model decides as the agent does: whether a text runs without a question.
func model(line string, rules [3][]string) bool {
	parts := []string{strings.TrimSpace(line)}
	whole := len(parts)
	if file, err := syntax.NewParser().Parse(strings.NewReader(line), ""); err == nil {
		syntax.Walk(file, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.CallExpr:
				parts = append(parts, line[n.Pos().Offset():n.End().Offset()])
				if len(n.Args) > 0 { // also without the variables before it
					parts = append(parts, line[n.Args[0].Pos().Offset():n.End().Offset()])
				}
			case *syntax.TestClause, *syntax.DeclClause, *syntax.ArithmCmd:
				parts = append(parts, line[n.Pos().Offset():n.End().Offset()])
			}
			return true
		})
	}
	for _, list := range rules[1:] {
		for _, rule := range list {
			if strings.HasPrefix(rule, "Read(") && strings.Contains(line, strings.TrimSuffix(strings.TrimPrefix(rule, "Read(./"), ")")) {
				return false
			}
			for _, part := range parts {
				if fits(rule, part) {
					return false
				}
			}
		}
	}
	for _, rule := range rules[0] {
		if rule == "Bash" || rule == "Bash(*)" {
			return true
		}
	}
	if strings.ContainsAny(line, "`<") || strings.Contains(line, "$(") {
		return false
	}
	for _, part := range parts[whole:] {
		known := false
		for _, rule := range rules[0] {
			known = known || fits(rule, part)
		}
		name, _, _ := strings.Cut(part, " ")
		if !known && !slices.Contains(strings.Fields("ls cat echo pwd head tail grep find wc which diff stat du cd"), name) {
			return false
		}
	}
	return len(parts) > whole
}

// fits reports whether a rule's pattern matches a command.
func fits(rule, command string) bool {
	if rule == "Bash" {
		return true
	}
	pattern, ok := strings.CutPrefix(strings.TrimSuffix(rule, ")"), "Bash(")
	if !ok {
		return false
	}
	if p, ok := strings.CutSuffix(pattern, ":*"); ok {
		pattern = p + " *"
	}
	if p, ok := strings.CutSuffix(pattern, " *"); ok && p == command {
		return true
	}
	var like func(p, s string) bool
	like = func(p, s string) bool {
		switch {
		case p == "":
			return s == ""
		case p[0] == '*':
			return like(p[1:], s) || s != "" && like(p, s[1:])
		}
		return s != "" && p[0] == s[0] && like(p[1:], s[1:])
	}
	return like(pattern, command)
}

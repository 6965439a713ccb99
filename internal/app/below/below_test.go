package below

import (
	"slices"
	"strings"
	"testing"
)

// With a terminal on stdout only lines are wrapped that need none.
func TestNeedsTerminal(t *testing.T) {
	for text, want := range map[string]bool{
		"vim f.txt": true, "cd x && /usr/bin/less f": true, "git log | less": true, "sudo top": true, "EDITOR=nano git commit": true, "eval 'man ls' < /dev/null": true,
		"python3": true, "eval python3 < /dev/null": false, "eval 'python3' < /dev/null": true, "(bash)": true, "psql; ls": true, "echo x |node": true,
		"ls -l": false, "python3 x.py": false, "cat vim.txt stop": false, "bash -c ls": false, "npm test": false, "git log": false, "": false, "echo a.vim view-x": false,
	} {
		for _, client := range []string{ClaudeCode, Gemini} {
			if got := (Arrival{Client: client, Argv: []string{"bash", "-c", text}}).NeedsTerminal(); got != want {
				t.Errorf("%q: %t", text, got)
			}
		}
		if !(Arrival{Client: Codex, Argv: []string{"bash", "-c", text}}).NeedsTerminal() {
			t.Errorf("Codex: %q", text)
		}
	}
}

// Only calls that are certainly commands of the model are wrapped.
func TestDecide(t *testing.T) {
	const (
		frame   = "source /h/snapshot-bash-1.sh 2>/dev/null || true && eval 'ls -l' < /dev/null && pwd -P >| /tmp/claude-1-cwd"
		bgpids  = "shopt -u promptvars nullglob; _bgpids_file=/tmp/x\n(\n  trap 'jobs -p > \"$_bgpids_file\"' EXIT\nls\n)\n__code=$?\nexit $__code"
		agent   = "AI_AGENT=claude-code_2-1-330_agent"
		harness = "AI_AGENT=claude-code_2-1-330_harness"
		call    = "CODEX_TOOL_CALL_ID=c1"
	)
	for _, c := range []struct {
		env  string
		args []string
		wrap bool
		argv string
	}{
		{agent, []string{"/x/envwrap-claude-shell", frame}, true, "bash|-c|" + frame},
		{"", []string{"/x/envwrap-claude-shell", frame}, true, "bash|-c|" + frame},
		{agent, []string{"/x/envwrap-claude-shell", strings.Replace(frame, "-bash-", "-zsh-", 1)}, true, "zsh|-c|" + strings.Replace(frame, "-bash-", "-zsh-", 1)},
		{agent, []string{"/x/envwrap-claude-shell", "eval pwd && pwd -P >| '/a b/c'"}, true, "bash|-c|eval pwd && pwd -P >| '/a b/c'"},
		{harness, []string{"/x/envwrap-claude-shell", frame}, false, "bash|-c|" + frame},
		{agent, []string{"/x/envwrap-claude-shell", "node hook.js"}, false, "bash|-c|node hook.js"},
		{agent, []string{"/x/envwrap-claude-shell", "'npx' '-y' 'server'"}, false, "bash|-c|'npx' '-y' 'server'"},
		{agent, []string{"/x/envwrap-claude-shell", "ls && pwd -P >| /tmp/f"}, false, "bash|-c|ls && pwd -P >| /tmp/f"},
		{agent, []string{"/x/envwrap-claude-shell", frame + "; rm x"}, false, "bash|-c|" + frame + "; rm x"},
		{agent, []string{"/x/envwrap-claude-shell", frame + "\nls"}, false, "bash|-c|" + frame + "\nls"},
		{agent, []string{"/x/envwrap-claude-shell", "eval ls"}, false, "bash|-c|eval ls"},
		{agent, []string{"/x/envwrap-claude-shell"}, false, "bash|-c|"},
		{call, []string{"envwrap-codex-shell", "/bin/bash", "ls", "/bin/bash", "a"}, true, "/bin/bash|-c|ls|/bin/bash|a"},
		{call, []string{"envwrap-codex-shell", "/bin/bash", "__CODEX_SNAPSHOT_OVERRIDE_SET_0=x\nexec '/bin/bash' -c ls"}, false, ""},
		{"", []string{"envwrap-codex-shell", "/bin/bash", "ls"}, false, "/bin/bash|-c|ls"},
		{call, []string{"envwrap-codex-shell"}, false, "bash"},
		{"", []string{"/p/gemini/bash", "-c", bgpids}, true, "bash|-c|" + bgpids},
		{"", []string{"/p/gemini/bash", "-c", strings.Replace(bgpids, "ls\n", "echo 'unclosed\n", 1)}, true, ""},
		{"", []string{"/p/gemini/bash", "-c", "_bgpids_file=/tmp/x; echo 'unclosed"}, false, ""},
		{"", []string{"/p/gemini/bash", "-c", "echo 'unclosed\n)\n__code=$?\nexit $__code"}, false, ""},
		{"", []string{"/p/gemini/bash", "-c", frame}, false, "bash|-c|" + frame},
		{"", []string{"/p/gemini/bash", "-c", "ls"}, false, "bash|-c|ls"},
		{"", []string{"/p/gemini/bash", "script"}, false, "bash|script"},
		{"", []string{"/p/gemini/bash"}, false, "bash"},
	} {
		a, ok := Decide(c.args, func(name string) (string, bool) {
			value, ok := strings.CutPrefix(c.env, name+"=")
			return value, ok
		})
		if !ok || a.Wrap != c.wrap || a.Why == "" || c.argv != "" && strings.Join(a.Argv, "|") != c.argv {
			t.Errorf("%s %q: %+v, %t; want %t, %q", c.env, c.args, a, ok, c.wrap, c.argv)
		}
	}
	if a, ok := Decide([]string{"/bin/envwrap", "--", "ls"}, nil); ok {
		t.Errorf("envwrap itself is an arrival: %+v", a)
	}
}

// The clients are those that the documentation names.
func TestLookup(t *testing.T) {
	var names []string
	for _, c := range Clients {
		if found, ok := Lookup(c.Name); !ok || found != c {
			t.Errorf("%s is not found", c.Name)
		}
		names = append(names, c.Name)
	}
	if want := []string{"claude-code", "codex", "gemini", "cursor"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

package detect

import "testing"

func TestClientOf(t *testing.T) {
	for name, want := range map[string]string{
		"claude-code": "claude", "codex-mcp-client": "codex", "gemini-cli-mcp-client": "gemini", "gemini-cli-mcp-client-envwrap": "gemini",
		"cursor-vscode": "cursor", "github-copilot-developer": "copilot", "copilot-cli": "copilot", "opencode": "opencode",
		"Cline": "cline", "Roo-Code": "roo", "Q-DEV-CLI": "amazon-q", "goose": "goose", "Zed": "zed",
		"claude-ai": "", "Visual Studio Code": "", "mcp-inspector": "", "test": "", "": "",
	} {
		if got := ClientOf(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestCallOf(t *testing.T) {
	meta := vars("claudecode/toolUseId=toolu_1\x1b[0m", "threadId=t-1", "ai.opencode/sessionID=ses_1", "=x")
	for agent, want := range map[string][2]string{
		"claude": {"", "toolu_10m"}, "codex": {"t-1", ""}, "opencode": {"ses_1", ""}, "gemini": {}, "": {},
	} {
		if session, call := CallOf(agent, meta); [2]string{session, call} != want {
			t.Errorf("%s: %q, %q, want %q", agent, session, call, want)
		}
	}
}

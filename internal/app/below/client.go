package below

import (
	"fmt"
	"path/filepath"

	"github.com/envwrap/envwrap/internal/shared/hints"
)

// A Client is an agent's program that starts shells.
type Client struct {
	Name string
	// Program is its command, and Title its name.
	Program, Title string
	// Tried is the version of the program with which whole sessions were played; "" is
	// none.
	Tried string
	// Limit and FailureLimit are the most characters that the client shows of a command
	// that ended with 0, and of any other; 0 is as for the other.
	Limit, FailureLimit int
	// links are the names of links to envwrap that it starts.
	links []string
	// edits are the changes of files that lead it there.
	edits func(p *Place) []edit
	// After returns the remaining manual steps, or "".
	After func(p *Place) string
	// Shows says what happens from then on.
	Shows string
	// legacy are the hooks that earlier versions installed.
	legacy legacy
}

// A legacy is where earlier versions put a hook that rewrote commands.
type legacy struct {
	file string // below the client's directory
	path []string
}

// Clients are all clients.
var Clients = []*Client{
	{
		Name: ClaudeCode, Program: "claude", Title: "Claude Code", Tried: "2.1.330", Limit: 28_000, FailureLimit: 9_500,
		links: []string{ClaudeShell},
		edits: func(p *Place) []edit {
			return []edit{{file: filepath.Join(p.claude, "settings.json"), member: []string{"env", "CLAUDE_CODE_SHELL_PREFIX"}, value: p.Link(ClaudeShell)}}
		},
		Shows:  "From its next start on, Claude Code runs each command under envwrap; its rules, path checks and sandbox judge it as before.",
		legacy: legacy{"settings.json", []string{"hooks", "PreToolUse"}},
	},
	{
		Name: Codex, Program: "codex", Title: "Codex", Tried: "0.169.0", Limit: 9_000,
		links: []string{CodexShell},
		edits: func(p *Place) []edit {
			own := p.userStartup()
			return []edit{{file: p.Link(codexStartup), text: startup(p.Link(CodexShell), own), own: true}, {file: filepath.Join(p.codex, "config.toml"), toml: [][2]string{
				{"BASH_ENV", p.Link(codexStartup)}, {"SHLVL", "2"}, // below 2 a sandbox makes bash read another file
			}, before: own}}
		},
		After: func(p *Place) string {
			if own := p.userStartup(); own.value != "" {
				return "Your own BASH_ENV, " + own.value + ", is read as before."
			}
			return ""
		},
		Shows:  "From its next session on, Codex runs each command of bash under envwrap; its rules and sandbox judge it as before.",
		legacy: legacy{"hooks.json", []string{"hooks", "PreToolUse"}},
	},
	{
		Name: Gemini, Program: "gemini", Title: "Gemini CLI", Tried: "0.61.0", Limit: 36_000,
		links: []string{geminiDir + string(filepath.Separator) + GeminiShell},
		After: func(p *Place) string {
			return "Its settings cannot do it. Put this line into the start file of your shell (~/.bashrc, ~/.zshrc):\n" +
				"gemini() { PATH=" + hints.SingleQuoted(filepath.Dir(p.Link(filepath.Join(geminiDir, GeminiShell)))) + ":\"$PATH\" command gemini \"$@\"; }"
		},
		Shows:  "With that line, Gemini CLI runs each command under envwrap; its policies judge it as before.",
		legacy: legacy{"settings.json", []string{"hooks", "BeforeTool"}},
	},
	{
		Name: Cursor, Program: "cursor-agent", Title: "Cursor",
		edits: func(p *Place) []edit {
			return []edit{{file: filepath.Join(p.cursor, "mcp.json"), member: []string{"mcpServers", "envwrap"}, raw: `{"command":` + jsonString(p.Envwrap) + `,"args":["mcp"]}`}}
		},
		After: func(p *Place) string {
			return "Cursor starts a new server once you turn it on, in its settings under MCP, or by: agent mcp enable envwrap\n" +
				"Its own shell cannot be replaced. For the programs that you name there are shims, first on the PATH that Cursor starts with:\n" +
				p.Envwrap + " shim install git npm make"
		},
		Shows:  "Cursor offers the tools of `envwrap mcp`. No real Cursor was tried.",
		legacy: legacy{"hooks.json", []string{"hooks", "preToolUse"}},
	},
}

// Lookup returns the client with a name.
func Lookup(name string) (*Client, bool) {
	for _, c := range Clients {
		if c.Name == name {
			return c, true
		}
	}
	return nil, false
}

// directory returns the client's directory of settings.
func (p *Place) directory(c *Client) string {
	return map[string]string{ClaudeCode: p.claude, Codex: p.codex, Gemini: p.gemini, Cursor: p.cursor}[c.Name]
}

// Sample returns a command line and variables with which the client would run a command
// through the installed links and settings.
func (p *Place) Sample(c *Client, command string) (argv, env []string, err error) {
	switch c.Name {
	case ClaudeCode:
		text := "true && eval " + hints.SingleQuoted(command) + " < /dev/null && pwd -P >| /dev/null"
		return []string{p.Link(ClaudeShell), text}, []string{"AI_AGENT=claude-code_agent", "CLAUDECODE=1"}, nil
	case Codex:
		return []string{"/bin/bash", "-c", command}, []string{"CODEX_TOOL_CALL_ID=check", "BASH_ENV=" + p.Link(codexStartup), GuardVariable + "="}, nil
	case Gemini:
		text := "_bgpids_file=/dev/null\n(\n  trap 'jobs -p > \"$_bgpids_file\"' EXIT\n" + command + "\n)\n__code=$?\nexit $__code"
		return []string{p.Link(filepath.Join(geminiDir, GeminiShell)), "-c", text}, []string{"GEMINI_CLI=1"}, nil
	}
	return nil, nil, fmt.Errorf("%s starts its own shell", c.Title)
}

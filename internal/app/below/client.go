package below

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/envwrap/envwrap/internal/shared/hints"
)

// Names of the clients.
const (
	ClaudeCode = "claude-code"
	Codex      = "codex"
	Gemini     = "gemini"
	Cursor     = "cursor"
)

// Names of the links to envwrap that clients start.
const (
	ClaudeShell = "envwrap-claude-shell"
	CodexShell  = "envwrap-codex-shell"
	GeminiShell = "bash" // in a directory of its own, GeminiDir
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
		links: []string{filepath.Join(geminiDir, GeminiShell)},
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
			return "Its own shell cannot be replaced. For the programs that you name there are shims, first on the PATH that Cursor starts with:\n" +
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

// A Place names the directories of the clients' files and of envwrap's files for them.
type Place struct {
	// Dir has the links that clients start, and what is needed to restore their
	// settings. All its paths are absolute.
	Dir string
	// Envwrap is the path of this program that its links lead to.
	Envwrap string

	claude, codex, gemini, cursor string
	bashEnv                       string // the user's own BASH_ENV, from the environment
}

// geminiDir is the directory of the link that is called bash.
const geminiDir = "gemini"

// NewPlace finds the directories of clients by the variables of an environment. dir is
// where envwrap keeps its data.
func NewPlace(dir, envwrap string, lookup func(string) (string, bool)) (*Place, error) {
	home, ok := lookup("HOME")
	if !ok {
		home, _ = lookup("USERPROFILE") // Windows
	}
	if !filepath.IsAbs(home) {
		return nil, errors.New("find the settings of clients: HOME is not set to a directory\nSet HOME, as a login does.")
	}
	p := &Place{Dir: filepath.Join(dir, "below"), Envwrap: envwrap}
	for _, d := range []struct {
		to                 *string
		variable, fallback string
	}{
		{&p.claude, "CLAUDE_CONFIG_DIR", ".claude"},
		{&p.codex, "CODEX_HOME", ".codex"},
		{&p.gemini, "", ".gemini"},
		{&p.cursor, "", ".cursor"},
	} {
		*d.to = filepath.Join(home, d.fallback)
		if named, ok := lookup(d.variable); d.variable != "" && ok && named != "" {
			if !filepath.IsAbs(named) {
				return nil, fmt.Errorf("find the settings of clients: %s is %q, no absolute path", d.variable, named)
			}
			*d.to = named
		}
	}
	if file, _ := lookup("BASH_ENV"); !IsStartup(file) {
		p.bashEnv = file
	}
	return p, nil
}

// Link returns the path of a link, or another file, in the place.
func (p *Place) Link(name string) string { return filepath.Join(p.Dir, name) }

// directory returns the client's directory of settings.
func (p *Place) directory(c *Client) string {
	return map[string]string{ClaudeCode: p.claude, Codex: p.codex, Gemini: p.gemini, Cursor: p.cursor}[c.Name]
}

// IsGeminiShell reports whether a path leads to the link called bash.
func IsGeminiShell(file string) bool {
	dir := filepath.Dir(file)
	if filepath.Base(dir) != geminiDir {
		return false
	}
	_, err := os.Lstat(filepath.Join(filepath.Dir(dir), mark))
	return err == nil
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

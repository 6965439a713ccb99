package below

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// A Place names the directories of the clients' files and of envwrap's files for them.
type Place struct {
	// Dir has the links that clients start, and the former settings of the clients, to
	// restore them. All its paths are absolute.
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

// codexStartup is the name of the start-up file of bash for Codex.
const codexStartup = "codex-bash-env"

// mark is the name of a file that marks a directory of ours.
const mark = ".envwrap-below"

// IsGeminiShell reports whether a path leads to the link called bash.
func IsGeminiShell(file string) bool {
	dir := filepath.Dir(file)
	return filepath.Base(dir) == geminiDir && isMarked(filepath.Dir(dir))
}

// IsStartup reports whether a file is the start-up file for Codex.
func IsStartup(file string) bool {
	return filepath.Base(file) == codexStartup && isMarked(filepath.Dir(file))
}

func isMarked(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, mark))
	return err == nil
}

package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/envwrap/envwrap/internal/hook"
	"github.com/envwrap/envwrap/internal/proc"
)

// settingsLimit is the most bytes of a client's settings file.
const settingsLimit = 4 << 20

// errUnseen says that there may be permission rules that cannot be seen.
var errUnseen = errors.New("there may be permission rules that cannot be seen")

// claudeRules reads the permission rules of Claude Code (its page on settings):
// those of the organization, of the user, and of the project, in all directories
// from dir up. Rules that deny or ask count wherever they are; those that allow
// only where the client itself would look. An error means that not all rules are
// known.
func (w *World) claudeRules(dir string) (*hook.Rules, error) {
	if !w.claudeLineSeen() {
		return nil, errUnseen
	}
	all := &hook.Rules{}
	managed, err := w.managedFiles()
	if err != nil {
		return nil, err
	}
	for _, name := range managed {
		r, err := readRules(name)
		if err != nil {
			return nil, err
		}
		all.AddStops(r)
		all.AddAllows(r)
		all.ManagedOnly = all.ManagedOnly || r.ManagedOnly
	}
	for _, f := range w.settingsFiles(dir) {
		r, err := readRules(f.name)
		if err != nil {
			return nil, err
		}
		all.AddStops(r)
		if f.allows && !all.ManagedOnly {
			all.AddAllows(r)
		}
	}
	return all, nil
}

// A settingsFile is one that may have rules.
type settingsFile struct {
	name   string
	allows bool // the client follows the rules in it that allow
}

// settingsFiles are the files of the user and of the project.
func (w *World) settingsFiles(dir string) []settingsFile {
	var list []settingsFile
	add := func(dir string, allows bool) {
		for _, name := range []string{"settings.json", "settings.local.json"} {
			list = append(list, settingsFile{filepath.Join(dir, name), allows})
		}
	}
	config, named := w.lookup("CLAUDE_CONFIG_DIR")
	if named {
		add(config, true)
	}
	if home, ok := w.lookup("HOME"); ok {
		add(filepath.Join(home, ".claude"), !named)
	}
	project, ok := w.lookup("CLAUDE_PROJECT_DIR")
	if !ok {
		project = firstOf(dir, w.directory())
	}
	for _, from := range []string{project, firstOf(dir, w.directory()), w.directory()} {
		for d := filepath.Clean(from); filepath.IsAbs(d); d = filepath.Dir(d) {
			add(filepath.Join(d, ".claude"), d == filepath.Clean(project))
			if d == filepath.Dir(d) {
				break
			}
		}
	}
	return list
}

// managedFiles are the settings files that an organization has put there, and
// those that the client fetched from it. It is an error where they may be in a
// place that is no file.
func (w *World) managedFiles() ([]string, error) {
	dir := "/etc/claude-code"
	switch runtime.GOOS {
	case "windows": // they may be in the registry
		return nil, errUnseen
	case "darwin":
		dir = "/Library/Application Support/ClaudeCode"
		for _, pattern := range []string{"/Library/Managed Preferences/com.anthropic.claudecode.plist", "/Library/Managed Preferences/*/com.anthropic.claudecode.plist"} {
			if found, err := filepath.Glob(pattern); err != nil || len(found) > 0 {
				return nil, errUnseen
			}
		}
	}
	list := []string{filepath.Join(dir, "managed-settings.json")}
	parts, err := os.ReadDir(filepath.Join(dir, "managed-settings.d"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errUnseen
	}
	for _, part := range parts {
		list = append(list, filepath.Join(dir, "managed-settings.d", part.Name()))
	}
	for _, variable := range []struct{ name, below string }{{"CLAUDE_CONFIG_DIR", ""}, {"HOME", ".claude"}} {
		if base, ok := w.lookup(variable.name); ok {
			list = append(list, filepath.Join(base, variable.below, "remote-settings.json"))
		}
	}
	return list, nil
}

// readRules reads the rules of one file; none where there is no file.
func readRules(name string) (*hook.Rules, error) {
	text, err := readRegular(name, settingsLimit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &hook.Rules{}, nil
	case err != nil:
		return nil, errUnseen
	}
	return hook.ParseRules(text)
}

// claudeLineSeen reports whether the command line of the client, which may have
// rules and name further settings, can be seen, and has none.
func (w *World) claudeLineSeen() bool {
	if w.Callers == nil {
		return false
	}
	callers, ok := w.Callers()
	if !ok {
		return false
	}
	for c := range callers {
		args, ok := proc.Arguments(c.pid)
		if !ok {
			return false
		}
		if ownRules(args) {
			return false
		}
	}
	return true
}

// ownRules reports whether a command line is one of Claude Code that has rules,
// or says where they are.
func ownRules(args []string) bool {
	client := false
	for _, arg := range args[:min(2, len(args))] { // the program, or the script that node runs
		client = client || strings.Contains(strings.ToLower(arg), "claude")
	}
	if !client {
		return false
	}
	for _, arg := range args {
		name, _, _ := strings.Cut(strings.ToLower(arg), "=")
		switch name {
		case "--disallowedtools", "--disallowed-tools", "--settings", "--setting-sources", "--permission-prompt-tool", "--managed-settings", "--tools":
			return true
		}
	}
	return false
}

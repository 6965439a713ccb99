// Package hookclient implements the hooks of agents that call envwrap before they run a
// shell command: it reads their events and permission rules, writes answers in their
// format, and installs the hook in their settings.
package hookclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/envwrap/envwrap/internal/app/hook"
)

// A Client is an agent with hooks.
type Client struct {
	// Name is the argument of "envwrap hook".
	Name string
	// event and tool are what the agent calls the moment before a shell command.
	event, tool string
	// otherwise is the answer where nothing changes; "" is none at all.
	otherwise  string
	persistent bool
	// user reports that the agent runs texts by the user's shell, and not by bash.
	userShell bool
	rules     func(w *World, e *event) (*hook.Rules, error)
	answer    func(e *event) any
	settings  settings
}

// A World is what a hook takes from its process.
type World struct {
	// Getenv returns the value of an environment variable.
	Getenv func(name string) string
	// Root is prefixed to the paths of an administrator's settings; "" except in tests.
	Root string
	// System is the operating system, as in runtime.GOOS.
	System string
	// Callers is the function [Callers], except in tests.
	Callers func() (lines []string, ok bool)
	// All rewrites cheap commands, too.
	All bool
}

// maxEvent bounds an event, in bytes.
const maxEvent = 8 << 20

// An event is what is read of an agent's event. All four agents send these
// members, in these names.
type event struct {
	Event string                     `json:"hook_event_name"`
	Tool  string                     `json:"tool_name"`
	Input map[string]json.RawMessage `json:"tool_input"`
	Dir   string                     `json:"cwd"`
	Mode  string                     `json:"permission_mode"`
	Roots []string                   `json:"workspace_roots"`
}

// Answer reads an event and writes the answer: the rewritten command, or one that
// leaves it unchanged. An error that permission rules cannot be read is returned after
// the answer was written.
func (c *Client) Answer(w *World, in io.Reader, out io.Writer) error {
	e, changed, err := c.change(w, in)
	if !changed {
		_, e := io.WriteString(out, c.otherwise)
		return errors.Join(err, e)
	}
	text, err := marshal(c.answer(e))
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

// marshal encodes a value as one line, with the characters of a shell as they
// are.
func marshal(v any) ([]byte, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return []byte(text.String()), err
}

// textOf decodes a JSON text, and reports whether it is one.
func textOf(doc json.RawMessage, text *string) bool { return json.Unmarshal(doc, text) == nil }

// change reads an event and rewrites its command.
func (c *Client) change(w *World, in io.Reader) (*event, bool, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxEvent+1))
	if err != nil {
		return nil, false, fmt.Errorf("read the event: %w", err)
	}
	e := &event{}
	if len(text) > maxEvent || json.Unmarshal(text, e) != nil {
		return nil, false, fmt.Errorf("read the event: stdin is no JSON object of a %s event", c.event)
	}
	var line string
	if e.Event != c.event || e.Tool != c.tool || !textOf(e.Input["command"], &line) || e.special() {
		return nil, false, nil
	}
	o := c.options(w, e)
	parsed, _ := hook.Parse(line, o.Shell)
	if parsed == nil { // it stays as it is
		return nil, false, nil
	}
	line, ok := parsed.Rewrite(o)
	if !ok {
		return nil, false, nil
	}
	rules, err := c.rules(w, e)
	if err != nil {
		return nil, false, fmt.Errorf("the command stays as it is: %w", err)
	}
	if !rules.Permits(parsed) {
		return nil, false, nil
	}
	e.Input["command"], err = marshal(line)
	return e, err == nil, err
}

// special reports whether the agent is asked to run the command in the
// background or outside of its sandbox, by any of the names that they use.
func (e *event) special() bool {
	for _, name := range []string{"run_in_background", "is_background", "dangerouslyDisableSandbox", "tty"} {
		switch string(e.Input[name]) {
		case "", "false", "null":
		default:
			return true
		}
	}
	permissions := strings.Trim(string(e.Input["sandbox_permissions"]), `"`)
	return permissions != "" && permissions != "null" && permissions != "use_default"
}

// options say how the event's command is rewritten.
func (c *Client) options(w *World, e *event) hook.Options {
	o := hook.Options{Shell: "bash", All: w.All, Persistent: c.persistent}
	if c.userShell && filepath.Base(w.Getenv("SHELL")) == "zsh" {
		o.Shell = "zsh"
	}
	o.Runs = func(name string) bool { return w.runs(e.Dir, name) }
	return o
}

// runs reports whether a name is that of a program file, on PATH or seen from
// dir.
func (w *World) runs(dir, name string) bool {
	executable := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.Mode().IsRegular() && (info.Mode().Perm()&0o111 != 0 || w.System == "windows")
	}
	if name == "" {
		return false
	}
	if strings.ContainsRune(name, '/') {
		if !filepath.IsAbs(name) {
			if !filepath.IsAbs(dir) {
				return false
			}
			name = filepath.Join(dir, name)
		}
		return executable(name)
	}
	for _, d := range filepath.SplitList(w.Getenv("PATH")) {
		if d != "" && executable(filepath.Join(d, name)) {
			return true
		}
	}
	return false
}

// home returns the user's home directory; an error where there is none.
func (w *World) home() (string, error) {
	home := w.Getenv("HOME")
	if home == "" && w.System == "windows" {
		home = w.Getenv("USERPROFILE")
	}
	if !filepath.IsAbs(home) {
		return "", errors.New("HOME is not set, so the rules of the user cannot be found")
	}
	return home, nil
}

// parents returns a directory and all above it.
func parents(dir string) []string {
	if !filepath.IsAbs(dir) {
		return nil
	}
	list := []string{filepath.Clean(dir)}
	for {
		last := list[len(list)-1]
		up := filepath.Dir(last)
		if up == last {
			return list
		}
		list = append(list, up)
	}
}

package hookclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// settings are where a client's hooks are written.
type settings struct {
	dir   func(w *World) (string, error)
	file  string
	path  []string
	entry string
	// fresh is what a new file has beside the hook, as a member of JSON.
	fresh string
}

// A Change is an edit of a client's settings, which Write makes.
type Change struct {
	// Path is the file.
	Path string
	// Before and After are its contents; Before is nil if there is no file.
	Before, After []byte
}

// Installed reports whether the hook is installed, and returns the path of the client's
// settings.
func (c *Client) Installed(w *World) (path string, ok bool, err error) {
	path, doc, err := c.load(w)
	if err != nil {
		return path, false, err
	}
	return path, !bytes.Equal(remove(doc, c.settings.path, c.ours), doc), nil
}

// Install returns the change that adds the hook, or nil if it is installed.
func (c *Client) Install(w *World) (*Change, error) {
	path, ok, err := c.Installed(w)
	if err != nil || ok {
		return nil, err
	}
	return c.edit(w, path, func(doc []byte) ([]byte, error) {
		at := jsontext.SkipSpace(doc, 0)
		if list, _ := children(doc, at); len(list) == 0 && c.settings.fresh != "" {
			name, value, _ := strings.Cut(c.settings.fresh, ":")
			doc = insert(doc, at, 0, name+":", value)
		}
		return add(doc, c.settings.path, c.settings.entry)
	})
}

// Remove returns the change that removes the hook, or nil if it is not installed.
func (c *Client) Remove(w *World) (*Change, error) {
	path, ok, err := c.Installed(w)
	if err != nil || !ok {
		return nil, err
	}
	return c.edit(w, path, func(doc []byte) ([]byte, error) { return remove(doc, c.settings.path, c.ours), nil })
}

func (c *Client) edit(w *World, path string, edit func([]byte) ([]byte, error)) (*Change, error) {
	before, err := readFile(path)
	if err != nil {
		return nil, err
	}
	_, doc, err := c.load(w)
	if err != nil {
		return nil, err
	}
	after, err := edit(doc)
	if err != nil {
		return nil, fmt.Errorf("edit %q: %w", path, err)
	}
	return &Change{Path: path, Before: before, After: after}, nil
}

// load reads the client's settings.
func (c *Client) load(w *World) (path string, doc []byte, err error) {
	dir, err := c.settings.dir(w)
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, c.settings.file)
	doc, err = readFile(path)
	if err != nil {
		return path, nil, err
	}
	doc, err = check(doc)
	if err != nil {
		return path, nil, fmt.Errorf("read %q: %w", path, err)
	}
	return path, doc, nil
}

// ours reports whether an entry, or a group with nothing but this entry, calls
// envwrap for this client.
func (c *Client) ours(entry []byte) bool {
	var group struct {
		Command string            `json:"command"`
		Hooks   []json.RawMessage `json:"hooks"`
	}
	if json.Unmarshal(entry, &group) != nil {
		return false
	}
	if group.Command == "" {
		return len(group.Hooks) == 1 && c.ours(group.Hooks[0])
	}
	words := strings.Fields(group.Command)
	return len(words) >= 3 && path.Base(words[0]) == "envwrap" && words[1] == "hook" && words[2] == c.Name
}

// Diff returns the lines that the change removes and adds, prefixed with - and +.
func (c *Change) Diff() string {
	before, after := lines(c.Before), lines(c.After)
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	var text strings.Builder
	for _, l := range before {
		text.WriteString("-" + l + "\n")
	}
	for _, l := range after {
		text.WriteString("+" + l + "\n")
	}
	return text.String()
}

func lines(doc []byte) []string {
	if len(doc) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(doc), "\n"), "\n")
}

// Write replaces the file atomically. It fails if the path has a symbolic link, or if
// the file is no longer Before.
func (c *Change) Write() error {
	dir := filepath.Dir(c.Path)
	switch info, err := os.Lstat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("write %q: %q is no directory but a link or a file", c.Path, dir)
	}
	mode := fs.FileMode(0o600)
	switch info, err := os.Lstat(c.Path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("write %q: it is a link or no regular file: edit the file that it leads to", c.Path)
	default:
		mode = info.Mode().Perm()
	}
	now, err := readFile(c.Path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, c.Before) {
		return fmt.Errorf("write %q: somebody else has changed it just now: try again", c.Path)
	}
	temp, err := os.CreateTemp(dir, ".envwrap-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // once it has its name there is nothing to remove
	_, err = temp.Write(c.After)
	if err == nil {
		err = temp.Chmod(mode)
	}
	if err == nil {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return fmt.Errorf("write %q: %w", c.Path, err)
	}
	return os.Rename(temp.Name(), c.Path)
}

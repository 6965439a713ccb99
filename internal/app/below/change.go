package below

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/hints"
)

// maxSettings bounds a file of settings, in bytes.
const maxSettings = 4 << 20

// A Change is an edit of one file.
type Change struct {
	// Path is the file, links followed: programs that look after dotfiles make links to
	// their own copy.
	Path string
	// Before and After are its contents; nil means that there is no file.
	Before, After []byte
	// Own means that the file is envwrap's, and no settings.
	Own bool
}

// resolve follows the links of a path. It returns the path unchanged if there is no file,
// and an error if a link leads nowhere.
func resolve(file string) (string, error) {
	real, err := filepath.EvalSymlinks(file)
	switch {
	case err == nil:
		return real, nil
	case !missing(err):
		return "", fmt.Errorf("read %q: %w", file, err)
	}
	if _, err := os.Lstat(file); err == nil {
		return "", fmt.Errorf("read %q: it is a link to a file that does not exist\nMake that file, or remove the link: rm %s", file, hints.SingleQuoted(file))
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if missing(err) {
		return file, nil
	}
	return filepath.Join(dir, filepath.Base(file)), err
}

// missing reports whether an error says that there is no such file, or no directory
// that it could be in.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// readFile reads a file of settings. It returns nil if none exists.
func readFile(file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case missing(err):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("read %q: it is not a regular file", file)
	case info.Size() > maxSettings:
		return nil, fmt.Errorf("read %q: it is larger than %d bytes", file, maxSettings)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSettings))
	if text == nil {
		text = []byte{}
	}
	return text, err
}

// Diff returns the lines that the change removes and adds to settings, prefixed with - and +.
func (c *Change) Diff() string {
	if c.Own {
		return ""
	}
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

// mode returns the permissions that the file has or gets. It fails if the file may not be
// replaced.
func (c *Change) mode() (fs.FileMode, error) {
	info, err := os.Stat(c.Path)
	switch {
	case missing(err):
		return 0o600, nil
	case err != nil:
		return 0, err
	case info.Mode().Perm()&0o200 == 0:
		return 0, fmt.Errorf("write %q: it is read-only\nIf it may be changed: chmod u+w %s", c.Path, hints.SingleQuoted(c.Path))
	}
	if err := safefs.StrictModes(c.Path); err != nil {
		return 0, fmt.Errorf("write %q: %w", c.Path, err)
	}
	return info.Mode().Perm(), nil
}

// Write replaces the file atomically, or removes it. It fails if the file is read-only or
// no longer Before, or if another user owns it or could have put it there.
func (c *Change) Write() error {
	mode, err := c.mode()
	if err != nil {
		return err
	}
	dir := filepath.Dir(c.Path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	now, err := readFile(c.Path)
	switch {
	case err != nil:
		return err
	case !bytes.Equal(now, c.Before) || (now == nil) != (c.Before == nil):
		return fmt.Errorf("write %q: another program has changed it just now: try again", c.Path)
	case c.After == nil:
		return os.Remove(c.Path)
	}
	temp, err := os.CreateTemp(dir, ".envwrap-*")
	if err != nil {
		return fmt.Errorf("write %q: %w\nMake the directory writable (chmod u+w %s), or make the change that was shown by hand", c.Path, errors.Unwrap(err), hints.SingleQuoted(dir))
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

package safefs

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
)

// A State identifies the names in a directory at one time, see [Dir.State]. A directory
// whose names have changed has another one, unless both were taken within a tick of that
// clock.
type State struct {
	File    uint64 // inode
	Changed int64  // in Unix nanoseconds, of a coarse clock
}

// Create opens a directory. If it does not exist, Create makes it and its missing
// parents with mode 0700 and syncs their names. The path must be absolute.
func Create(name string) (*Dir, error) {
	if !filepath.IsAbs(name) {
		return nil, errors.New("the path is not absolute")
	}
	name = filepath.Clean(name)
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		missing := missingAbove(name)
		if err := os.MkdirAll(name, 0o700); err != nil {
			return nil, err
		}
		for _, dir := range missing {
			if f, err := os.Open(dir); err == nil {
				_ = f.Sync() // it may be a directory that only others may sync
				_ = f.Close()
			}
		}
	}
	return Open(name)
}

// missingAbove returns the directories that get a new name when dir is made:
// its parent, and the next one for as long as they are missing.
func missingAbove(dir string) []string {
	var list []string
	for d := filepath.Dir(dir); ; d = filepath.Dir(d) {
		list = append(list, d)
		if _, err := os.Lstat(d); !errors.Is(err, fs.ErrNotExist) || d == filepath.Dir(d) {
			return list
		}
	}
}

// Name returns the path that the directory was opened by.
func (d *Dir) Name() string { return d.name }

// WriteFile replaces a file atomically, mode 0600: a reader sees the old or the new
// content, with sync also after a power cut. The data is written first to temp, a name
// in the same directory that nothing else uses; after an error nothing is left there.
func (d *Dir) WriteFile(name, temp string, data []byte, sync bool) error {
	err := d.WriteNew(temp, data, sync)
	if err == nil {
		err = d.Rename(temp, name)
	}
	if err != nil {
		_ = d.Remove(temp)
		return err
	}
	if sync {
		return d.Sync(path.Dir(name))
	}
	return nil
}

// WriteNew writes a file, mode 0600, which it creates or truncates.
func (d *Dir) WriteNew(name string, data []byte, sync bool) error {
	f, err := d.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && sync {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// Names returns the names in a directory, in no particular order.
func (d *Dir) Names(name string) ([]string, error) {
	f, err := d.OpenDir(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// RemoveAll removes a file, or a directory and everything in it. Links are removed and
// not followed. It is not an error if nothing has the name.
func (d *Dir) RemoveAll(name string) error {
	err := d.Remove(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	names, listErr := d.Names(name)
	if listErr != nil {
		return err // it is no directory, or none of ours
	}
	var failed error
	for _, base := range names {
		failed = errors.Join(failed, d.RemoveAll(path.Join(name, base)))
	}
	if failed != nil {
		return failed
	}
	return d.Remove(name)
}

// Same reports whether name is still the file that f has open.
func (d *Dir) Same(f interface{ Stat() (fs.FileInfo, error) }, name string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := d.Lstat(name)
	return err == nil && sameFile(open, named)
}

// tempTries bounds how many names CreateTemp tries. Each is a number that the
// process has not used before, so another only has it where a process of the
// same id died and left it.
const tempTries = 10_000

// CreateTemp creates a file in dir, mode 0600, whose name is prefix and a random
// number, and returns it and its name.
func (d *Dir) CreateTemp(dir, prefix string) (*os.File, string, error) {
	for range tempTries {
		name := path.Join(dir, prefix+strconv.Itoa(os.Getpid())+"-"+strconv.FormatUint(d.temps.Add(1), 36))
		f, err := d.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return f, name, err
		}
	}
	return nil, "", &fs.PathError{Op: "create", Path: path.Join(dir, prefix), Err: fs.ErrExist}
}

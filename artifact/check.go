package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// makeDir makes the store's directory and what is missing above it, all 0700,
// with names that outlive a power cut.
func makeDir(dir string) error {
	if !filepath.IsAbs(dir) {
		return errors.New("the path is not absolute")
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	changed := parents(dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, d := range changed {
		if f, err := os.Open(d); err == nil {
			_ = f.Sync() // it may be a directory that only others may sync
			_ = f.Close()
		}
	}
	return nil
}

// parents are the directories that get a new name when dir is made: its
// parent, and the next one for as long as they are missing.
func parents(dir string) []string {
	var list []string
	for d := filepath.Dir(dir); ; d = filepath.Dir(d) {
		list = append(list, d)
		if _, err := os.Lstat(d); !errors.Is(err, fs.ErrNotExist) || d == filepath.Dir(d) {
			return list
		}
	}
}

// checkDir reports why a directory cannot be trusted with a store: it has to
// be a directory by itself, ours, and closed to other writers.
func checkDir(fi fs.FileInfo) error {
	switch {
	case fi.Mode()&fs.ModeSymlink != 0:
		return errors.New("it is a symbolic link: name the directory it leads to")
	case !fi.IsDir():
		return fmt.Errorf("it is no directory but %s", kindOf(fi.Mode()))
	}
	return checkOwner(fi)
}

// kindOf names a file type for people.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return "a file"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m.IsDir():
		return "a directory"
	}
	return "a special file"
}

// ours checks a directory of the store once per Store, and makes it where it
// is missing and make is true.
func (s *Store) ours(dir string, make bool) error {
	if _, ok := s.checked.Load(dir); ok {
		return nil
	}
	fi, err := s.fs.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) && make {
		if err = s.mkdir(dir); err == nil {
			fi, err = s.fs.Lstat(dir)
		}
	}
	if err != nil {
		return err
	}
	if err := checkDir(fi); err != nil {
		return fmt.Errorf("refuse %q: %w", dir, err)
	}
	s.checked.Store(dir, true)
	return nil
}

// mkdir makes a directory whose name outlives a power cut. That another
// process made it first is no error.
func (s *Store) mkdir(dir string) error {
	if err := s.fs.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return s.syncDir(parent(dir))
}

// parent is the directory part of a name inside the store.
func parent(name string) string {
	for i := len(name) - 1; i > 0; i-- {
		if name[i] == '/' {
			return name[:i]
		}
	}
	return "."
}

package artifact

import (
	"errors"
	"io/fs"
	"path"
)

// ours checks a directory of the store once per Store, by opening it, and
// makes it where it is missing and make is true.
func (s *Store) ours(dir string, make bool) error {
	if _, ok := s.checked.Load(dir); ok {
		return nil
	}
	d, err := s.fs.OpenDir(dir)
	if errors.Is(err, fs.ErrNotExist) && make {
		if err = s.mkdir(dir); err == nil {
			d, err = s.fs.OpenDir(dir)
		}
	}
	if err != nil {
		return err
	}
	s.checked.Store(dir, true)
	return d.Close()
}

// mkdir makes a directory whose name outlives a power cut. That another
// process made it first is no error.
func (s *Store) mkdir(dir string) error {
	if err := s.fs.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return s.syncDir(path.Dir(dir))
}

// unlessGone returns err, or nil if it says that there is no such file, since another
// process may remove one at any time.
func unlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

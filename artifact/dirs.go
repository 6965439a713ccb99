package artifact

import (
	"errors"
	"io/fs"
	"path"
	"sync"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
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

// A debt is a sync that is owed before anything is acknowledged.
type debt struct {
	mu   sync.Mutex
	owed bool
}

func (d *debt) owe() {
	d.mu.Lock()
	d.owed = true
	d.mu.Unlock()
}

// settle pays what is owed; others wait until that is done.
func (d *debt) settle(pay func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.owed {
		return nil
	}
	err := pay()
	d.owed = err != nil
	return err
}

// syncFile forces a file to disk, as the policy says.
func (s *Store) syncFile(f filesys.File) error {
	if s.sync == SyncOff {
		return nil
	}
	return f.Sync()
}

// syncDir forces a directory's names to disk, as the policy says.
func (s *Store) syncDir(name string) error {
	if s.sync != SyncFull {
		return nil
	}
	d, err := s.fs.OpenDir(name)
	if err != nil {
		return err
	}
	defer d.Close()
	return ignoreUnsupported(d.Sync())
}

// ignoreUnsupported is for file systems whose directories cannot be synced:
// they have no more to give.
func ignoreUnsupported(err error) error {
	if err != nil && (errors.Is(err, errors.ErrUnsupported) || filesys.CannotSync(err)) {
		return nil
	}
	return err
}

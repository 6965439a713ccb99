package artifact

import (
	"errors"
	"sync"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

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

package artifact

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// healLimit is the size in bytes up to which an object that is there already
// is read again when the same bytes come a second time.
const healLimit = 1 << 20

// finishPart makes a part file ready to be published: young, so that its grace
// begins now and not with its last byte, and on disk. It reports whether publish
// has to sync the file, which then makes the name durable too.
func (s *Store) finishPart(part string, f filesys.File) (later bool, err error) {
	if err := s.fs.Chtimes(part, s.now()); err != nil {
		return false, err
	}
	if s.fs.Ordered && s.fs.SyncNames {
		err := f.WriteOut()
		if !errors.Is(err, errors.ErrUnsupported) && !filesys.CannotSync(err) {
			return true, err
		}
	}
	return false, s.fs.SyncFile(f)
}

// publish makes a part file that finishPart has finished visible as an object, and
// the name durable. Under the shard's shared lock no collector takes it away.
func (s *Store) publish(p *part, later bool, name string, size int64) error {
	d, err := s.openShard(shardDir(name))
	if err != nil {
		return err
	}
	defer d.Close() // gives the lock back
	s.fs.Share(d)
	if err := s.settle(p, later, name, size); err != nil {
		return err
	}
	if later || !s.fs.SyncNames {
		return nil
	}
	if err := filesys.IgnoreUnsupported(d.Sync()); err != nil {
		return err
	}
	return s.syncShards()
}

// syncShards makes the names of new shards durable. It costs next to nothing
// where a file was synced after they were made: most file systems bring both
// to the disk in one go.
func (s *Store) syncShards() error {
	return s.newShards.settle(func() error { return s.fs.SyncDir(objectsDir) })
}

// makeShard makes a directory of objects where it is missing.
func (s *Store) makeShard(shard string) error {
	if err := s.fs.Ensure(objectsDir); err != nil {
		return err
	}
	err := s.fs.Check(shard)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := s.fs.Mkdir(shard, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	s.newShards.owe()
	return s.fs.Check(shard)
}

// openShard opens a directory of objects, and makes it where it is missing.
func (s *Store) openShard(shard string) (filesys.File, error) {
	if err := s.makeShard(shard); err != nil {
		return nil, err
	}
	return s.fs.OpenDir(shard)
}

// settle places the part, or finds that a sound object has its name.
func (s *Store) settle(p *part, later bool, name string, size int64) error {
	object := objectName(name)
	for range filesys.Tries {
		err := s.fs.Place(p.name, object)
		if err == nil && later {
			return p.f.Sync()
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		fresh, err := s.refresh(name, size)
		if fresh || err != nil {
			return err
		}
	}
	return fmt.Errorf("publish %q: %d times it came and went: is another program at work in the store?", object, filesys.MaxTries)
}

// refresh sets an object's time to now, so that its grace begins anew, after a check: a
// corrupt one goes to quarantine. It returns false if the name is free now.
func (s *Store) refresh(name string, size int64) (bool, error) {
	object := objectName(name)
	f, err := filesys.OpenRegular(s.fs, object)
	switch {
	case errors.Is(err, filesys.ErrNotRegular):
		return false, s.quarantine(name)
	case err != nil:
		return false, filesys.UnlessGone(err)
	}
	defer f.Close()
	err = s.fs.Chtimes(object, s.now())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("renew %q: %w", object, err)
	case !sound(f, name, size):
		return false, s.quarantine(name)
	}
	return true, s.fs.SyncFile(f)
}

// sound reports whether an object has the size it should have and, where that
// is small, the bytes.
func sound(f filesys.File, name string, size int64) bool {
	fi, err := f.Stat()
	if err != nil || fi.Size() != size {
		return false
	}
	if size > healLimit {
		return true
	}
	sum, err := digestOf(f)
	return err == nil && sum == name
}

// digestOf reads r to its end and returns the name that its bytes have.
func digestOf(r io.Reader) (string, error) {
	h := sha256.New()
	_, err := io.Copy(h, struct{ io.Reader }{r})
	return hex.EncodeToString(h.Sum(nil)), err
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

package artifact

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/partial"
)

// checkLimit is the size in bytes up to which an existing object is read again when the
// same bytes are stored a second time.
const checkLimit = 1 << 20

// finishPart prepares a part file for publish: it sets its time, so that the grace begins
// now and not with its last byte, and syncs it. It reports whether publish has to sync
// the file, which then makes the name durable too.
func (obs *objects) finishPart(f *partial.File) (later bool, err error) {
	if err := obs.fs.Chtimes(f.Name, obs.now()); err != nil {
		return false, err
	}
	if obs.fs.Ordered && obs.fs.SyncNames {
		err := f.WriteOut()
		if !errors.Is(err, errors.ErrUnsupported) && !filesys.CannotSync(err) {
			return true, err
		}
	}
	return false, obs.fs.SyncFile(f)
}

// publish gives a part file from finishPart the name of its object, and makes the name
// durable. It holds the shard's shared lock, so that no collector evicts the object.
func (obs *objects) publish(p *partial.File, later bool, name string, size int64) error {
	d, err := obs.openShard(shardDir(name))
	if err != nil {
		return err
	}
	defer d.Close() // gives the lock back
	obs.fs.Share(d)
	if err := obs.placeOrRefresh(p, later, name, size); err != nil {
		return err
	}
	if later || !obs.fs.SyncNames {
		return nil
	}
	if err := filesys.IgnoreUnsupported(d.Sync()); err != nil {
		return err
	}
	return obs.syncShards()
}

// placeOrRefresh links the part under the object's name, or refreshes a sound object that
// has the name already.
func (obs *objects) placeOrRefresh(p *partial.File, later bool, name string, size int64) error {
	object := objectName(name)
	for range filesys.Tries {
		err := obs.fs.LinkNew(p.Name, object)
		if err == nil && later {
			return p.Sync()
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		fresh, err := obs.refresh(name, size)
		if fresh || err != nil {
			return err
		}
	}
	return fmt.Errorf("publish %q: %d times it came and went: is another program at work in the store?", object, filesys.MaxTries)
}

// refresh sets an object's time to now, so that its grace begins anew, and checks the
// object: a corrupt one goes to quarantine. It returns false if the name is free now.
func (obs *objects) refresh(name string, size int64) (bool, error) {
	object := objectName(name)
	f, err := filesys.OpenRegular(obs.fs, object)
	switch {
	case errors.Is(err, filesys.ErrNotRegular):
		return false, obs.quarantine(name)
	case err != nil:
		return false, filesys.IgnoreNotExist(err)
	}
	defer f.Close()
	err = obs.fs.Chtimes(object, obs.now())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("renew %q: %w", object, err)
	case !matches(f, name, size):
		return false, obs.quarantine(name)
	}
	return true, obs.fs.SyncFile(f)
}

// matches reports whether an object has its size and, up to checkLimit, its digest.
func matches(f filesys.File, name string, size int64) bool {
	fi, err := f.Stat()
	if err != nil || fi.Size() != size {
		return false
	}
	if size > checkLimit {
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

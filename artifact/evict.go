package artifact

import (
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// evictedPrefix begins the names of objects in run/ that the collector has
// taken out of sight and not yet removed.
const evictedPrefix = "gone-"

// evict removes an object that was last stored before limit. False means that
// it is younger, or gone.
//
// It is moved aside first, and looked at there. So it is safe even where a
// writer has no lock: if the writer renewed the object before the move, the
// collector sees that and puts it back; if after, the writer finds nothing,
// and stores its own bytes.
func (obs *objects) evict(name string, limit time.Time) (bool, error) {
	taken := false
	for _, suffix := range suffixes {
		ok, err := obs.evictFile(name+suffix, limit)
		if err != nil {
			return false, err
		}
		taken = taken || ok
	}
	return taken, nil
}

func (obs *objects) evictFile(file string, limit time.Time) (bool, error) {
	object := objectName(file)
	fi, err := obs.fs.Lstat(object)
	if err != nil || fi.ModTime().After(limit) {
		return false, filesys.IgnoreNotExist(err)
	}
	if err := obs.fs.Ensure(runDir); err != nil {
		return false, err
	}
	if err := obs.fs.Rename(object, runDir+"/"+evictedPrefix+file); err != nil {
		return false, filesys.IgnoreNotExist(err)
	}
	return obs.evictOrRestore(file, limit)
}

// evictOrRestore removes a file that was moved aside, or puts it back.
func (obs *objects) evictOrRestore(file string, limit time.Time) (bool, error) {
	moved := runDir + "/" + evictedPrefix + file
	fi, err := obs.fs.Lstat(moved)
	if err != nil {
		return false, filesys.IgnoreNotExist(err)
	}
	young := fi.ModTime().After(limit)
	if young {
		if err := obs.restore(moved, file); err != nil {
			return false, err
		}
	}
	err = filesys.IgnoreNotExist(obs.fs.Remove(moved))
	return !young && err == nil, err
}

// restore moves a file back that turned out to be young enough to stay.
func (obs *objects) restore(moved, file string) error {
	err := obs.fs.LinkNew(moved, objectName(file))
	if errors.Is(err, fs.ErrNotExist) {
		if _, gone := obs.fs.Lstat(moved); errors.Is(gone, fs.ErrNotExist) {
			return nil // another process was faster
		}
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return obs.fs.SyncDir(shardDir(file))
}

// finishEvictions completes what a collector that was killed has left in run/.
func (obs *objects) finishEvictions() error {
	names, err := obs.fs.NamesIn(runDir)
	if err != nil {
		return err
	}
	for _, file := range names {
		name, ok := strings.CutPrefix(file, evictedPrefix)
		if object, _ := cutSuffix(name); !ok || !isObject(object) {
			continue
		}
		if _, err := obs.evictOrRestore(name, obs.now().Add(-DefaultGrace)); err != nil {
			return err
		}
	}
	return nil
}

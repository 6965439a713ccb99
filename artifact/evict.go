package artifact

import (
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// evictedPrefix begins the names of objects in run/ that the collector has moved aside
// and not yet removed.
const evictedPrefix = "gone-"

// evict removes an object that was last stored before limit. It returns false if the
// object is younger, or missing.
//
// It moves the object aside first, and checks its age there. So it is safe even beside a
// writer without a lock: if the writer renewed the object before the move, evict sees
// that and restores the object; if after, the writer finds no object, and stores its own
// bytes.
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

// evictOrRestore removes a file that was moved aside, or moves it back if it is young.
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

// restore moves a file back that is young enough to stay.
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

// finishEvictions completes the evictions that a killed collector has left in run/.
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

package artifact

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// shardCount is the number of directories of objects: one for each value of a digest's
// first byte.
const shardCount = 256

// objects are the objects of a store, in 256 directories.
type objects struct {
	fs        *filesys.Volume
	now       func() time.Time
	workers   int         // goroutines that look at directories of objects side by side
	newShards pendingSync // their names are not yet synced
}

// keys returns the keys of all objects; it reads directories only.
func (obs *objects) keys() (map[key]bool, error) {
	there := map[key]bool{}
	err := inShards(obs, obs.fs.Names, func(names []string) {
		for _, name := range names {
			name, _ = cutSuffix(name)
			if k, ok := keyOf(name); ok {
				there[k] = true
			}
		}
	})
	return there, err
}

// eachShard calls do for every existing directory of objects.
func (obs *objects) eachShard(do func(shard string) error) error {
	names, err := obs.fs.NamesIn(objectsDir)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		if len(name) != 2 || !isHex(name) {
			continue
		}
		shard := objectsDir + "/" + name
		err := obs.fs.Check(shard)
		if errors.Is(err, safefs.ErrRefused) {
			continue // no directory of this user; doctor and verify report it
		}
		if err == nil {
			err = do(shard)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// inShards calls look for every directory of objects that exists, several at once, and
// add with each result, one at a time.
func inShards[T any](obs *objects, look func(shard string) (T, error), add func(T)) error {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var failed error
	shards := make(chan string)
	for range obs.workers {
		wg.Go(func() {
			for shard := range shards {
				found, err := look(shard)
				mu.Lock()
				if err == nil {
					add(found)
				} else if !errors.Is(err, fs.ErrNotExist) {
					failed = errors.Join(failed, err)
				}
				mu.Unlock()
			}
		})
	}
	err := obs.eachShard(func(shard string) error {
		shards <- shard
		return nil
	})
	close(shards)
	wg.Wait()
	return errors.Join(err, failed)
}

// names returns the objects whose digests begin with prefix, sorted.
func (obs *objects) names(prefix string) ([]string, error) {
	if len(prefix) == hexLen {
		for _, suffix := range suffixes {
			_, err := obs.fs.Lstat(objectName(prefix) + suffix)
			if !errors.Is(err, fs.ErrNotExist) {
				return []string{prefix}, err
			}
		}
		return nil, nil
	}
	entries, err := obs.fs.Names(shardDir(prefix))
	if filesys.IgnoreNotExist(err) != nil {
		return nil, err
	}
	var found []string
	for _, name := range entries {
		name, _ = cutSuffix(name)
		if isObject(name) && strings.HasPrefix(name, prefix) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// files lists the files that an object has.
func (obs *objects) files(name string) []string {
	var files []string
	for _, suffix := range suffixes {
		if _, err := obs.fs.Lstat(objectName(name + suffix)); err == nil {
			files = append(files, name+suffix)
		}
	}
	return files
}

// A shardObject is an object of a shard with its size and age, as the collector lists it.
type shardObject struct {
	name     string
	size     int64 // bytes on disk, packed and plain
	modified time.Time
	reason   string // why it goes; "" where it stays
}

// list returns all objects of a shard.
func (obs *objects) list(shard string) ([]shardObject, error) {
	files, err := obs.fs.ReadDir(shard)
	if err != nil {
		return nil, err
	}
	at := map[string]int{} // of objects that are packed, which for a moment have two files
	for _, fi := range files {
		if name, packed := cutSuffix(fi.Name()); packed {
			at[name] = -1
		}
	}
	all := make([]shardObject, 0, len(files))
	for _, fi := range files {
		name, _ := cutSuffix(fi.Name())
		if !isObject(name) || !fi.Mode().IsRegular() {
			continue
		}
		i, packed := at[name]
		if !packed || i < 0 {
			i = len(all)
			all = append(all, shardObject{name: name})
		}
		if packed {
			at[name] = i
		}
		all[i].size += fi.Size()
		if fi.ModTime().After(all[i].modified) {
			all[i].modified = fi.ModTime()
		}
	}
	return all, nil
}

// syncShards makes the names of new shards durable. It costs next to nothing
// where a file was synced after they were made: most file systems bring both
// to the disk in one go.
func (obs *objects) syncShards() error {
	return obs.newShards.flush(func() error { return obs.fs.SyncDir(objectsDir) })
}

// makeShard makes a directory of objects where it is missing.
func (obs *objects) makeShard(shard string) error {
	if err := obs.fs.Ensure(objectsDir); err != nil {
		return err
	}
	err := obs.fs.Check(shard)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := obs.fs.Mkdir(shard, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	obs.newShards.mark()
	return obs.fs.Check(shard)
}

// openShard opens a directory of objects, and makes it where it is missing.
func (obs *objects) openShard(shard string) (filesys.File, error) {
	if err := obs.makeShard(shard); err != nil {
		return nil, err
	}
	return obs.fs.OpenDir(shard)
}

// A pendingSync is a sync that is owed before anything is acknowledged.
type pendingSync struct {
	mu   sync.Mutex
	owed bool
}

func (d *pendingSync) mark() {
	d.mu.Lock()
	d.owed = true
	d.mu.Unlock()
}

// flush calls sync if it is owed; other callers wait until that is done.
func (d *pendingSync) flush(sync func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.owed {
		return nil
	}
	err := sync()
	d.owed = err != nil
	return err
}

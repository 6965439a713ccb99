// Package partial makes and locks the part files of an artifact store: output that is
// being written or that a dead writer left, and files that get their final name once
// they are complete.
package partial

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// Names inside a store.
const (
	Dir     = "part"
	JobsDir = "jobs" // has, by run, files in which a job's output can be followed
)

// A Prefix begins the names of part files, and says what they are for.
type Prefix string

const (
	Captured Prefix = ""     // output: Recover makes an object of it
	Scratch  Prefix = "tmp-" // of no use to anybody but its writer
	Packing  Prefix = Scratch + "pack-"
)

// Matches reports whether the name of a part file begins with the prefix.
func (p Prefix) Matches(base string) bool { return strings.HasPrefix(base, string(p)) }

// A File is a part file, locked while its writer lives.
type File struct {
	filesys.File
	Name   string // inside the store
	Shared bool   // has a second name among the job's files

	volume *filesys.Volume
}

// Drop removes a part file before it gives up the lock, so that nobody recovers it.
func (f *File) Drop() {
	_ = f.volume.Remove(f.Name)
	f.Close()
}

// Files are the part files of a store.
type Files struct {
	Volume *filesys.Volume
	Run    string // names this run's part files
	Now    func() time.Time

	seq atomic.Int64
}

// Create makes a part file with a new name, and locks it. The writer holds the lock until
// the file has become an object or was removed. A process that searches for parts of dead
// writers may lock a new file first, for a moment; Create then tries the next name.
func (a *Files) Create(prefix Prefix) (*File, error) {
	if err := a.Volume.Ensure(Dir); err != nil {
		return nil, err
	}
	perm := fs.FileMode(0o400) // as the object that it becomes
	if prefix == Scratch {     // it is written again
		perm = 0o600
	}
	var name string
	for range filesys.Tries {
		name = a.next(prefix)
		f, err := a.Volume.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if err == nil {
			if a.holds(f, name) {
				return &File{File: f, Name: name, volume: a.Volume}, nil
			}
			f.Close()
		} else if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("make a part file: each of %d new ones was taken, the last was %q: is another program at work in the store?", filesys.MaxTries, name)
}

// next returns a name that this run has not used before.
func (a *Files) next(prefix Prefix) string {
	return Dir + "/" + string(prefix) + a.Run + "." + strconv.FormatInt(a.seq.Add(1), 10)
}

// holds locks a new part file. It returns false if a process that was looking for dead
// parts has locked it first.
func (a *Files) holds(f filesys.File, name string) bool {
	if !a.Volume.Locks {
		return true
	}
	if err := f.TryLock(true); errors.Is(err, filesys.ErrBusy) {
		return false
	}
	return a.Volume.Same(f, name)
}

// Write makes a scratch file with the bytes b, synced as the policy says. The caller
// renames it, and drops it.
func (a *Files) Write(b []byte) (*File, error) {
	f, err := a.Create(Scratch)
	if err != nil {
		return nil, err
	}
	if _, err = f.Write(b); err == nil {
		err = a.Volume.SyncFile(f.File)
	}
	if err != nil {
		f.Drop()
		return nil, err
	}
	return f, nil
}

// Share gives the file in which a job's stream is followed a second name, as a part; it
// returns nil if that is impossible. It locks the file before, so that no process takes
// the part for that of a dead writer.
func (a *Files) Share(stream string) *File {
	if a.Volume.ReadOnly != nil || !a.Volume.Locks || a.Volume.Ensure(Dir) != nil {
		return nil
	}
	followed := JobsDir + "/" + a.Run + "/" + stream
	f, err := a.Volume.OpenFile(followed, os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	p := &File{File: f, Name: a.next(Captured), Shared: true, volume: a.Volume}
	info, err := a.Volume.Lstat(followed)
	if err != nil || safefs.Linked(info) || f.TryLock(true) != nil || a.Volume.Link(followed, p.Name) != nil {
		f.Close()
		return nil
	}
	if !a.Volume.Same(f, p.Name) || f.Chmod(0o400) != nil { // the mode of the object that it becomes
		p.Drop()
		return nil
	}
	return p
}

// deadAfter is the age at which a part file counts as abandoned where locks are not used:
// a living writer would have added to it.
const deadAfter = time.Hour

// Claim opens a part file whose writer is dead, and takes its lock. It fails with
// filesys.ErrBusy where the writer lives.
func (a *Files) Claim(base string) (*File, error) {
	name := Dir + "/" + base
	f, err := filesys.OpenRegular(a.Volume, name)
	if err != nil {
		return nil, err
	}
	if err := a.dead(f, name); err != nil {
		f.Close()
		return nil, err
	}
	return &File{File: f, Name: name, volume: a.Volume}, nil
}

// dead returns nil if the writer of a part file is dead.
func (a *Files) dead(f filesys.File, name string) error {
	if a.Volume.Locks {
		if err := f.TryLock(true); err != nil {
			return err
		}
		if !a.Volume.Same(f, name) {
			return fs.ErrNotExist
		}
		return nil
	}
	info, err := f.Stat()
	if err == nil && a.Now().Sub(info.ModTime()) < deadAfter {
		err = filesys.ErrBusy
	}
	return err
}

// Others adds up, in bytes, the part files of other runs and the files in which jobs are
// followed. It returns the number of writers, this run included.
func (a *Files) Others() (total, writers int64, err error) {
	writers = 1
	runs := map[string]bool{a.Run: true}
	if err := a.Volume.Ensure(Dir); err != nil {
		return 0, writers, err
	}
	files, err := a.Volume.ReadDir(Dir)
	for _, info := range files {
		run, _ := Split(strings.TrimPrefix(strings.TrimPrefix(info.Name(), string(Packing)), string(Scratch)))
		if run == a.Run {
			continue
		}
		runs[run] = true
		total += info.Size()
		writers++
	}
	for _, run := range slices.Sorted(maps.Keys(runs)) {
		for _, stream := range []string{"stdout", "stderr"} {
			info, err := a.Volume.Lstat(fmt.Sprintf("%s/%s/%s", JobsDir, run, stream))
			if err == nil && !safefs.Linked(info) { // a linked file counts as a part or an object
				total += info.Size()
			}
		}
	}
	return total, writers, err
}

// Split cuts the name of a part file of captured output into its run and its number.
func Split(base string) (run, number string) {
	if i := strings.LastIndexByte(base, '.'); i >= 0 {
		return base[:i], base[i+1:]
	}
	return base, ""
}

package artifact

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
	"github.com/envwrap/envwrap/internal/owned"
)

// A part is a file that is being written, locked while its writer lives.
type part struct {
	fs     *filesys.Volume
	f      filesys.File
	name   string
	shared bool // it is a job's file, too
}

// The kinds of part files, as their names begin.
const (
	captured = ""     // output: what is left of it is salvaged
	scratch  = "tmp-" // of no use to anybody but its writer
	packing  = scratch + "pack-"
)

// parts are the part files of a store.
type parts struct {
	fs  *filesys.Volume
	run string // names this run's part files
	seq atomic.Int64
	now func() time.Time
}

// create makes a part file that nobody else has, and locks it. Its writer holds
// the lock until the file is an object, or gone. Whoever looks for the parts of dead
// writers may lock a new one first, for a moment; the next name is tried then.
func (ps *parts) create(kind string) (*part, error) {
	if err := ps.fs.Ensure(partDir); err != nil {
		return nil, err
	}
	perm := fs.FileMode(0o400) // as the object that it becomes
	if kind == scratch {       // it is written again
		perm = 0o600
	}
	var name string
	for range filesys.Tries {
		name = partDir + "/" + kind + ps.run + "." + strconv.FormatInt(ps.seq.Add(1), 10)
		f, err := ps.fs.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if err == nil {
			if ps.holds(f, name) {
				return &part{fs: ps.fs, f: f, name: name}, nil
			}
			f.Close()
		} else if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("make a part file: each of %d new ones was taken, the last was %q: is another program at work in the store?", filesys.MaxTries, name)
}

// holds locks a new part file. It returns false if a process that was looking for dead
// parts has locked it first.
func (ps *parts) holds(f filesys.File, name string) bool {
	if !ps.fs.Locks {
		return true
	}
	if err := f.TryLock(true); errors.Is(err, filesys.ErrBusy) {
		return false
	}
	return ps.fs.Same(f, name)
}

// drop removes a part file before it gives up the lock, so that nobody recovers it.
func (p *part) drop() {
	_ = p.fs.Remove(p.name)
	p.f.Close()
}

// jobsDir has, by [Options.Run], files in which a job's output can be followed.
const jobsDir = "jobs"

// share gives the file of a job a second name, as a part, and returns nil where
// that is impossible. The file is locked before, so that nobody takes the part for that
// of a dead writer.
func (ps *parts) share(followed string) *part {
	if ps.fs.ReadOnly != nil || !ps.fs.Locks || ps.fs.Ensure(partDir) != nil {
		return nil
	}
	f, err := ps.fs.OpenFile(followed, os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	p := &part{fs: ps.fs, f: f, name: partDir + "/" + ps.run + "." + strconv.FormatInt(ps.seq.Add(1), 10), shared: true}
	fi, err := ps.fs.Lstat(followed)
	if err != nil || owned.Linked(fi) || f.TryLock(true) != nil || ps.fs.Link(followed, p.name) != nil {
		f.Close()
		return nil
	}
	if !ps.fs.Same(f, p.name) || f.Chmod(0o400) != nil { // the mode of the object that it becomes
		p.drop()
		return nil
	}
	return p
}

// deadAfter is the age from which a part file counts as dead where locks
// cannot tell: its writer adds to it or is gone.
const deadAfter = time.Hour

// claim opens a part file whose writer is dead, and takes its lock. It fails
// with filesys.ErrBusy where the writer lives.
func (ps *parts) claim(base string) (filesys.File, error) {
	name := partDir + "/" + base
	f, err := filesys.OpenRegular(ps.fs, name)
	if err != nil {
		return nil, err
	}
	if err := ps.dead(f, name); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (ps *parts) dead(f filesys.File, name string) error {
	if ps.fs.Locks {
		if err := f.TryLock(true); err != nil {
			return err
		}
		if !ps.fs.Same(f, name) {
			return fs.ErrNotExist
		}
		return nil
	}
	fi, err := f.Stat()
	if err == nil && ps.now().Sub(fi.ModTime()) < deadAfter {
		err = filesys.ErrBusy
	}
	return err
}

// bytes adds up what others are writing, and where jobs among them, or this one,
// are followed. Our own part files are in mine: not all of their bytes are on their way.
func (ps *parts) bytes() (total, writers int64, err error) {
	writers = 1
	runs := map[string]bool{ps.run: true}
	if err := ps.fs.Ensure(partDir); err != nil {
		return 0, writers, err
	}
	files, err := ps.fs.ReadDir(partDir)
	for _, fi := range files {
		run, _ := splitPart(strings.TrimPrefix(strings.TrimPrefix(fi.Name(), packing), scratch))
		if run == ps.run {
			continue
		}
		runs[run] = true
		total += fi.Size()
		writers++
	}
	for _, run := range slices.Sorted(maps.Keys(runs)) {
		for _, stream := range []string{"stdout", "stderr"} {
			fi, err := ps.fs.Lstat(fmt.Sprintf("%s/%s/%s", jobsDir, run, stream))
			if err == nil && !owned.Linked(fi) { // else it is a part, or an object, too
				total += fi.Size()
			}
		}
	}
	return total, writers, err
}

package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/internal/owned"
)

// A part is a file that is being written, locked while its writer lives.
type part struct {
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

// newPart makes a part file that nobody else has, and locks it. Its writer holds
// the lock until the file is an object, or gone. Whoever looks for the parts of dead
// writers may lock a new one first, for a moment; the next name is tried then.
func (s *Store) newPart(kind string) (*part, error) {
	if err := s.fs.Ensure(partDir); err != nil {
		return nil, err
	}
	perm := fs.FileMode(0o400) // as the object that it becomes
	if kind == scratch {       // it is written again
		perm = 0o600
	}
	var name string
	for range filesys.Tries {
		name = partDir + "/" + kind + s.run + "." + strconv.FormatInt(s.seq.Add(1), 10)
		f, err := s.fs.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if err == nil {
			if s.holds(f, name) {
				return &part{f: f, name: name}, nil
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
func (s *Store) holds(f filesys.File, name string) bool {
	if !s.fs.Locks {
		return true
	}
	if err := f.TryLock(true); errors.Is(err, filesys.ErrBusy) {
		return false
	}
	return s.fs.Same(f, name)
}

// drop removes a part file before it gives up the lock, so that nobody recovers it.
func (s *Store) drop(p *part) {
	_ = s.fs.Remove(p.name)
	p.f.Close()
}

// jobsDir has, by [Options.Run], files in which a job's output can be followed.
const jobsDir = "jobs"

// CreateShared begins an object like Create, and makes one file of it and of
// jobs/<run>/<stream>, in which a job's output is followed: so the bytes are on the disk
// once. Write writes at once, from the beginning of that file on. Others may append to
// the file what will be written next, but may not change it after Finish. Where the two
// cannot be one file it does what Create does; Shared reports which.
func (s *Store) CreateShared(stream string) (*Pending, error) {
	shared := s.sharePart(jobsDir + "/" + s.run + "/" + stream)
	if p := s.prepared.Load(); shared != nil && p != nil && s.prepared.CompareAndSwap(p, nil) {
		s.drop(p) // a kill would leave it
	}
	return s.create(shared)
}

// Shared reports whether the object is in the file in which its job is followed.
func (p *Pending) Shared() bool { return p.part != nil && p.part.shared }

// sharePart gives the file of a job a second name, as a part, and returns nil where
// that is impossible. The file is locked before, so that nobody takes the part for that
// of a dead writer.
func (s *Store) sharePart(followed string) *part {
	if s.fs.ReadOnly != nil || !s.fs.Locks || s.fs.Ensure(partDir) != nil {
		return nil
	}
	f, err := s.fs.OpenFile(followed, os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	p := &part{f: f, name: partDir + "/" + s.run + "." + strconv.FormatInt(s.seq.Add(1), 10), shared: true}
	fi, err := s.fs.Lstat(followed)
	if err != nil || owned.Linked(fi) || f.TryLock(true) != nil || s.fs.Link(followed, p.name) != nil {
		f.Close()
		return nil
	}
	if !s.fs.Same(f, p.name) || f.Chmod(0o400) != nil { // the mode of the object that it becomes
		s.drop(p)
		return nil
	}
	return p
}

package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
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
	if err := s.ours(partDir, true); err != nil {
		return nil, err
	}
	perm := fs.FileMode(0o400) // as the object that it becomes
	if kind == scratch {       // it is written again
		perm = 0o600
	}
	var name string
	for range tries {
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
	return nil, fmt.Errorf("make a part file: each of %d new ones was taken, the last was %q: is another program at work in the store?", maxTries, name)
}

// holds locks a new part file. It returns false if a process that was looking for dead
// parts has locked it first.
func (s *Store) holds(f filesys.File, name string) bool {
	if !s.nature.Locks {
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

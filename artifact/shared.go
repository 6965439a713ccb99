package artifact

import (
	"os"
	"strconv"

	"github.com/envwrap/envwrap/internal/owned"
)

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
	if s.readOnly != nil || !s.nature.Locks || s.ours(partDir, true) != nil {
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

package artifact

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// Live has each Write from now on write to the part file before it returns, and writes
// what was given before: a kill of this process then loses nothing. It returns the name of
// the part, by which other processes read it (Get, Follow) and Recover finds it.
func (p *Pending) Live() (part string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.err != nil:
		return "", p.err
	case p.finished != nil:
		return "", errors.New("store an artifact: it is finished")
	case p.atOnce():
		return path.Base(p.part.Name), nil
	}
	p.stopIdle()
	if p.pipe != nil {
		err = p.pipe.Close()
		p.pipe = nil
	}
	if err == nil {
		_, err = p.part.Write(p.buf)
	}
	if err != nil {
		return "", p.fail(err)
	}
	p.live = true
	return path.Base(p.part.Name), nil
}

// WriteAhead has the part file of a Live object end with bytes that later Writes will bring,
// of which the first n are there, so that a kill does not lose them either. The Writes
// replace them. Errors are left to the Writes.
func (p *Pending) WriteAhead(n int, more []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.live || p.err != nil || p.finished != nil {
		return
	}
	if p.past > n+len(more) {
		_ = p.part.Truncate(p.size + int64(n))
	}
	_, _ = p.part.WriteAt(more, p.size+int64(n))
	p.past = n + len(more)
}

// atOnce reports whether each Write writes to the part file before it returns.
func (p *Pending) atOnce() bool { return p.live || p.part.Shared }

// A partFile reads what a part file had when it was opened.
type partFile struct {
	*io.SectionReader
	io.Closer
}

// getPart opens what a part file has so far, or the object that was made of it.
func (a Stores) getPart(name string) (*Object, error) {
	for _, s := range a {
		f, err := s.openPartFile(name)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		info, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("read part %q: %w", name, err)
		}
		size := info.Size()
		return &Object{
			all: s.objects, f: partFile{io.NewSectionReader(f, 0, size), f}, part: name,
			size: size, modified: info.ModTime(), hash: sha256.New(),
		}, nil
	}
	digest, err := a.OfPart(name)
	if err != nil {
		return nil, err
	}
	return a.Get(digest)
}

// PartAlive reports whether a part is being written.
func (a Stores) PartAlive(name string) bool {
	for _, s := range a {
		f, err := s.parts.Claim(name)
		if err == nil {
			f.Close()
			return false
		}
		if errors.Is(err, filesys.ErrBusy) {
			return true
		}
	}
	return false
}

// openPartFile opens a part file by its name inside part/. The error is [ErrNotFound] if
// none exists.
func (s *Store) openPartFile(name string) (filesys.File, error) {
	if !isPart(name) {
		return nil, fmt.Errorf("%q: %w", name, ErrNotFound)
	}
	f, err := filesys.OpenRegular(s.fs, partDir+"/"+name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%q: %w", name, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("read part %q: %w", name, err)
	}
	return f, nil
}

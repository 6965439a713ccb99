package artifact

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"path"
)

// Info is what the index remembers of an object beside its digest and size.
// All of it is advisory.
type Info struct {
	Kind    string // MIME type
	Command string // namespace/verb of the run; "" where no run made it
	Stream  string // stdout, stderr, output; else put, salvaged
}

// A Pending is an object being written. It belongs to one goroutine; hashing
// and the disk have others, so that Write costs little more than a copy.
// Memory is bounded, whatever the size of the object.
type Pending struct {
	s    *Store
	part *part // nil once it is gone
	hash hash.Hash
	buf  []byte // not yet handed on
	size int64
	pipe *pipe         // nil until the first buffer is full
	want string        // the name it has to have; "" is any
	err  error         // the first failure; it stays
	name string        // hex of the digest, once settled
	rest chan struct{} // closed when Finish's work is done; nil before Finish
	fate error         // what became of it
}

// Create begins an object. Discard must follow, so it is best deferred; after
// Commit it does nothing.
func (s *Store) Create() (*Pending, error) {
	if s.readOnly != nil {
		return nil, fmt.Errorf("store an artifact in %q: %w", s.dir, s.readOnly)
	}
	part := s.spare.Swap(nil)
	if part == nil {
		var err error
		if part, err = s.newPart(captured); err != nil {
			return nil, fmt.Errorf("store an artifact in %q: %w", s.dir, err)
		}
	}
	return &Pending{s: s, part: part, hash: sha256.New()}, nil
}

// Write adds to the object. An error is the store's, for instance a full disk,
// and may be about an earlier Write; after it nothing more is taken and the
// part file is gone.
func (p *Pending) Write(b []byte) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	if p.rest != nil {
		return 0, errors.New("store an artifact: it is finished, and takes no more")
	}
	n := len(b)
	for len(b) > 0 {
		if p.buf == nil {
			p.buf = newBuffer(bufferSize)
		}
		k := min(len(b), cap(p.buf)-len(p.buf))
		p.buf = append(p.buf, b[:k]...)
		b = b[k:]
		if len(p.buf) < cap(p.buf) {
			break
		}
		if err := p.handOn(); err != nil {
			return 0, p.fail(err)
		}
	}
	p.size += int64(n)
	return n, nil
}

// handOn gives the full buffer to the pipe and takes an empty one.
func (p *Pending) handOn() error {
	if p.pipe == nil {
		p.s.tend()
		p.pipe = newPipe(p.part.f, p.hash, drain{flush: p.s.sync != SyncOff, direct: p.s.direct})
	}
	var err error
	p.buf, err = p.pipe.swap(p.buf)
	return err
}

// Size is the number of bytes written so far.
func (p *Pending) Size() int64 { return p.size }

// Finish says that no Write follows. What is left to do for the bytes is begun
// in the background, so that Commit finds them on the disk: it takes most of
// Commit's time, and a caller has other things to do in it. It may be left
// out, and does nothing the second time.
func (p *Pending) Finish() {
	if p.err != nil || p.rest != nil {
		return
	}
	p.rest = make(chan struct{})
	go func() {
		defer close(p.rest)
		p.fate = p.finish()
	}()
}

// finish brings the bytes to the disk, and makes the directory that they will
// be found in, so that one sync is for both.
func (p *Pending) finish() error {
	if err := p.flush(); err != nil {
		return err
	}
	p.name = hex.EncodeToString(p.hash.Sum(nil))
	if p.want != "" && p.want != p.name {
		return ErrCorrupt
	}
	if err := p.s.makeShard(shardDir(p.name)); err != nil {
		return err
	}
	if err := p.s.seal(p.part.name, p.part.f); err != nil {
		return err
	}
	p.s.tend()
	return p.s.syncShards()
}

// Commit makes the object durable and visible, and returns its digest,
// sha256:<64 hex>. That the store has the object already is no error. After an
// error nothing is left behind.
func (p *Pending) Commit(i Info) (string, error) {
	p.Finish()
	if p.err != nil {
		return "", p.err
	}
	<-p.rest
	if p.fate != nil {
		return "", p.fail(p.fate)
	}
	if err := p.s.publish(p.part.name, p.name, p.size); err != nil {
		return "", p.fail(err)
	}
	part := path.Base(p.part.name)
	p.Discard()
	p.s.note(p.name, p.size, part, i)
	return digestPrefix + p.name, nil
}

// flush writes what is still in memory and ends the pipe.
func (p *Pending) flush() error {
	if p.pipe != nil {
		err := p.pipe.close()
		p.pipe = nil
		if err != nil {
			return err
		}
	}
	p.hash.Write(p.buf)
	_, err := p.part.f.Write(p.buf)
	p.buf = nil
	return err
}

// Discard drops the object; after Commit it does nothing.
func (p *Pending) Discard() {
	if p.part == nil {
		return
	}
	if p.rest != nil {
		<-p.rest
	}
	if p.pipe != nil {
		p.pipe.close()
		p.pipe = nil
	}
	p.s.drop(p.part)
	p.part, p.buf = nil, nil
	if p.err == nil {
		p.err = errors.New("store an artifact: it was committed or discarded before")
	}
}

func (p *Pending) fail(err error) error {
	p.err = fmt.Errorf("store an artifact in %q: %w", p.s.dir, err)
	p.Discard()
	return p.err
}

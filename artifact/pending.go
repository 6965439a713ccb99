package artifact

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"path"
	"sync"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/partial"
	"github.com/envwrap/envwrap/artifact/internal/stream"
)

// A Pending is an object being written. It is not safe for concurrent use. Other
// goroutines hash and write, so that Write costs little more than a copy. Memory is
// bounded, whatever the size of the object. What was written is in the part file within
// a second, for Follow and Recover.
type Pending struct {
	s         *Store
	size      int64
	want      string        // the name that its bytes must have; "" allows any
	name      string        // hex of the digest, after finish
	finished  chan struct{} // closed when Finish's work is done; nil before Finish
	finishErr error         // of finish and publish

	later bool // its sync is left to publish

	live bool // each Write goes to the part file at once
	past int  // bytes of WriteAhead in the part file

	room  int64 // bytes that were reserved and not yet written
	taken int64 // bytes that were reserved

	fetched bool // it came from a remote

	mu     sync.Mutex    // of what follows, until Finish
	part   *partial.File // nil once it is gone
	hash   hash.Hash
	buf    []byte         // not yet handed on
	pipe   *stream.Writer // nil until the first buffer is handed on
	handed int64          // bytes handed on
	err    error          // the first failure; it stays

	idle  *time.Timer // nil where nothing waits in buf
	since int64       // given, when idle was started
}

// idleLimit is how long written bytes may stay in memory: a kill of the writer loses at
// most that much of slow output.
const idleLimit = time.Second

// Create begins an object. The caller must call Commit or Discard; deferring Discard is
// safe, since it does nothing after Commit.
func (s *Store) Create() (*Pending, error) { return s.create(nil) }

// CreateShared begins an object like Create, and makes one file of it and of
// jobs/<run>/<stream>, in which a job's output is followed: so the bytes are on the disk
// once. Write writes at once, from the beginning of that file on. Others may append to
// the file what will be written next, but may not change it after Finish. Where the two
// cannot be one file it does what Create does; Shared reports which.
func (s *Store) CreateShared(stream string) (*Pending, error) {
	shared := s.parts.Share(stream)
	if p := s.prepared.Load(); shared != nil && p != nil && s.prepared.CompareAndSwap(p, nil) {
		p.Drop() // a kill would leave it
	}
	return s.create(shared)
}

// create begins an object in a part file, or in one that it makes.
func (s *Store) create(file *partial.File) (*Pending, error) {
	if s.fs.ReadOnly != nil {
		return nil, fmt.Errorf("store an artifact in %q: %w", s.dir, s.fs.ReadOnly)
	}
	if file == nil {
		file = s.prepared.Swap(nil)
	}
	if file == nil {
		var err error
		if file, err = s.parts.Create(partial.Captured); err != nil {
			return nil, fmt.Errorf("store an artifact in %q: %w", s.dir, err)
		}
	}
	return &Pending{s: s, part: file, hash: sha256.New()}, nil
}

// Shared reports whether the object is in the file in which its job is followed.
func (p *Pending) Shared() bool { return p.part != nil && p.part.Shared }

// Write appends to the object. An error, for instance that the disk is full, may be
// about an earlier Write; after it the part file is gone and every Write fails.
func (p *Pending) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return 0, p.err
	}
	if p.finished != nil {
		return 0, errors.New("store an artifact: it is finished, and takes no more")
	}
	n := len(b)
	if err := p.admit(int64(n)); err != nil {
		return 0, p.fail(err)
	}
	if p.atOnce() {
		if _, err := p.part.Write(b); err != nil {
			return 0, p.fail(err)
		}
		p.past = max(0, p.past-n)
	}
	for len(b) > 0 {
		if p.buf == nil {
			p.buf = stream.NewBuffer(stream.BufferSize)
		}
		// whole pages end where pages of the file end, also after output that was slow
		limit := cap(p.buf) - int(p.handed%stream.PageSize)
		k := min(len(b), limit-len(p.buf))
		p.buf = append(p.buf, b[:k]...)
		b = b[k:]
		if len(p.buf) < limit {
			break
		}
		if err := p.passBuffer(); err != nil {
			return 0, p.fail(err)
		}
	}
	p.size += int64(n)
	if p.idle == nil && len(p.buf) > 0 && !p.atOnce() {
		p.since = p.handed
		p.idle = time.AfterFunc(idleLimit, p.passIdle)
	}
	return n, nil
}

// passBuffer passes the buffer to the pipe and takes an empty one.
func (p *Pending) passBuffer() error {
	if p.pipe == nil {
		p.s.maintain()
		p.pipe = stream.NewWriter(p.part, p.hash, p.s.now, stream.Options{
			Sync: p.s.fs.SyncFiles, Direct: p.s.fs.Direct, Written: p.atOnce(), From: p.handed,
		})
	}
	p.handed += int64(len(p.buf))
	var err error
	p.buf, err = p.pipe.Swap(p.buf)
	return err
}

// passIdle passes the buffer to the pipe, unless a full buffer was passed meanwhile.
func (p *Pending) passIdle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = nil
	switch {
	case p.finished != nil || len(p.buf) == 0:
	case p.handed != p.since:
		p.since = p.handed
		p.idle = time.AfterFunc(idleLimit, p.passIdle)
	default:
		if err := p.passBuffer(); err != nil {
			_ = p.fail(err) // the next Write, or Commit, says so
		}
	}
}

// Size returns the number of bytes written so far.
func (p *Pending) Size() int64 { return p.size }

// Finish means that no Write follows. It starts to bring the bytes to the disk in the
// background, which is most of what Commit waits for, while the caller does other
// things. It is optional, and does nothing the second time.
func (p *Pending) Finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil || p.finished != nil {
		return
	}
	p.finished = make(chan struct{})
	p.stopIdle()
	go func() {
		defer close(p.finished)
		p.finishErr = p.finish()
	}()
}

func (p *Pending) stopIdle() {
	if p.idle != nil {
		p.idle.Stop()
		p.idle = nil
	}
}

// finish syncs the bytes, and makes the directory of the object before, so that one sync
// covers both.
func (p *Pending) finish() error {
	if err := p.flush(); err != nil {
		return err
	}
	p.name = hex.EncodeToString(p.hash.Sum(nil))
	if p.want != "" && p.want != p.name {
		return ErrCorrupt
	}
	if err := p.s.objects.makeShard(shardDir(p.name)); err != nil {
		return err
	}
	var err error
	if p.later, err = p.s.objects.finishPart(p.part); err != nil {
		return err
	}
	p.s.maintain()
	if p.later {
		return nil
	}
	return p.s.objects.syncShards()
}

// Commit makes the object durable and visible, and returns its digest, sha256:<64 hex>.
// It is not an error if the store has the object already. After an error nothing of the
// object is left.
func (p *Pending) Commit(i Info) (string, error) {
	p.Finish()
	if p.err != nil {
		return "", p.err
	}
	<-p.finished
	if p.finishErr == nil {
		p.finishErr = p.s.objects.publish(p.part, p.later, p.name, p.size)
	}
	if p.finishErr != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		return "", p.fail(p.finishErr)
	}
	base := path.Base(p.part.Name)
	p.Discard()
	p.s.index.add(p.name, p.size, base, i)
	p.sent()
	return digestPrefix + p.name, nil
}

// flush writes the bytes that are still in memory and ends the pipe.
func (p *Pending) flush() error {
	if p.pipe != nil {
		err := p.pipe.Close()
		p.pipe = nil
		if err != nil {
			return err
		}
	}
	p.hash.Write(p.buf)
	var err error
	if p.atOnce() {
		err = p.part.Truncate(p.size) // to what was written here
	} else {
		_, err = p.part.Write(p.buf)
	}
	p.buf = nil
	return err
}

// Discard removes what was written; after Commit it does nothing.
func (p *Pending) Discard() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.discard()
}

func (p *Pending) discard() {
	if p.part == nil {
		return
	}
	p.stopIdle()
	if p.finished != nil {
		<-p.finished
	}
	if p.pipe != nil {
		p.pipe.Close()
		p.pipe = nil
	}
	p.part.Drop()
	p.s.quota.release(p.taken)
	p.part, p.buf = nil, nil
	if p.err == nil {
		p.err = errors.New("store an artifact: it was committed or discarded before")
	}
}

// Reserve reserves space for n more bytes and returns how many of them fit in the
// store; these may then be written. Each byte counts as copies bytes: 2 if the caller
// also writes it to a file of its own in the store, which is not Shared. If
// Options.MaxSize is 0 all fit.
func (p *Pending) Reserve(n int64, copies int) int64 {
	if p.s.quota.limit == 0 {
		return n
	}
	n = p.s.quota.reserve(n, int64(copies))
	p.room += n
	p.taken += n
	return n
}

// admit reports whether n more bytes may be written, reserved or not.
func (p *Pending) admit(n int64) error {
	if p.s.quota.limit == 0 {
		return nil
	}
	if missing := n - p.room; missing > 0 && p.Reserve(missing, 1) < missing {
		return ErrFull
	}
	p.room -= n
	return nil
}

// sent reports a committed object to the Sender, unless it was fetched.
func (p *Pending) sent() {
	if p.s.sender != nil && !p.fetched {
		p.s.sender.Send(digestPrefix+p.name, p.size)
	}
}

// fail keeps an error and drops the object.
func (p *Pending) fail(err error) error {
	p.err = fmt.Errorf("store an artifact in %q: %w", p.s.dir, err)
	p.discard()
	return p.err
}

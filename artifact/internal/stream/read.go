package stream

import (
	"hash"
	"io"
)

// How far a Reader is ahead of whoever reads from it.
const (
	aheadSize  = 256 << 10 // bytes of a block
	aheadCount = 4         // blocks
)

// A Reader reads and hashes what another goroutine then takes.
type Reader struct {
	blocks, free chan []byte
	stop         chan struct{} // closed when no more is wanted
	now          []byte        // the unread rest of the current block
	hand         []byte        // all of it
	err          error         // how the reading ended; valid once blocks is closed
}

// NewReader begins to read r, and to hash it to h.
func NewReader(r io.Reader, h hash.Hash) *Reader {
	a := &Reader{
		blocks: make(chan []byte, aheadCount),
		free:   make(chan []byte, aheadCount),
		stop:   make(chan struct{}),
	}
	for range aheadCount {
		a.free <- nil
	}
	go a.run(r, h)
	return a
}

func (a *Reader) run(r io.Reader, h hash.Hash) {
	defer close(a.blocks)
	for a.err == nil {
		var b []byte
		select {
		case b = <-a.free:
		case <-a.stop:
			return
		}
		if b == nil {
			b = make([]byte, aheadSize)
		}
		var n int
		n, a.err = r.Read(b[:aheadSize])
		h.Write(b[:n])
		if n > 0 {
			a.blocks <- b[:n]
		}
	}
}

// Read returns io.EOF, or the error of the underlying reader, after the last byte.
func (a *Reader) Read(b []byte) (int, error) {
	if len(a.now) == 0 {
		if a.hand != nil {
			a.free <- a.hand
		}
		var more bool
		if a.hand, more = <-a.blocks; !more {
			return 0, a.err
		}
		a.now = a.hand
	}
	n := copy(b, a.now)
	a.now = a.now[n:]
	return n, nil
}

// Close ends the reading and waits until nothing is read any more.
func (a *Reader) Close() {
	close(a.stop)
	for range a.blocks {
	}
}

package artifact

import (
	"hash"
	"io"
	"sync/atomic"
)

// A pipe has at most bufferCount buffers of bufferSize bytes on their way to
// the disk: 256 KiB stay in the processor's cache, and are enough that neither
// side waits for the other's every write.
const (
	bufferSize  = 64 << 10
	bufferCount = 4
)

// A pipe hashes and writes buffers in a goroutine of its own.
type pipe struct {
	full, free chan []byte
	done       chan struct{}
	made       int
	err        atomic.Pointer[error]
}

func newPipe(w io.Writer, h hash.Hash) *pipe {
	p := &pipe{
		full: make(chan []byte, bufferCount),
		free: make(chan []byte, bufferCount),
		done: make(chan struct{}),
		made: 1,
	}
	go p.run(w, h)
	return p
}

func (p *pipe) run(w io.Writer, h hash.Hash) {
	defer close(p.done)
	for b := range p.full {
		if p.err.Load() == nil {
			h.Write(b)
			if _, err := w.Write(b); err != nil {
				p.err.Store(&err)
			}
		}
		p.free <- b[:0]
	}
}

// swap takes a full buffer and returns an empty one. It waits while all
// buffers are on their way. An error is that of an earlier buffer.
func (p *pipe) swap(b []byte) ([]byte, error) {
	p.full <- b
	if err := p.err.Load(); err != nil {
		return nil, *err
	}
	select {
	case b = <-p.free:
		return b, nil
	default:
	}
	if p.made < bufferCount {
		p.made++
		return make([]byte, 0, bufferSize), nil
	}
	return <-p.free, nil
}

// close waits for the last buffer and returns the first error.
func (p *pipe) close() error {
	close(p.full)
	<-p.done
	if err := p.err.Load(); err != nil {
		return *err
	}
	return nil
}

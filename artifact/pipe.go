package artifact

import (
	"hash"
	"sync/atomic"
)

// A pipe has at most bufferCount buffers of bufferSize bytes on their way to
// the disk: little enough to stay in the processor's cache, and enough that no
// stage waits for another's every step.
const (
	bufferSize  = 64 << 10
	bufferCount = 8
)

// flushStep is how many bytes are written before the system is asked to bring
// them to the disk. The final sync then finds little left to do, which is half
// of the time that a large object takes.
const flushStep = 8 << 20

// A pipe hashes buffers in one goroutine and writes them in the next, so that
// neither the processor nor the disk waits for the other.
type pipe struct {
	full, hashed, free chan []byte
	done               chan struct{}
	made               int
	err                atomic.Pointer[error]
}

func newPipe(f file, h hash.Hash, flush bool) *pipe {
	p := &pipe{
		full:   make(chan []byte, bufferCount),
		hashed: make(chan []byte, bufferCount),
		free:   make(chan []byte, bufferCount),
		done:   make(chan struct{}),
		made:   1,
	}
	go p.hash(h)
	go p.write(f, flush)
	return p
}

func (p *pipe) hash(h hash.Hash) {
	defer close(p.hashed)
	for b := range p.full {
		h.Write(b)
		p.hashed <- b
	}
}

func (p *pipe) write(f file, flush bool) {
	defer close(p.done)
	var size, flushed int64
	for b := range p.hashed {
		if p.err.Load() == nil {
			if _, err := f.Write(b); err != nil {
				p.err.Store(&err)
			}
		}
		size += int64(len(b))
		if flush && size-flushed >= flushStep {
			f.StartSync(flushed, size-flushed)
			flushed = size
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

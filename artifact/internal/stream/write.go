// Package stream hashes bytes in one goroutine while another one writes or reads them.
package stream

import (
	"errors"
	"hash"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// A Writer has at most bufferCount buffers of BufferSize bytes on their way to
// the disk: little enough to stay in the processor's cache, and enough that no
// stage waits for another's every step. Where largeStep bytes come within
// largeWithin, the buffers are of largeSize bytes from then on, and largeCount
// of them: few calls for many bytes. Slow output has small ones, so that what
// follows it sees it soon.
const (
	BufferSize  = 64 << 10
	bufferCount = 8
	largeStep   = 8 << 20
	largeWithin = time.Second
	largeSize   = 512 << 10
	largeCount  = 3
)

// flushStep is how many bytes are written before the system is asked to bring
// them to the disk. The final sync then finds little left to do, which is half
// of the time that a large object takes.
const flushStep = 8 << 20

// A Writer hashes buffers in one goroutine and writes them in the next, so that
// neither the processor nor the disk waits for the other.
type Writer struct {
	full, hashed, free chan []byte
	done               chan struct{}
	made               int // buffers there are
	pace               pace
	err                atomic.Pointer[error]
}

// A pace says how fast bytes come.
type pace struct {
	now   func() time.Time
	bytes int64 // since begun
	begun time.Time
	fast  bool // the last step was
}

// add counts bytes, and looks at the clock after every step of them.
func (p *pace) add(n int) {
	if p.bytes += int64(n); p.bytes < largeStep {
		return
	}
	now := p.now()
	p.fast = now.Sub(p.begun) < largeWithin
	p.bytes, p.begun = 0, now
}

// Options say how the bytes are written.
type Options struct {
	Sync    bool  // a sync will follow
	Direct  bool  // large buffers go past the page cache
	Written bool  // the bytes are in the file before they come here
	From    int64 // bytes of the file that precede the first buffer
}

// NewWriter begins to write to f, from o.From on, and to h.
func NewWriter(f filesys.File, h hash.Hash, now func() time.Time, o Options) *Writer {
	p := &Writer{
		full:   make(chan []byte, bufferCount),
		hashed: make(chan []byte, bufferCount),
		free:   make(chan []byte, bufferCount),
		done:   make(chan struct{}),
		made:   1,
		pace:   pace{now: now, begun: now()},
	}
	go p.hash(h)
	go p.write(&drain{f: f, Options: o, written: o.From, flushed: o.From})
	return p
}

func (p *Writer) hash(h hash.Hash) {
	defer close(p.hashed)
	for b := range p.full {
		h.Write(b)
		p.hashed <- b
	}
}

func (p *Writer) write(d *drain) {
	defer close(p.done)
	for b := range p.hashed {
		if p.err.Load() == nil {
			if err := d.write(b); err != nil {
				p.err.Store(&err)
			}
		}
		p.free <- b[:0]
	}
	d.end()
}

// Swap takes a full buffer and returns an empty one. It waits while all buffers are on
// their way. It returns errors of earlier buffers.
func (p *Writer) Swap(b []byte) ([]byte, error) {
	p.pace.add(len(b))
	p.full <- b
	if err := p.err.Load(); err != nil {
		return nil, *err
	}
	size, count := BufferSize, bufferCount
	if p.pace.fast {
		size, count = largeSize, largeCount
	}
	for {
		select {
		case b = <-p.free:
		default:
			if p.made < count {
				p.made++
				return NewBuffer(size), nil
			}
			b = <-p.free
		}
		if cap(b) == size {
			return b, nil
		}
		p.made-- // of the other size
	}
}

// PageSize is the alignment of buffers that the disk can read without the page cache.
const PageSize = 4 << 10

// NewBuffer makes an empty buffer for size bytes, which a Writer takes.
func NewBuffer(size int) []byte {
	b := make([]byte, size+PageSize)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (PageSize - 1)
	return b[skip : skip : skip+size]
}

// Close waits for the last buffer and returns the first error.
func (p *Writer) Close() error {
	close(p.full)
	<-p.done
	if err := p.err.Load(); err != nil {
		return *err
	}
	return nil
}

// A drain writes whole buffers to a new file, in the way that is fastest on its file
// system. Only a Writer uses it.
type drain struct {
	f filesys.File
	Options

	past    bool // large buffers go past the page cache now
	written int64
	flushed int64 // bytes that the system was asked to bring to the disk
}

// write writes a buffer, unless that was done before, and has the disk begin with it.
func (d *drain) write(b []byte) error {
	var err error
	if !d.Written {
		err = d.put(b)
	}
	d.written += int64(len(b))
	if d.Sync && !d.past && d.written-d.flushed >= flushStep {
		d.f.StartSync(d.flushed, d.written-d.flushed)
		d.flushed = d.written
	}
	return err
}

// put writes a buffer. Large ones go to the disk without a stop in the page cache: for
// a gibibyte that costs the processor a third, takes a third of the time, and leaves
// the cache to those who need it. A file system that does not want that gets them the
// usual way.
func (d *drain) put(b []byte) error {
	if d.past && len(b) < cap(b) {
		d.end() // less than whole pages
	}
	if d.Direct && !d.past && len(b) == largeSize && d.written%PageSize == 0 {
		d.past = d.f.SetDirect(true)
		d.Direct = d.past
	}
	n, err := d.f.Write(b)
	if err != nil && d.past && errors.Is(err, syscall.EINVAL) {
		d.end()
		d.Direct = false
		_, err = d.f.Write(b[n:])
	}
	return err
}

// end ends writes past the page cache, so that any number of bytes can be written.
func (d *drain) end() {
	if d.past {
		d.f.SetDirect(false)
		d.past = false
	}
}

package packed

import (
	"bytes"
	"compress/gzip"
	"errors"
	"hash/crc32"
	"io"
	"sort"
	"sync"
)

// A File is the file that a Reader reads.
type File interface {
	io.ReaderAt
	io.Closer
}

// A Reader reads a packed object as if it were plain. ReadAt may be
// called at any time.
type Reader struct {
	f       File
	damaged error
	frames  []frame // and one more, where the last one ends
	pos     int64   // of Read
	mu      sync.Mutex
	gzip    gzip.Reader
	at      int // the frame in plain; -1 before the first
	plain   []byte
	packed  []byte
}

// NewReader reads the table of a packed object of size bytes. The Reader returns the
// error damaged if a Writer did not write f.
func NewReader(f File, size int64, damaged error) (*Reader, error) {
	frames, err := readFrames(f, size, damaged)
	if err != nil {
		return nil, err
	}
	return &Reader{f: f, damaged: damaged, frames: frames, at: -1}, nil
}

// Size returns the length of the plain object.
func (p *Reader) Size() int64 { return p.frames[len(p.frames)-1].plain }

func (p *Reader) Read(b []byte) (int, error) {
	n, err := p.ReadAt(b, p.pos)
	p.pos += int64(n)
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// ReadAt implements io.ReaderAt.
func (p *Reader) ReadAt(b []byte, off int64) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for n < len(b) {
		if off >= p.Size() {
			return n, io.EOF
		}
		i := sort.Search(len(p.frames), func(i int) bool { return p.frames[i].plain > off }) - 1
		if err := p.unpack(i); err != nil {
			return n, err
		}
		k := copy(b[n:], p.plain[off-p.frames[i].plain:])
		n += k
		off += int64(k)
	}
	return n, nil
}

// unpack makes frame i the current one.
func (p *Reader) unpack(i int) error {
	if p.at == i {
		return nil
	}
	from, to := p.frames[i], p.frames[i+1]
	if need := int(to.packed - from.packed); cap(p.packed) < need {
		if need > 2*FrameSize {
			return p.damaged
		}
		p.packed = make([]byte, need)
	}
	p.packed = p.packed[:to.packed-from.packed]
	p.at = -1
	if _, err := p.f.ReadAt(p.packed, from.packed); err != nil {
		return err
	}
	if crc32.ChecksumIEEE(p.packed) != from.sum {
		return p.damaged
	}
	if err := p.gzip.Reset(bytes.NewReader(p.packed)); err != nil {
		return p.damaged
	}
	if p.plain == nil {
		p.plain = make([]byte, 0, min(FrameSize, p.Size())+1)
	}
	// One byte more, so that the end is seen and its checksum looked at.
	p.plain = p.plain[:to.plain-from.plain+1]
	n, err := io.ReadFull(&p.gzip, p.plain)
	if !errors.Is(err, io.ErrUnexpectedEOF) || n != len(p.plain)-1 {
		return p.damaged
	}
	p.plain, p.at = p.plain[:n], i
	return nil
}

// Close closes the file.
func (p *Reader) Close() error { return p.f.Close() }

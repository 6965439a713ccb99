package artifact

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"sync"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// A packed object is a sequence of gzip members (RFC 1952) of frameSize plain
// bytes each, the last one shorter, and then empty members whose extra field
// "EW" has a table of the frames: the length and the CRC-32 (IEEE) of each
// packed frame, and in the last of these members the number of frames and the
// plain length of the last one. Any gzip program unpacks it, and a range costs
// no more than the frames it touches. All numbers are little endian.
const (
	frameSize  = 256 << 10
	frameEntry = 8    // bytes of a frame in the table
	tableMax   = 8000 // frames in one member of the table, which has at most 64 KiB
	maxFrames  = 1 << 25

	tableHead  = "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff" // of a member with an extra field
	tableField = "EW"
	emptyTail  = "\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00" // of a member without content
	memberSize = len(tableHead) + 2 + len(tableField) + 2 + len(emptyTail)
	footerSize = memberSize + 8
)

// errZstd is of an object that an earlier build packed.
var errZstd = errors.New("packed with zstd by an earlier build")

// zstdError says how to read an object again that only zstd unpacks.
func (s *Store) zstdError(dir filesys.FS, name string) error {
	if _, err := dir.Lstat(name); err != nil {
		return err
	}
	file := filepath.Join(s.dir, filepath.FromSlash(objectName(path.Base(name))))
	return fmt.Errorf("%w: unpack it in its place with: zstd -d --rm %s", errZstd, file)
}

// errPacked means that a packed object's frames are not what they should be.
var errPacked error = packedError{}

type packedError struct{}

func (packedError) Error() string { return "the packed file is damaged" }

// Unwrap says that the object is corrupt.
func (packedError) Unwrap() error { return ErrCorrupt }

// A frame is where a frame begins, packed and plain, and the checksum of its
// packed bytes.
type frame struct {
	packed, plain int64
	sum           uint32
}

// A packedReader reads a packed object as if it were plain. ReadAt may be
// called at any time.
type packedReader struct {
	f      filesys.File
	frames []frame // and one more, where the last one ends
	pos    int64   // of Read
	mu     sync.Mutex
	gzip   gzip.Reader
	at     int // the frame in plain; -1 is none
	plain  []byte
	packed []byte
}

// newPackedReader reads the table of a packed object of size bytes.
func newPackedReader(f filesys.File, size int64) (*packedReader, error) {
	frames, err := readFrames(f, size)
	if err != nil {
		return nil, err
	}
	return &packedReader{f: f, frames: frames, at: -1}, nil
}

// readFrames reads the table at the end of a packed object. Whatever in it is
// not as the packer writes it is damage.
func readFrames(f io.ReaderAt, size int64) ([]frame, error) {
	if size < int64(footerSize) {
		return nil, errPacked
	}
	var footer [footerSize]byte
	if _, err := f.ReadAt(footer[:], size-int64(footerSize)); err != nil {
		return nil, err
	}
	numbers := footer[footerSize-len(emptyTail)-8:]
	count, last := int64(binary.LittleEndian.Uint32(numbers)), binary.LittleEndian.Uint32(numbers[4:])
	members := (count + tableMax - 1) / tableMax
	length := count*frameEntry + members*int64(memberSize) + int64(footerSize)
	if count > maxFrames || length > size || last > frameSize {
		return nil, errPacked
	}
	written := make([]byte, length)
	if _, err := f.ReadAt(written, size-length); err != nil {
		return nil, err
	}
	table := make([]byte, 0, count*frameEntry)
	for b := written[:length-int64(footerSize)]; len(b) > 0; {
		n := min(tableMax*frameEntry, len(b)-memberSize)
		table = append(table, b[memberSize-len(emptyTail):][:n]...)
		b = b[memberSize+n:]
	}
	if !bytes.Equal(written, appendTable(nil, table, last)) {
		return nil, errPacked
	}
	return parseFrames(table, last, size-length)
}

// parseFrames adds up the entries of a table; the frames take all of the bytes
// before it.
func parseFrames(table []byte, last uint32, before int64) ([]frame, error) {
	frames := make([]frame, 0, len(table)/frameEntry+1)
	var at frame
	for ; len(table) > 0; table = table[frameEntry:] {
		at.sum = binary.LittleEndian.Uint32(table[4:])
		frames = append(frames, at)
		at.packed += int64(binary.LittleEndian.Uint32(table))
		at.plain += frameSize
	}
	if len(frames) > 0 {
		at.plain += int64(last) - frameSize
	}
	if at.packed != before {
		return nil, errPacked
	}
	return append(frames, at), nil
}

// size returns the length of the plain object.
func (p *packedReader) size() int64 { return p.frames[len(p.frames)-1].plain }

func (p *packedReader) Read(b []byte) (int, error) {
	n, err := p.ReadAt(b, p.pos)
	p.pos += int64(n)
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (p *packedReader) ReadAt(b []byte, off int64) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for n < len(b) {
		if off >= p.size() {
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
func (p *packedReader) unpack(i int) error {
	if p.at == i {
		return nil
	}
	from, to := p.frames[i], p.frames[i+1]
	if need := int(to.packed - from.packed); cap(p.packed) < need {
		if need > 2*frameSize {
			return errPacked
		}
		p.packed = make([]byte, need)
	}
	p.packed = p.packed[:to.packed-from.packed]
	p.at = -1
	if _, err := p.f.ReadAt(p.packed, from.packed); err != nil {
		return err
	}
	if crc32.ChecksumIEEE(p.packed) != from.sum {
		return errPacked
	}
	if err := p.gzip.Reset(bytes.NewReader(p.packed)); err != nil {
		return errPacked
	}
	if p.plain == nil {
		p.plain = make([]byte, 0, min(frameSize, p.size())+1)
	}
	// One byte more, so that the end is seen and its checksum looked at.
	p.plain = p.plain[:to.plain-from.plain+1]
	n, err := io.ReadFull(&p.gzip, p.plain)
	if !errors.Is(err, io.ErrUnexpectedEOF) || n != len(p.plain)-1 {
		return errPacked
	}
	p.plain, p.at = p.plain[:n], i
	return nil
}

func (p *packedReader) Close() error { return p.f.Close() }

// packLevel is the level of compress/flate with the best ratio of those that
// pack logs and sources at 50 MB/s or more.
const packLevel = 4

// A packer writes a packed object.
type packer struct {
	w       io.Writer
	gzip    *gzip.Writer
	table   []byte // of the frames
	last    uint32 // plain length of the last frame
	packed  bytes.Buffer
	written int64
}

func newPacker(w io.Writer) *packer {
	p := &packer{w: w}
	p.gzip, _ = gzip.NewWriterLevel(nil, packLevel) // fails only where there is no such level
	return p
}

// frame packs at most frameSize bytes. Only the last frame may have fewer.
func (p *packer) frame(plain []byte) error {
	p.packed.Reset()
	p.gzip.Reset(&p.packed)
	_, err := p.gzip.Write(plain)
	if err = errors.Join(err, p.gzip.Close()); err != nil {
		return err
	}
	p.table = binary.LittleEndian.AppendUint32(p.table, uint32(p.packed.Len()))
	p.table = binary.LittleEndian.AppendUint32(p.table, crc32.ChecksumIEEE(p.packed.Bytes()))
	p.last = uint32(len(plain))
	n, err := p.w.Write(p.packed.Bytes())
	p.written += int64(n)
	return err
}

// finish writes the table.
func (p *packer) finish() error {
	n, err := p.w.Write(appendTable(nil, p.table, p.last))
	p.written += int64(n)
	return err
}

// appendTable appends the members that hold a table of frames.
func appendTable(b, table []byte, last uint32) []byte {
	count := uint32(len(table) / frameEntry)
	for some := range slices.Chunk(table, tableMax*frameEntry) {
		b = appendTableMember(b, some)
	}
	footer := binary.LittleEndian.AppendUint32(nil, count)
	return appendTableMember(b, binary.LittleEndian.AppendUint32(footer, last))
}

// appendTableMember appends a gzip member that has only an extra field.
func appendTableMember(b, field []byte) []byte {
	b = append(b, tableHead...)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(tableField)+2+len(field)))
	b = append(b, tableField...)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(field)))
	b = append(b, field...)
	return append(b, emptyTail...)
}

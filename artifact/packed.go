package artifact

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"sort"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A packed object is a sequence of zstd frames of frameSize plain bytes each,
// the last one shorter, and two skippable frames: the CRC-32 (IEEE) of every
// packed frame, and a seek table as the Zstandard Seekable Format
// (contrib/seekable_format of zstd) has it. Any zstd program unpacks it, and a
// range costs no more than the frames it touches. All numbers are little
// endian.
const (
	frameSize = 256 << 10

	sumsMagic    = 0x184D2A50 // of the frame with the checksums
	seekMagic    = 0x184D2A5E // of the frame with the seek table
	skipHead     = 8          // magic and length of a skippable frame
	seekFooter   = 0x8F92EAB1 // last four bytes of the file
	seekEntry    = 8          // compressed and plain size of a frame
	seekTail     = 9          // number of frames, descriptor, seekFooter
	maxSeekTable = 1 << 28    // bytes
)

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
	f       file
	frames  []frame // and one more, where the last one ends
	pos     int64   // of Read
	mu      sync.Mutex
	decoder *zstd.Decoder
	at      int // the frame in plain; -1 is none
	plain   []byte
	packed  []byte
}

// newPackedReader reads the seek table of a packed object of size bytes.
func newPackedReader(f file, size int64) (*packedReader, error) {
	frames, err := readSeekTable(f, size)
	if err != nil {
		return nil, err
	}
	return &packedReader{f: f, frames: frames, at: -1}, nil
}

func readSeekTable(f io.ReaderAt, size int64) ([]frame, error) {
	var tail [seekTail]byte
	if size < seekTail+skipHead {
		return nil, errPacked
	}
	if _, err := f.ReadAt(tail[:], size-seekTail); err != nil {
		return nil, err
	}
	count := int64(binary.LittleEndian.Uint32(tail[:]))
	length := 2*skipHead + count*(4+seekEntry) + seekTail
	if binary.LittleEndian.Uint32(tail[5:]) != seekFooter || tail[4] != 0 || length > min(size, maxSeekTable) {
		return nil, errPacked
	}
	table := make([]byte, length)
	if _, err := f.ReadAt(table, size-length); err != nil {
		return nil, err
	}
	sums, rest, ok := cutSkippable(table, sumsMagic, count*4)
	if !ok {
		return nil, errPacked
	}
	seek, _, ok := cutSkippable(rest, seekMagic, count*seekEntry+seekTail)
	if !ok {
		return nil, errPacked
	}
	return parseFrames(seek[:count*seekEntry], sums, size-length)
}

// cutSkippable cuts a skippable frame of a known kind and length off b.
func cutSkippable(b []byte, magic uint32, length int64) (text, rest []byte, ok bool) {
	if binary.LittleEndian.Uint32(b) != magic || int64(binary.LittleEndian.Uint32(b[4:])) != length {
		return nil, nil, false
	}
	b = b[skipHead:]
	return b[:length], b[length:], true
}

// parseFrames adds up the entries of a seek table; the frames take all of the
// bytes before it.
func parseFrames(table, sums []byte, before int64) ([]frame, error) {
	frames := make([]frame, 0, len(table)/seekEntry+1)
	var at frame
	for ; len(table) > 0; table, sums = table[seekEntry:], sums[4:] {
		at.sum = binary.LittleEndian.Uint32(sums)
		frames = append(frames, at)
		plain := binary.LittleEndian.Uint32(table[4:])
		if plain > frameSize {
			return nil, errPacked
		}
		at.packed += int64(binary.LittleEndian.Uint32(table))
		at.plain += int64(plain)
	}
	if at.packed != before {
		return nil, errPacked
	}
	return append(frames, at), nil
}

// size is the length of the plain object.
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
	if p.decoder == nil {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2*frameSize))
		if err != nil {
			return err
		}
		p.decoder = d
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
	plain, err := p.decoder.DecodeAll(p.packed, p.plain[:0])
	if err != nil || int64(len(plain)) != to.plain-from.plain {
		return errPacked
	}
	p.plain, p.at = plain, i
	return nil
}

func (p *packedReader) Close() error {
	if p.decoder != nil {
		p.decoder.Close()
	}
	return p.f.Close()
}

// A packer writes a packed object.
type packer struct {
	w       io.Writer
	encoder *zstd.Encoder
	table   []byte // of the seek table
	sums    []byte // of the packed frames
	packed  []byte
	written int64
}

func newPacker(w io.Writer) (*packer, error) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(frameSize))
	return &packer{w: w, encoder: e}, err
}

// frame packs at most frameSize bytes.
func (p *packer) frame(plain []byte) error {
	p.packed = p.encoder.EncodeAll(plain, p.packed[:0])
	p.table = binary.LittleEndian.AppendUint32(p.table, uint32(len(p.packed)))
	p.table = binary.LittleEndian.AppendUint32(p.table, uint32(len(plain)))
	p.sums = binary.LittleEndian.AppendUint32(p.sums, crc32.ChecksumIEEE(p.packed))
	p.written += int64(len(p.packed))
	_, err := p.w.Write(p.packed)
	return err
}

// finish writes the checksums and the seek table.
func (p *packer) finish() error {
	defer p.encoder.Close()
	b := appendSkippable(nil, sumsMagic, len(p.sums))
	b = append(b, p.sums...)
	b = appendSkippable(b, seekMagic, len(p.table)+seekTail)
	b = append(b, p.table...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(p.table)/seekEntry))
	b = append(b, 0)
	b = binary.LittleEndian.AppendUint32(b, seekFooter)
	p.written += int64(len(b))
	_, err := p.w.Write(b)
	return err
}

// appendSkippable adds the head of a skippable frame.
func appendSkippable(b []byte, magic uint32, length int) []byte {
	b = binary.LittleEndian.AppendUint32(b, magic)
	return binary.LittleEndian.AppendUint32(b, uint32(length))
}

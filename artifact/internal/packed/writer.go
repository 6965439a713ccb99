package packed

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// packLevel is the level of compress/flate with the best ratio of those that
// pack logs and sources at 50 MB/s or more.
const packLevel = 4

// A Writer writes a packed object.
type Writer struct {
	w       io.Writer
	gzip    *gzip.Writer
	table   []byte // of the frames
	last    uint32 // plain length of the last frame
	packed  bytes.Buffer
	written int64
}

// NewWriter returns a Writer to w. Its caller calls Frame for each frame, then Finish.
func NewWriter(w io.Writer) *Writer {
	p := &Writer{w: w}
	p.gzip, _ = gzip.NewWriterLevel(nil, packLevel) // fails only where there is no such level
	return p
}

// Frame packs at most FrameSize bytes. Only the last frame may have fewer.
func (p *Writer) Frame(plain []byte) error {
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

// Finish writes the table.
func (p *Writer) Finish() error {
	n, err := p.w.Write(appendTable(nil, p.table, p.last))
	p.written += int64(n)
	return err
}

// Written returns how many bytes were written to w.
func (p *Writer) Written() int64 { return p.written }

// Package packed reads and writes packed objects.
//
// A packed object is a sequence of gzip members (RFC 1952) of FrameSize plain
// bytes each, the last one shorter, and then empty members whose extra field
// "EW" has a table of the frames: the length and the CRC-32 (IEEE) of each
// packed frame, and in the last of these members the number of frames and the
// plain length of the last one. Any gzip program unpacks it, and a range costs
// no more than the frames it touches. All numbers are little endian.
package packed

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
)

const (
	FrameSize  = 256 << 10 // bytes that a frame unpacks to, but for the last one
	frameEntry = 8         // bytes of a frame in the table
	tableMax   = 8000      // frames in one member of the table, which has at most 64 KiB
	maxFrames  = 1 << 25

	tableHead  = "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff" // of a member with an extra field
	tableField = "EW"
	emptyTail  = "\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00" // of a member without content
	memberSize = len(tableHead) + 2 + len(tableField) + 2 + len(emptyTail)
	footerSize = memberSize + 8
)

// A frame is where a frame begins, packed and plain, and the checksum of its
// packed bytes.
type frame struct {
	packed, plain int64
	sum           uint32
}

// readFrames reads the table at the end of a packed object. Any difference from the
// Writer's form is damage.
func readFrames(f io.ReaderAt, size int64, damaged error) ([]frame, error) {
	if size < int64(footerSize) {
		return nil, damaged
	}
	var footer [footerSize]byte
	if _, err := f.ReadAt(footer[:], size-int64(footerSize)); err != nil {
		return nil, err
	}
	numbers := footer[footerSize-len(emptyTail)-8:]
	count, last := int64(binary.LittleEndian.Uint32(numbers)), binary.LittleEndian.Uint32(numbers[4:])
	members := (count + tableMax - 1) / tableMax
	length := count*frameEntry + members*int64(memberSize) + int64(footerSize)
	if count > maxFrames || length > size || last > FrameSize {
		return nil, damaged
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
		return nil, damaged
	}
	return parseFrames(table, last, size-length, damaged)
}

// parseFrames adds up the entries of a table; the frames take all of the bytes
// before it.
func parseFrames(table []byte, last uint32, before int64, damaged error) ([]frame, error) {
	frames := make([]frame, 0, len(table)/frameEntry+1)
	var at frame
	for ; len(table) > 0; table = table[frameEntry:] {
		at.sum = binary.LittleEndian.Uint32(table[4:])
		frames = append(frames, at)
		at.packed += int64(binary.LittleEndian.Uint32(table))
		at.plain += FrameSize
	}
	if len(frames) > 0 {
		at.plain += int64(last) - FrameSize
	}
	if at.packed != before {
		return nil, damaged
	}
	return append(frames, at), nil
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

package tarball

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// extraLimit is the most that a long name or a pax header may have, in bytes.
const extraLimit = 1 << 20

// Types of entries that say something of the next one, and no more.
const (
	typeLongName = 'L' // GNU
	typeLongLink = 'K' // GNU
	typePax      = 'x'
	typePaxAll   = 'g' // for all that follow; names no file of ours
)

// A Reader reads an archive from its beginning to its end. Memory is bounded
// by 1 MiB whatever the archive says. It is not safe for concurrent use.
type Reader struct {
	r    io.Reader
	left int64 // of the current entry's content
	pad  int64 // behind it
	err  error // the first that happened
}

// NewReader returns a Reader on r, which is read in the units that the caller
// of Read asks for.
func NewReader(r io.Reader) *Reader { return &Reader{r: r} }

// Next passes over the rest of the entry before and returns the next one's
// header, or [io.EOF] behind the last. Other errors wrap [ErrFormat],
// [io.ErrUnexpectedEOF], or are those of the reader below.
func (t *Reader) Next() (*Header, error) {
	if t.err != nil {
		return nil, t.err
	}
	h, err := t.next()
	if err != nil {
		t.err = err
	}
	return h, err
}

// Read reads content of the current entry, and ends with [io.EOF].
func (t *Reader) Read(p []byte) (int, error) {
	switch {
	case t.err != nil && !errors.Is(t.err, io.EOF):
		return 0, t.err
	case t.left == 0:
		return 0, io.EOF
	}
	n, err := t.r.Read(p[:min(int64(len(p)), t.left)])
	t.left -= int64(n)
	if errors.Is(err, io.EOF) && t.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err != nil {
		t.err = err
	}
	return n, err
}

// next puts together what the headers in front of an entry say of it.
func (t *Reader) next() (*Header, error) {
	var said extra
	for {
		h, err := t.header()
		if err != nil {
			return nil, err
		}
		switch h.Type {
		case typeLongName:
			name, err := t.extra()
			if err != nil {
				return nil, err
			}
			said.name = cString(name)
		case typePax:
			records, err := t.extra()
			if err != nil {
				return nil, err
			}
			if err := said.read(records); err != nil {
				return nil, err
			}
		case typeLongLink, typePaxAll:
		default:
			return t.enter(said.apply(h))
		}
	}
}

// enter makes the content of an entry what Read reads.
func (t *Reader) enter(h *Header) (*Header, error) {
	switch {
	case h.Type == 0 && strings.HasSuffix(h.Name, "/"):
		h.Type = TypeDir
	case h.Type == 0 || h.Type == '7': // contiguous files are files
		h.Type = TypeFile
	}
	if h.Type >= '1' && h.Type <= '6' { // links, devices and directories have a size and no content
		h.Size = 0
	}
	t.left, t.pad = h.Size, padding(h.Size)
	return h, nil
}

// header reads the next block that is one.
func (t *Reader) header() (*Header, error) {
	if err := t.skip(); err != nil {
		return nil, err
	}
	var b block
	if _, err := io.ReadFull(t.r, b[:]); err != nil {
		return nil, err // io.EOF: some programs leave the blocks of zeros out
	}
	if b == (block{}) {
		return nil, io.EOF
	}
	h, err := b.header()
	if err != nil {
		return nil, err
	}
	t.left, t.pad = h.Size, padding(h.Size)
	return h, nil
}

// skip passes over what is left of an entry.
func (t *Reader) skip() error {
	n, err := io.CopyN(io.Discard, t.r, t.left)
	if err == nil {
		t.left = 0
		_, err = io.CopyN(io.Discard, t.r, t.pad)
		t.pad = 0
	} else {
		t.left -= n
	}
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// extra reads the content of an entry that speaks of the next one.
func (t *Reader) extra() ([]byte, error) {
	if t.left > extraLimit {
		return nil, fmt.Errorf("%w: a header of %d bytes", ErrFormat, t.left)
	}
	return io.ReadAll(t)
}

func (b *block) header() (*Header, error) {
	unsigned, signed := b.sum()
	if sum, ok := number(b.at(fieldSum)); !ok || sum != unsigned && sum != signed {
		return nil, fmt.Errorf("%w: the checksum of a header is wrong", ErrFormat)
	}
	size, ok := number(b.at(fieldSize))
	if !ok || size > math.MaxInt64-blockSize {
		return nil, fmt.Errorf("%w: a size is no number", ErrFormat)
	}
	mode, _ := number(b.at(fieldMode))
	seconds, _ := number(b.at(fieldTime))
	h := &Header{
		Name: cString(b.at(fieldName)), Type: b.at(fieldType)[0],
		Mode: mode, Size: size, Modified: time.Unix(seconds, 0),
	}
	if prefix := cString(b.at(fieldPrefix)); prefix != "" && bytes.HasPrefix(b.at(fieldMagic), []byte(magicUstar[:6])) {
		h.Name = prefix + "/" + h.Name
	}
	return h, nil
}

// extra is what headers before an entry say of it.
type extra struct {
	name    string
	size    int64
	hasSize bool
}

func (e *extra) apply(h *Header) *Header {
	if e.name != "" {
		h.Name = e.name
	}
	if e.hasSize {
		h.Size = e.size
	}
	return h
}

// read reads pax records, "LENGTH key=value\n" with the length of the whole.
func (e *extra) read(records []byte) error {
	for len(records) > 0 {
		length, rest, ok := bytes.Cut(records, []byte{' '})
		n, digits := decimal(length)
		if !ok || !digits || n <= int64(len(length))+1 || n > int64(len(records)) || records[n-1] != '\n' {
			return fmt.Errorf("%w: a pax record is damaged", ErrFormat)
		}
		key, value, _ := bytes.Cut(rest[:n-int64(len(length))-2], []byte{'='})
		switch string(key) {
		case "path":
			e.name = string(value)
		case "size":
			if e.size, e.hasSize = decimal(value); !e.hasSize || e.size > math.MaxInt64-blockSize {
				return fmt.Errorf("%w: a size is no number", ErrFormat)
			}
		}
		records = records[n:]
	}
	return nil
}

// cString is what stands before the first NUL.
func cString(b []byte) string {
	before, _, _ := bytes.Cut(b, []byte{0})
	return string(before)
}

// number reads octal digits between blanks and NULs, or GNU's base 256. A
// field of blanks is 0; a negative number is none.
func number(field []byte) (int64, bool) {
	if field[0]&0x80 != 0 {
		return base256(field)
	}
	var n int64
	for _, c := range bytes.Trim(field, " \x00") {
		if c < '0' || c > '7' || n > math.MaxInt64>>3 {
			return 0, false
		}
		n = n<<3 | int64(c-'0')
	}
	return n, true
}

func base256(field []byte) (int64, bool) {
	n := int64(field[0] & 0x7f)
	for _, c := range field[1:] {
		if n > math.MaxInt64>>8 {
			return 0, false
		}
		n = n<<8 | int64(c)
	}
	return n, true
}

func decimal(digits []byte) (int64, bool) {
	var n int64
	for _, c := range digits {
		if c < '0' || c > '9' || n > (math.MaxInt64-9)/10 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, len(digits) > 0
}

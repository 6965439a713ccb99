package artifact

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// Archives are in the format of POSIX.1-1988 (ustar), which each tar program
// reads: a header of one block for each entry, then its bytes, filled up to whole
// blocks, and two blocks of zeros at the end. archive/tar is not used, since it
// imports os/user, which links the C library where cgo is on: each start of the
// program would take 0.7 ms longer.
const (
	tarBlock     = 512
	tarRecordMax = 1 << 20 // bytes of an extended header or a long name

	tarRegular   = '0'
	tarDirectory = '5'
)

// The fields of a header are at these offsets. Numbers are octal digits; one that
// needs more of them is big endian, and its first bit is set, as GNU tar has it.
const (
	tarName     = 0
	tarMode     = 100
	tarUID      = 108
	tarGID      = 116
	tarSize     = 124
	tarModified = 136
	tarSum      = 148
	tarType     = 156
	tarMagic    = 257
	tarMajor    = 329
	tarMinor    = 337
	tarPrefix   = 345 // of the name, and a slash between
	tarExtended = 482 // of a sparse file: whether a block of its map follows
	tarPrefixed = 500
)

var (
	errTarHeader = errors.New("invalid tar header")
	tarEnd       = make([]byte, 2*tarBlock)
)

// A tarEntry is what is read or written of a header.
type tarEntry struct {
	name     string
	kind     byte // tarRegular, tarDirectory, or of what is neither
	mode     int64
	size     int64
	modified time.Time
}

// header returns the header of a regular file, whose name has at most 100 bytes.
func (e *tarEntry) header() *[tarBlock]byte {
	var b [tarBlock]byte
	copy(b[tarName:tarMode], e.name)
	putTarNumber(b[tarMode:tarUID], e.mode)
	putTarNumber(b[tarUID:tarGID], 0)
	putTarNumber(b[tarGID:tarSize], 0)
	putTarNumber(b[tarSize:tarModified], e.size)
	putTarNumber(b[tarModified:tarSum], max(0, e.modified.Unix()))
	b[tarType] = tarRegular
	copy(b[tarMagic:], "ustar\x0000")
	putTarNumber(b[tarMajor:tarMinor], 0)
	putTarNumber(b[tarMinor:tarPrefix], 0)
	unsigned, _ := tarSums(&b)
	copy(b[tarSum:], fmt.Sprintf("%06o\x00 ", unsigned))
	return &b
}

// putTarNumber writes a number that is not negative.
func putTarNumber(field []byte, n int64) {
	digits := len(field) - 1
	if s := fmt.Sprintf("%0*o", digits, n); len(s) == digits {
		copy(field, s)
		return
	}
	binary.BigEndian.PutUint64(field[len(field)-8:], uint64(n))
	field[0] |= 0x80
}

// tarNumber reads a number that is not negative.
func tarNumber(field []byte) (int64, error) {
	if field[0]&0x80 != 0 {
		var n uint64
		for i, c := range field {
			if i == 0 {
				c &= 0x7f
			}
			if n > math.MaxInt64>>8 {
				return 0, errTarHeader
			}
			n = n<<8 | uint64(c)
		}
		return int64(n), nil
	}
	text := tarText(bytes.Trim(field, " \x00"))
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 8, 63)
	if err != nil {
		return 0, errTarHeader
	}
	return int64(n), nil
}

// tarSums adds up a header, its checksum taken as spaces: POSIX says unsigned
// bytes, and some old programs added signed ones.
func tarSums(b *[tarBlock]byte) (unsigned, signed int64) {
	for i, c := range b {
		if tarSum <= i && i < tarType {
			c = ' '
		}
		unsigned += int64(c)
		signed += int64(int8(c))
	}
	return unsigned, signed
}

// tarText is a text up to its end or the first zero byte.
func tarText(field []byte) string {
	text, _, _ := strings.Cut(string(field), "\x00")
	return text
}

// A tarWriter writes regular files.
type tarWriter struct {
	w    io.Writer
	left int64 // bytes of the entry that did not come yet
	fill int64 // zeros that follow them
}

// next begins an entry. The one before it has to be complete.
func (t *tarWriter) next(e *tarEntry) error {
	if err := t.flush(); err != nil {
		return err
	}
	t.left, t.fill = e.size, -e.size&(tarBlock-1)
	_, err := t.w.Write(e.header()[:])
	return err
}

func (t *tarWriter) flush() error {
	if t.left > 0 {
		return fmt.Errorf("%d bytes of an entry are missing: %w", t.left, io.ErrUnexpectedEOF)
	}
	_, err := t.w.Write(tarEnd[:t.fill])
	t.fill = 0
	return err
}

func (t *tarWriter) Write(b []byte) (int, error) {
	if int64(len(b)) > t.left {
		return 0, errors.New("the entry is longer than its header says")
	}
	n, err := t.w.Write(b)
	t.left -= int64(n)
	return n, err
}

// close writes the end of the archive.
func (t *tarWriter) close() error {
	if err := t.flush(); err != nil {
		return err
	}
	_, err := t.w.Write(tarEnd)
	return err
}

// A tarReader reads archives of any tar program. The bytes of an entry are read
// from it until the next one.
type tarReader struct {
	r    io.Reader
	left int64 // bytes of the entry that were not read
	fill int64 // bytes that follow them, up to a whole block
}

// next passes to the next entry, io.EOF where there is none.
func (t *tarReader) next() (*tarEntry, error) {
	var name string // of the entry that follows a header which has only that, or its size
	size := int64(-1)
	for {
		b, err := t.header()
		if err != nil {
			return nil, err
		}
		switch b[tarType] {
		case 'x':
			if err := t.records(func(key, value string) error {
				switch key {
				case "path":
					name = value
				case "size":
					if size, err = strconv.ParseInt(value, 10, 64); err != nil || size < 0 {
						return errTarHeader
					}
				}
				return nil
			}); err != nil {
				return nil, err
			}
		case 'L':
			text, err := t.special()
			if err != nil {
				return nil, err
			}
			name = tarText(text)
		case 'g', 'K': // what holds for all entries; the target of a link
		default:
			return t.entry(b, name, size)
		}
	}
}

// entry makes an entry of its header and of what special headers said before it.
func (t *tarReader) entry(b *[tarBlock]byte, name string, size int64) (*tarEntry, error) {
	e := &tarEntry{name: name, kind: b[tarType], size: size}
	if e.name == "" {
		e.name = tarText(b[tarName:tarMode])
		if prefix := tarText(b[tarPrefix:tarPrefixed]); prefix != "" && string(b[tarMagic:tarMagic+6]) == "ustar\x00" {
			e.name = prefix + "/" + e.name
		}
	}
	if size >= 0 {
		t.take(size)
	}
	switch {
	case e.kind == 0 && strings.HasSuffix(e.name, "/"):
		e.kind = tarDirectory
	case e.kind == 0 || e.kind == '7':
		e.kind = tarRegular
	}
	switch e.kind {
	case '1', '2', '3', '4', tarDirectory, '6': // have no bytes, whatever is said of their size
		t.take(0)
	case 'S':
		if err := t.skipMap(b); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// header reads the header that follows the bytes of the entry.
func (t *tarReader) header() (*[tarBlock]byte, error) {
	if _, err := io.CopyN(io.Discard, t.r, t.left); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, t.r, t.fill); err != nil { // the last block need not be whole
		return nil, err
	}
	t.take(0)
	var b [tarBlock]byte
	if _, err := io.ReadFull(t.r, b[:]); err != nil {
		return nil, err
	}
	if b == [tarBlock]byte{} {
		switch _, err := io.ReadFull(t.r, b[:]); {
		case err != nil:
			return nil, err
		case b == [tarBlock]byte{}:
			return nil, io.EOF
		}
		return nil, errTarHeader
	}
	sum, err := tarNumber(b[tarSum:tarType])
	unsigned, signed := tarSums(&b)
	if err != nil || sum != unsigned && sum != signed {
		return nil, errTarHeader
	}
	size, err := tarNumber(b[tarSize:tarModified])
	t.take(size)
	return &b, err
}

// take makes size bytes those of the entry.
func (t *tarReader) take(size int64) { t.left, t.fill = size, -size&(tarBlock-1) }

// skipMap passes over the rest of the map of a sparse file of GNU tar.
func (t *tarReader) skipMap(b *[tarBlock]byte) error {
	for more := b[tarExtended]; more != 0; more = b[tarBlock-8] {
		if _, err := io.ReadFull(t.r, b[:]); err != nil {
			return io.ErrUnexpectedEOF
		}
	}
	return nil
}

// special reads the bytes of a header that says something of the next entry.
func (t *tarReader) special() ([]byte, error) {
	if t.left > tarRecordMax {
		return nil, errTarHeader
	}
	text := make([]byte, t.left)
	if _, err := io.ReadFull(t, text); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return text, nil
}

// records reads an extended header: lines "LENGTH KEY=VALUE", where the length
// is that of the whole line.
func (t *tarReader) records(found func(key, value string) error) error {
	text, err := t.special()
	for rest := string(text); err == nil && rest != ""; {
		digits, _, _ := strings.Cut(rest, " ")
		n, badLength := strconv.ParseUint(digits, 10, 31)
		if badLength != nil || int(n) > len(rest) || int(n) <= len(digits)+1 || rest[n-1] != '\n' {
			return errTarHeader
		}
		key, value, ok := strings.Cut(rest[len(digits)+1:n-1], "=")
		if !ok {
			return errTarHeader
		}
		err = found(key, value)
		rest = rest[n:]
	}
	return err
}

func (t *tarReader) Read(b []byte) (int, error) {
	if t.left == 0 {
		return 0, io.EOF
	}
	n, err := t.r.Read(b[:min(int64(len(b)), t.left)])
	t.left -= int64(n)
	if errors.Is(err, io.EOF) && t.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

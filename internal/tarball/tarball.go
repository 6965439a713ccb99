// Package tarball reads and writes tar archives of plain files.
//
// It exists for what it leaves out. The standard library's archive/tar links
// os/user, and os/user links the C library wherever a C compiler is there;
// loading that costs every start of the program more than half a millisecond,
// whether or not an archive is ever touched.
//
// What is written is ustar (POSIX.1-2001, pax, "ustar Interchange Format"), with
// sizes of 8 GiB and more in GNU's base-256 form. What is read is that, the
// older format of version 7, GNU's long names, and of pax headers the records
// path and size. Links, directories, devices and sparse files are shown with
// their type and without their content.
package tarball

import (
	"errors"
	"time"
)

// Types of entries.
const (
	TypeFile = '0' // a plain file; the NUL of old archives is read as this
	TypeDir  = '5'
)

// A Header describes one entry.
type Header struct {
	Name     string    // with slashes; at most 100 bytes to write
	Type     byte      // TypeFile to write
	Mode     int64     // permission bits
	Size     int64     // of the content, in bytes
	Modified time.Time // to the second
}

// ErrFormat is wrapped by what a Reader says of bytes that are no tar archive.
var ErrFormat = errors.New("not a tar archive, or a damaged one")

// Errors of a Writer whose caller does not keep to the size of the header.
var (
	errTooLong  = errors.New("tar: more content than the header says")
	errTooShort = errors.New("tar: less content than the header says")
	errName     = errors.New("tar: a name is empty, holds a NUL byte or is longer than 100 bytes")
	errSize     = errors.New("tar: a size is negative")
)

// blockSize is the unit of an archive, in bytes.
const blockSize = 512

// A field is a part of a header block, from and to in bytes.
type field struct{ from, to int }

// The fields of a header block (POSIX.1-2001, pax, table "ustar Header Block").
var (
	fieldName   = field{0, 100}
	fieldMode   = field{100, 108}
	fieldUID    = field{108, 116}
	fieldGID    = field{116, 124}
	fieldSize   = field{124, 136}
	fieldTime   = field{136, 148}
	fieldSum    = field{148, 156}
	fieldType   = field{156, 157}
	fieldMagic  = field{257, 265} // with the version
	fieldPrefix = field{345, 500}
)

const magicUstar = "ustar\x0000"

// A block is one header.
type block [blockSize]byte

func (b *block) at(f field) []byte { return b[f.from:f.to] }

// sum adds up the bytes of a header with its sum as blanks, once as unsigned
// and once as signed numbers: old programs did the latter.
func (b *block) sum() (unsigned, signed int64) {
	for i, c := range b {
		if i >= fieldSum.from && i < fieldSum.to {
			c = ' '
		}
		unsigned += int64(c)
		signed += int64(int8(c))
	}
	return unsigned, signed
}

// padding is what fills the last block of content of n bytes.
func padding(n int64) int64 { return -n & (blockSize - 1) }

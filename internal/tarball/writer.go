package tarball

import (
	"fmt"
	"io"
	"strings"
)

// A Writer writes an archive. It is not safe for concurrent use.
type Writer struct {
	w    io.Writer
	left int64 // of the current entry's content
	pad  int64 // behind it
	err  error // the first that happened; nothing is written after it
}

// NewWriter returns a Writer on w. Each header is one Write of 512 bytes, so w
// need not be buffered.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// WriteHeader ends the entry before and begins the next. Exactly h.Size bytes
// of content must follow.
func (t *Writer) WriteHeader(h *Header) error {
	if err := t.endEntry(); err != nil {
		return err
	}
	switch {
	case h.Size < 0:
		return t.fail(errSize)
	case h.Name == "" || len(h.Name) > fieldName.to-fieldName.from || strings.IndexByte(h.Name, 0) >= 0:
		return t.fail(errName)
	}
	var b block
	copy(b.at(fieldName), h.Name)
	b.at(fieldType)[0] = h.Type
	putOctal(b.at(fieldMode), h.Mode&0o7777)
	putOctal(b.at(fieldUID), 0)
	putOctal(b.at(fieldGID), 0)
	putSize(b.at(fieldSize), h.Size)
	putOctal(b.at(fieldTime), max(h.Modified.Unix(), 0))
	copy(b.at(fieldMagic), magicUstar)
	sum, _ := b.sum()
	putOctal(b.at(fieldSum)[:7], sum)
	b.at(fieldSum)[7] = ' '
	if err := t.write(b[:]); err != nil {
		return err
	}
	t.left, t.pad = h.Size, padding(h.Size)
	return nil
}

// Write writes content of the current entry.
func (t *Writer) Write(p []byte) (int, error) {
	if t.err != nil {
		return 0, t.err
	}
	if int64(len(p)) > t.left {
		return 0, t.fail(errTooLong)
	}
	n, err := t.w.Write(p)
	t.left -= int64(n)
	return n, t.fail(err)
}

// Close ends the archive. It does not close what is below.
func (t *Writer) Close() error {
	if err := t.endEntry(); err != nil {
		return err
	}
	return t.write(make([]byte, 2*blockSize))
}

func (t *Writer) endEntry() error {
	if t.err == nil && t.left > 0 {
		return t.fail(errTooShort)
	}
	pad := t.pad
	t.pad = 0
	return t.write(make([]byte, pad))
}

func (t *Writer) write(p []byte) error {
	if t.err != nil || len(p) == 0 {
		return t.err
	}
	_, err := t.w.Write(p)
	return t.fail(err)
}

// fail keeps the first error.
func (t *Writer) fail(err error) error {
	if t.err == nil {
		t.err = err
	}
	return err
}

// putOctal writes n with leading zeros and a NUL at the end.
func putOctal(dst []byte, n int64) { copy(dst, fmt.Sprintf("%0*o\x00", len(dst)-1, n)) }

// putSize writes octal digits where they are enough, else the number itself
// with its first bit set, as GNU tar does.
func putSize(dst []byte, n int64) {
	if n < 1<<33 {
		putOctal(dst, n)
		return
	}
	for i := len(dst) - 1; i >= 0; i-- {
		dst[i] = byte(n)
		n >>= 8
	}
	dst[0] |= 0x80
}

// Package limitbuf keeps the beginning of another program's output in memory.
package limitbuf

import "bytes"

// A Buffer keeps the first bytes that are written to it and discards the rest, so that
// its writer is never blocked. It does not implement io.ReaderFrom, which io.Copy, and
// so os/exec, would use to bypass the limit. It is not safe for concurrent use.
type Buffer struct {
	most int
	over bool
	kept bytes.Buffer
}

// NewBuffer returns a Buffer that keeps at most that many bytes.
func NewBuffer(most int) *Buffer { return &Buffer{most: most} }

// Write keeps as much of p as there is room for. It never fails.
func (b *Buffer) Write(p []byte) (int, error) {
	room := b.most - b.kept.Len()
	b.over = b.over || len(p) > room
	b.kept.Write(p[:min(len(p), room)])
	return len(p), nil
}

// Over reports whether more was written than is kept.
func (b *Buffer) Over() bool { return b.over }

// Bytes returns the kept bytes. The slice is valid until the next Write.
func (b *Buffer) Bytes() []byte { return b.kept.Bytes() }

// String returns the kept bytes as a string.
func (b *Buffer) String() string { return b.kept.String() }

// Package capped keeps the beginning of what another program prints, within a limit.
package capped

import "bytes"

// A Buffer keeps the first bytes that are written to it, and takes all: its writer is
// never held up. It is no io.ReaderFrom, by which io.Copy, and so os/exec, would go
// round the limit. It is not safe for concurrent use.
type Buffer struct {
	most int
	over bool
	kept bytes.Buffer
}

// NewBuffer returns a Buffer that keeps at most so many bytes.
func NewBuffer(most int) *Buffer { return &Buffer{most: most} }

// Write keeps what there is room for. It never fails.
func (b *Buffer) Write(p []byte) (int, error) {
	room := b.most - b.kept.Len()
	b.over = b.over || len(p) > room
	b.kept.Write(p[:min(len(p), room)])
	return len(p), nil
}

// Over reports whether more was written than is kept.
func (b *Buffer) Over() bool { return b.over }

// Bytes returns what is kept, until the next Write.
func (b *Buffer) Bytes() []byte { return b.kept.Bytes() }

// String returns what is kept.
func (b *Buffer) String() string { return b.kept.String() }

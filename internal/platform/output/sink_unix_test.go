//go:build unix

package output

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A device or a FIFO with a reader is written to as it is. A FIFO that nobody reads is
// refused, and nothing waits for its reader.
func TestSinkOpensStreams(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	if err := errors.Join(syscall.Mkfifo(fifo, 0o600), os.Symlink(os.DevNull, filepath.Join(dir, "null"))); err != nil {
		t.Fatal(err)
	}
	p := placeIn(t, dir)
	if err := writeTo(t, p, "null", "doc"); err != nil {
		t.Error(err)
	}
	if _, err := p.open("fifo"); err == nil || !strings.Contains(err.Error(), "nobody reads this FIFO") {
		t.Errorf("a FIFO without a reader: %v", err)
	}
	r, err := os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := writeTo(t, p, "fifo", "doc"); err != nil {
		t.Error(err)
	}
	if got, err := io.ReadAll(r); string(got) != "doc" || err != nil {
		t.Errorf("the reader got %q, %v", got, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("%v, %v", left, err)
	}
}

// A RetryWriter finishes a write to a full pipe in non-blocking mode, which another process
// has set.
func TestRetryWriterWritesAll(t *testing.T) {
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		t.Fatal(err)
	}
	r, pipe := os.NewFile(uintptr(ends[0]), "r"), os.NewFile(uintptr(ends[1]), "w")
	defer r.Close()
	if err := syscall.SetNonblock(ends[1], true); err != nil {
		t.Fatal(err)
	}
	doc := bytes.Repeat([]byte("0123456789abcdef"), 64<<10)
	n, err := pipe.Write(doc)
	if !errors.Is(err, syscall.EAGAIN) {
		t.Fatalf("a full pipe took %d bytes: %v", n, err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := RetryWriter{pipe}.Write(doc[n:])
		done <- errors.Join(err, pipe.Close())
	}()
	var got bytes.Buffer
	if _, err := got.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil || !bytes.Equal(got.Bytes(), doc) {
		t.Errorf("wrote %d of %d bytes: %v", got.Len(), len(doc), err)
	}
}

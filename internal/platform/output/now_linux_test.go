package output

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// pipeSink returns a sink that is a pipe, and its reader.
func pipeSink(t *testing.T) (*Sink, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	if _, err := unix.Pwritev2(int(w.Fd()), [][]byte{{'!'}}, -1, unix.RWF_NOWAIT); err != nil {
		t.Skip("this kernel does not know RWF_NOWAIT for pipes:", err)
	}
	if _, err := r.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return &Sink{Stream: w}, r
}

// WriteNow writes as much as the pipe has room for, and leaves the rest to Write.
func TestWriteNowDoesNotWait(t *testing.T) {
	s, r := pipeSink(t)
	doc := bytes.Repeat([]byte("0123456789abcde\n"), 64<<10)
	n := s.WriteNow(doc)
	if n == 0 || n == len(doc) {
		t.Fatalf("%d of %d bytes were written", n, len(doc))
	}
	if more := s.WriteNow(doc[n:]); more != 0 {
		t.Errorf("%d bytes were written to a full pipe", more)
	}
	got := make([]byte, n)
	if _, err := io.ReadFull(r, got); err != nil || !bytes.Equal(got, doc[:n]) {
		t.Errorf("the reader got something else: %v", err)
	}
}

// Errors are left to Write, which reports them.
func TestWriteNowLeavesErrors(t *testing.T) {
	s, r := pipeSink(t)
	r.Close()
	if n := s.WriteNow([]byte("doc")); n != 0 {
		t.Errorf("%d bytes were written that nobody reads", n)
	}
	if err := s.Write([]byte("doc")); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("got %v, want a broken pipe", err)
	}
}

// A file appears whole or not at all, so nothing is written to it beforehand.
func TestWriteNowLeavesFiles(t *testing.T) {
	dir := t.TempDir()
	s := &Sink{path: filepath.Join(dir, "out.json")}
	if n := s.WriteNow([]byte("doc")); n != 0 {
		t.Error(n)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

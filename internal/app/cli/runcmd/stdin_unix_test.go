//go:build unix

package runcmd

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A FIFO is opened once somebody writes to it, and not waited for without end.
func TestOpenReadable(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openReadable(fifo, time.Millisecond); err == nil || err.Error() != "nobody writes to this FIFO" {
		t.Errorf("got %v", err)
	}
	if _, err := openReadable(dir, time.Millisecond); err == nil || err.Error() != "it is a directory" {
		t.Errorf("got %v", err)
	}
	// That open waits for a writer still, and would be the one to get it.
	fifo += "2"
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	written := make(chan error, 1)
	go func() {
		written <- os.WriteFile(fifo, []byte("text"), 0o600) // it waits for a reader
	}()
	f, err := openReadable(fifo, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := <-written; err != nil {
		t.Error(err)
	}
}

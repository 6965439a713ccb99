package pipe

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The child's end of a pipe blocks, ours has deadlines, no other child gets either, and its
// size can be set.
func TestNew(t *testing.T) {
	read, child, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer child.Close()
	if flags := controlled(t, child, unix.F_GETFL); flags&unix.O_NONBLOCK != 0 {
		t.Error("the child's end does not block")
	}
	for _, f := range []*os.File{read, child} {
		if flags := controlled(t, f, unix.F_GETFD); flags&unix.FD_CLOEXEC == 0 {
			t.Errorf("%s is inherited by every child", f.Name())
		}
	}
	page := os.Getpagesize()
	Enlarge(child, page) // a size that no limit of the kernel's refuses
	if size := controlled(t, read, unix.F_GETPIPE_SZ); size != page {
		t.Errorf("the pipe has %d bytes of room, want %d", size, page)
	}
	if err := read.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := read.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got %v, want the deadline", err)
	}
}

// controlled returns what fcntl says of a file, which stays as it is.
func controlled(t *testing.T, f *os.File, command int) (flags int) {
	t.Helper()
	conn, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if e := conn.Control(func(fd uintptr) { flags, err = unix.FcntlInt(fd, command, 0) }); e != nil || err != nil {
		t.Fatal(e, err)
	}
	return flags
}

// A pipe shows how many bytes wait in it, and whether somebody can still write.
func TestInspect(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	check := func(what string, want State) {
		t.Helper()
		if got, ok := Inspect(reader); !ok || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", what, got, ok, want)
		}
	}
	check("empty", State{})
	if _, err := writer.WriteString("abc"); err != nil {
		t.Fatal(err)
	}
	check("three bytes", State{Queued: 3})
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	check("ended", State{Queued: 3, Ended: true})
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	if got, ok := Inspect(reader); ok {
		t.Errorf("closed: got %+v", got)
	}
	dir, err := os.Open(filepath.Dir(os.DevNull))
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if got, ok := Inspect(dir); ok {
		t.Errorf("a directory: got %+v", got)
	}
}

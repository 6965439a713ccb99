package testenv

import (
	"encoding/binary"
	"fmt"
	"testing"

	"golang.org/x/sys/unix"
)

// A HungDir is the root of a file system whose server does not answer: every access to
// a name in it blocks, as on a network file system whose server is gone.
type HungDir struct {
	Path string
	fd   int // of the server
}

// NewHungDir mounts a file system on a new directory. The test is skipped where this
// process may not mount one (fuse(4)).
func NewHungDir(t *testing.T) *HungDir {
	t.Helper()
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("no file system can be served here: %v", err)
	}
	h := &HungDir{Path: t.TempDir(), fd: fd}
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=%d,group_id=%d", fd, unix.Getuid(), unix.Getgid())
	if err := unix.Mount("envwrap-test", h.Path, "fuse", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		_ = unix.Close(fd)
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		_ = unix.Close(fd) // ends the accesses that wait
		if err := unix.Unmount(h.Path, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	if err := h.greet(); err != nil {
		t.Fatal(err)
	}
	return h
}

// greet answers the kernel's first request, FUSE_INIT: all others wait for that in a
// queue that nobody sees.
func (h *HungDir) greet() error {
	request := make([]byte, 1<<14)
	n, err := unix.Read(h.fd, request)
	if err != nil {
		return fmt.Errorf("read FUSE_INIT: %w", err)
	}
	const header, opcodeInit = 40, 26
	order := binary.NativeEndian
	if opcode := order.Uint32(request[4:]); n < header || opcode != opcodeInit {
		return fmt.Errorf("the first request is %d, not FUSE_INIT", opcode)
	}
	answer := make([]byte, 16+64) // struct fuse_out_header and fuse_init_out
	order.PutUint32(answer, uint32(len(answer)))
	copy(answer[8:16], request[8:16]) // unique
	order.PutUint32(answer[16:], 7)   // version 7.31
	order.PutUint32(answer[20:], 31)
	order.PutUint32(answer[36:], 4096) // max_write
	if _, err := unix.Write(h.fd, answer); err != nil {
		return fmt.Errorf("answer FUSE_INIT: %w", err)
	}
	return nil
}

// AwaitAccess waits until a process is blocked in an access, or the test's time is over.
// The access is left in the kernel's queue, where a signal that ends the process ends it.
func (h *HungDir) AwaitAccess(t *testing.T) {
	t.Helper()
	for t.Context().Err() == nil {
		poll := []unix.PollFd{{Fd: int32(h.fd), Events: unix.POLLIN}}
		if n, err := unix.Poll(poll, 100); err == nil && n > 0 {
			return
		}
	}
	t.Fatal("nobody has accessed the directory")
}

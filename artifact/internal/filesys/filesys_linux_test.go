package filesys

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A lock keeps a second opener out until the first one closes the file, a shared one
// only those who want it for themselves.
func TestTryLock(t *testing.T) {
	d, capabilities, dir := open(t)
	if capabilities.Locks != HasLocks(dir) || HasLocks(filepath.Join(dir, "none")) {
		t.Errorf("locks: %v, and %v by name", capabilities.Locks, HasLocks(dir))
	}
	if !capabilities.Locks {
		t.Skip("the directory for temporary files is on a file system without safe locks")
	}
	first := mustOpen(t, d, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	second := mustOpen(t, d, os.O_RDWR)
	if err := first.TryLock(true); err != nil {
		t.Fatal(err)
	}
	if err := second.TryLock(false); !errors.Is(err, ErrBusy) {
		t.Errorf("a locked file: %v", err)
	}
	first.Close()
	if err := second.TryLock(false); err != nil {
		t.Errorf("a file whose holder has closed it: %v", err)
	}
}

func mustOpen(t *testing.T, d FS, flag int) File {
	t.Helper()
	f, err := d.OpenFile("file", flag, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// A file that cannot be written past the page cache says so, and one that can takes
// whole blocks; both are on the disk after WriteOut and Sync.
func TestWriteOut(t *testing.T) {
	d, capabilities, dir := open(t)
	f := mustOpen(t, d, os.O_RDWR|os.O_CREATE)
	if _, err := f.Write([]byte("text")); err != nil {
		t.Fatal(err)
	}
	f.StartSync(0, 4)
	if err := f.WriteOut(); err != nil && !CannotSync(err) {
		t.Error(err)
	}
	direct := f.SetDirect(true)
	if capabilities.Direct && !direct {
		t.Error("a file system with a journal takes no O_DIRECT")
	}
	if flags := flagsOf(t, dir); flags&syscall.O_DIRECT != 0 != direct {
		t.Errorf("flags %#o, and it says %t", flags, direct)
	}
	f.SetDirect(false)
	if flags := flagsOf(t, dir); flags&syscall.O_DIRECT != 0 {
		t.Errorf("flags %#o", flags)
	}
	if b, err := d.ReadFile("file", 10); err != nil || !bytes.Equal(b, []byte("text")) {
		t.Errorf("%q, %v", b, err)
	}
}

// flagsOf returns the flags of the descriptor that this process has of the file.
func flagsOf(t *testing.T, dir string) int {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		if name, _ := os.Readlink("/proc/self/fd/" + fd.Name()); name != filepath.Join(dir, "file") {
			continue
		}
		number, err := strconv.Atoi(fd.Name())
		if err != nil {
			t.Fatal(err)
		}
		flags, err := unix.FcntlInt(uintptr(number), syscall.F_GETFL, 0)
		if err != nil {
			t.Fatal(err)
		}
		return flags
	}
	t.Fatal("the file is not open")
	return 0
}

// Only a regular file is opened, without waiting for the writer of a pipe.
func TestOpenRegular(t *testing.T) {
	d, _, dir := open(t)
	if err := errors.Join(syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600), os.Symlink("/etc/passwd", filepath.Join(dir, "link")), d.Mkdir("sub", 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"fifo", "link", "sub"} {
		if _, err := OpenRegular(d, name); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := OpenRegular(d, "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	f := mustOpen(t, d, os.O_RDWR|os.O_CREATE)
	same, err := OpenRegular(d, "file")
	if err != nil {
		t.Fatal(err)
	}
	same.Close()
	if !d.Same(f, "file") || d.Same(f, "sub") {
		t.Error("a file is not known by its name")
	}
	for _, name := range []string{"none", "file", "link"} {
		if _, err := d.Sub(name); err == nil {
			t.Errorf("%s: it is no directory", name)
		}
	}
	sub, err := d.Sub("sub")
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if _, err := sub.Lstat("file"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file of the parent directory: %v", err)
	}
	if err := d.Link("file", "sub/file"); err != nil {
		t.Fatal(err)
	}
	if _, err := sub.Lstat("file"); err != nil {
		t.Error(err)
	}
}

// An error that only says that a file system lacks something is no failure.
func TestUnsupported(t *testing.T) {
	for _, err := range []error{syscall.EPERM, syscall.EACCES, syscall.ENOSYS, syscall.EOPNOTSUPP, syscall.EINVAL, syscall.EMLINK} {
		if !CannotLink(&os.LinkError{Err: err}) {
			t.Errorf("link: %v is a failure", err)
		}
	}
	for _, err := range []error{syscall.EINVAL, syscall.EBADF, syscall.ENOSYS} {
		if !CannotSync(&fs.PathError{Err: err}) {
			t.Errorf("sync: %v is a failure", err)
		}
	}
	for _, err := range []error{nil, syscall.EIO, syscall.ENOSPC, syscall.EEXIST} {
		if CannotLink(err) || CannotSync(err) {
			t.Errorf("%v is no failure", err)
		}
	}
}

// The kernel's own table says which file system the one of /proc is: none that this
// package knows, so nothing is relied on but that locks answer.
func TestCapabilities(t *testing.T) {
	f, err := os.Open("/proc")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := capabilitiesOf(f); got != (Capabilities{Locks: true}) {
		t.Errorf("%+v", got)
	}
	if got := fileSystem(f); got != "unknown (0x9fa0)" {
		t.Error(got)
	}
	d, _, dir := open(t)
	free, err := d.Free()
	var st syscall.Statfs_t
	if statErr := syscall.Statfs(dir, &st); err != nil || statErr != nil || free <= 0 || free > int64(st.Blocks)*st.Bsize {
		t.Errorf("%d bytes are free of %d, %v, %v", free, int64(st.Blocks)*st.Bsize, err, statErr)
	}
	names := map[uint32]bool{}
	for _, k := range fsTypes() {
		if names[k.magic] || k.remote && k.journal {
			t.Errorf("%+v is there twice, or remote with a journal", k)
		}
		names[k.magic] = true
		if d.Type() == k.name && capabilitiesOf(mustDir(t, dir)) != (Capabilities{Locks: !k.remote, Direct: k.journal, Ordered: k.journal}) {
			t.Errorf("%+v on %s", capabilitiesOf(mustDir(t, dir)), k.name)
		}
	}
	f.Close()
	if got := capabilitiesOf(f); got != (Capabilities{}) {
		t.Errorf("of a closed file: %+v", got)
	}
}

func mustDir(t *testing.T, dir string) *os.File {
	t.Helper()
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

//go:build unix

package safefs

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Every kind of file has its name in messages, and its mode.
func TestKinds(t *testing.T) {
	d := place(t)
	t.Chdir(d.Name()) // the name of a socket must be short
	must(t, write(d, "file", os.O_WRONLY|os.O_CREATE), d.Mkdir("dir", 0o700), d.Symlink("file", "link"), syscall.Mkfifo("fifo", 0o600))
	socket, err := net.ListenUnix("unix", &net.UnixAddr{Name: "socket"})
	must(t, err)
	defer socket.Close()
	for name, want := range map[string]string{
		"file": "a file", "dir": "a directory", "link": "a symbolic link", "fifo": "a pipe", "socket": "a socket",
	} {
		info, err := d.Lstat(name)
		must(t, err)
		if got := KindOf(info.Mode()); got != want || info.IsDir() != (name == "dir") {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
		_, err = d.ReadFile(name, 100)
		if name != "file" && (!errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), strings.TrimPrefix(want, "a "))) {
			t.Errorf("read %s: got %v", name, err)
		}
		f, err := OpenPlain(name)
		if (err == nil) != (name == "file") {
			t.Errorf("open %s: got %v", name, err)
		}
		if name != "file" && name != "socket" && !errors.Is(err, ErrRefused) { // the system itself opens no socket
			t.Errorf("open %s: got %v", name, err)
		}
		if err == nil {
			must(t, f.Close())
		}
	}
	if got := KindOf(fileType(syscall.S_IFCHR)); got != "a device" {
		t.Errorf("a device is %s", got)
	}
	if got := KindOf(fileType(0)); got != "a special file" {
		t.Errorf("anything else is %s", got)
	}
	if target, err := os.Readlink("link"); err != nil || target != "file" {
		t.Errorf("got %q, %v", target, err)
	}
	if _, err := OpenPlain("nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	info, err := d.Lstat("file")
	must(t, err)
	if info.Size() != 4 || info.Sys() != nil || Linked(info) {
		t.Errorf("the file is %d bytes, %v, linked %t", info.Size(), info.Sys(), Linked(info))
	}
	must(t, d.Link("file", "other"))
	info, err = d.Lstat("file")
	must(t, err)
	byOS, err := os.Lstat("file")
	must(t, err)
	if !Linked(info) || Linked(byOS) || !sameFile(info, byOS) || !sameFile(byOS, info) {
		t.Error("a file with two names has one, or is not itself")
	}
	if dir, err := d.Lstat("dir"); err != nil || sameFile(dir, byOS) || sameFile(byOS, nameless{}) || sameFile(nameless{}, nameless{}) {
		t.Error("different files are the same")
	}
}

// A nameless is a file of which the system says nothing.
type nameless struct{ fs.FileInfo }

func (nameless) Sys() any { return nil }

// Explain names an obstructing file only if it is of another kind; otherwise it keeps the
// system's error.
func TestExplain(t *testing.T) {
	d := place(t)
	must(t, write(d, "file", os.O_WRONLY|os.O_CREATE), d.Mkdir("dir", 0o700))
	in := int(d.File().Fd())
	for _, c := range []struct {
		name, want string
		err        error
		refused    bool
	}{
		{"file", "regular file", syscall.EACCES, false},
		{"dir", "directory", syscall.EACCES, false},
		{"file", "directory", syscall.EACCES, true},
		{"dir", "regular file", syscall.EACCES, true},
		{"dir", "regular file", syscall.EEXIST, false},
		{"dir", "regular file", syscall.ENOENT, false},
		{"nothing", "directory", syscall.EACCES, false},
	} {
		if err := explain(in, c.name, c.want, c.err); errors.Is(err, ErrRefused) != c.refused || errors.Is(err, c.err) == c.refused {
			t.Errorf("%s, a %s, %v: got %v", c.name, c.want, c.err, err)
		}
	}
	if err := statFile(-1, &unix.Stat_t{}); !errors.Is(err, syscall.EBADF) {
		t.Errorf("no descriptor: %v", err)
	}
	if err := d.RemoveAll("file/x"); !errors.Is(err, ErrRefused) {
		t.Errorf("below a file: %v", err)
	}
	if !d.private() {
		t.Error("a private directory is not")
	}
	must(t, os.Chmod(d.Name(), 0o750))
	if d.private() {
		t.Error("a directory that the group may read is private")
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can give a directory away")
	}
	must(t, write(d, "dir/x", os.O_WRONLY|os.O_CREATE), os.Chown(d.Name()+"/dir", 12345, -1))
	if err := d.RemoveAll("dir"); err == nil {
		t.Error("a directory of somebody else was removed")
	}
}

// A directory has another state once a name in it changes.
func TestState(t *testing.T) {
	d := place(t)
	must(t, d.Mkdir("sub", 0o700))
	before, err := d.State("sub")
	must(t, err)
	if again, err := d.State("sub"); err != nil || again != before {
		t.Errorf("got %v, %v, want %v", again, err, before)
	}
	for after := before; after == before; { // until the clock has ticked
		must(t, write(d, "sub/x", os.O_WRONLY|os.O_CREATE), d.Remove("sub/x"))
		after, err = d.State("sub")
		must(t, err, t.Context().Err())
	}
	if _, err := d.State("nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// OpenShared opens what others may read, and nothing that they may write.
func TestOpenShared(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o755), os.WriteFile(dir+"/letter", nil, 0o600))
	d, err := OpenShared(dir)
	must(t, err)
	defer d.Close()
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o755 || !os.SameFile(info, stat(t, d.File())) {
		t.Errorf("got %v, %v", info, err)
	}
	must(t, os.Mkdir(dir+"/open", 0o700), os.Chmod(dir+"/open", 0o777), os.WriteFile(dir+"/open/x", nil, 0o600))
	if _, err := OpenShared(dir + "/open"); !errors.Is(err, ErrRefused) {
		t.Errorf("got %v", err)
	}
	if _, err := d.ReadFile("open/x", 1); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "others can write to it") {
		t.Errorf("got %v", err)
	}
	must(t, os.Mkdir(dir+"/own", 0o700), os.WriteFile(dir+"/own/y", nil, 0o600))
	own, err := d.Dir("own")
	must(t, err)
	defer own.Close()
	if names, err := own.Names("."); err != nil || len(names) != 1 || names[0] != "y" || own.Name() != dir+"/own" {
		t.Errorf("%q has %q, %v", own.Name(), names, err)
	}
	if _, err := Create(dir + "/letter/x"); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("below a file: got %v", err)
	}
	if sub, err := d.Dir("nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, %v", sub, err)
	}
}

// RenameNew renames where nothing has the name, and says so where it cannot.
func TestRenameNew(t *testing.T) {
	d := place(t)
	must(t, write(d, "a", os.O_WRONLY|os.O_CREATE), write(d, "b", os.O_WRONLY|os.O_CREATE))
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has renameat2")
	}
	if err := d.RenameNew("a", "b"); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this file system has no such call")
	} else if !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
	must(t, d.RenameNew("a", "c"), d.Mkdir("dir", 0o700))
	if err := d.RenameNew("dir", "dir/below"); !errors.Is(err, errors.ErrUnsupported) { // EINVAL, as of file systems without it
		t.Errorf("got %v", err)
	}
	if _, err := d.Lstat("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	err := d.Rename("a", "d")
	var link *os.LinkError
	if !errors.As(err, &link) || link.Op != "rename" || link.Old != "a" || link.New != "d" || !errors.Is(link.Err, syscall.ENOENT) {
		t.Errorf("got %#v", err)
	}
}

// A file is written whole or not at all, and what it was written to first is gone.
func TestWriteFileFails(t *testing.T) {
	d := place(t)
	must(t, d.Mkdir("dir", 0o700), write(d, "dir/x", os.O_WRONLY|os.O_CREATE))
	if err := d.WriteFile("dir", "temp", []byte("new"), true); err == nil {
		t.Error("a directory was replaced")
	}
	if names, err := d.Names("."); err != nil || len(names) != 1 {
		t.Errorf("got %q, %v", names, err)
	}
	must(t, os.Symlink("dir/x", filepath.Join(d.Name(), "link")))
	if err := d.WriteNew("link", []byte("new"), false); !errors.Is(err, ErrRefused) {
		t.Errorf("written through a link: %v", err)
	}
	if err := d.Remove("dir"); !errors.Is(err, syscall.ENOTEMPTY) {
		t.Errorf("got %v", err)
	}
	f, name, err := d.CreateTemp("dir", "t")
	must(t, err)
	defer f.Close()
	if !strings.HasPrefix(name, "dir/t") || !d.Same(f, name) {
		t.Errorf("got %q", name)
	}
	must(t, f.Close())
	if d.Same(f, name) || d.Same(d.File(), "nothing") {
		t.Error("a file that is closed, or that is not there, is the same")
	}
	// Names that others have are passed over.
	taken := fmt.Sprintf("dir/t%d-", os.Getpid())
	for _, n := range []string{"2", "3"} {
		must(t, write(d, taken+n, os.O_WRONLY|os.O_CREATE))
	}
	other, name, err := d.CreateTemp("dir", "t")
	must(t, err)
	must(t, other.Close())
	if name != taken+"4" {
		t.Errorf("got %q, want %q", name, taken+"4")
	}
}

// Only a file of somebody else, not root, where anybody can create files is planted.
func TestIsPlanted(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	open, closed := t.TempDir(), t.TempDir()
	must(t, os.Chmod(open, 0o777), os.Chmod(closed, 0o700))
	for _, c := range []struct {
		dir  string
		uid  int
		want bool
	}{{open, 12345, true}, {closed, 12345, false}, {open, 0, false}} {
		name := filepath.Join(c.dir, "file")
		must(t, os.WriteFile(name, nil, 0o600), os.Chown(name, c.uid, -1))
		info, err := os.Lstat(name)
		must(t, err)
		if got := IsPlanted(info, c.dir); got != c.want {
			t.Errorf("of user %d in %s: %t", c.uid, c.dir, got)
		}
		if IsPlanted(info, c.dir+"/nothing") || IsPlanted(nameless{}, c.dir) {
			t.Error("what cannot be looked at is planted")
		}
	}
}

// The cause of an error is without the path.
func TestCause(t *testing.T) {
	other := errors.New("other")
	for err, want := range map[error]error{
		pathError("open", "x", fs.ErrExist):                             fs.ErrExist,
		fmt.Errorf("x: %w", pathError("open", "x", fs.ErrExist)):        fs.ErrExist,
		&os.LinkError{Op: "link", Old: "x", New: "y", Err: fs.ErrExist}: fs.ErrExist,
		other: other,
		nil:   nil,
	} {
		if got := Cause(err); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v: got %v", err, got)
		}
	}
}

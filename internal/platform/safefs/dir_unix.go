//go:build unix

package safefs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// A Dir is an open directory that belongs to this user and that nobody else can write
// to. It is safe for concurrent use, including Close.
type Dir struct {
	f     *os.File
	conn  syscall.RawConn // keeps the descriptor from being closed in mid-call
	name  string
	temps atomic.Uint64
}

// Open opens a directory of this user with mode 0700. The last component must not be a
// symbolic link. If others may read the directory, and it is empty or a store, Open
// removes that permission (chmod 0700); otherwise it is refused. A directory that
// others may write is always refused, since they may have put files into it.
func Open(name string) (*Dir, error) { return openBase(name, true) }

// OpenShared is like [Open] for a directory that others may read but not write.
func OpenShared(name string) (*Dir, error) { return openBase(name, false) }

func openBase(name string, private bool) (*Dir, error) {
	name = filepath.Clean(name) // a slash at the end would have a link followed
	fd, err := openat(unix.AT_FDCWD, name, dirFlags, 0)
	if err != nil {
		return nil, pathError("open", name, explain(unix.AT_FDCWD, name, "directory", err))
	}
	d, err := newDir(fd, name)
	if err != nil {
		return nil, err
	}
	if err := d.checkBase(private); err != nil {
		_ = d.Close()
		return nil, err
	}
	return d, nil
}

func newDir(fd int, name string) (*Dir, error) {
	f := os.NewFile(uintptr(fd), name)
	conn, err := f.SyscallConn()
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &Dir{f: f, conn: conn, name: name}, nil
}

// Close closes the directory. Files opened below it stay open.
func (d *Dir) Close() error { return d.f.Close() }

// File returns the open directory itself, which the caller must not close.
func (d *Dir) File() *os.File { return d.f }

// Dir opens a directory below d as another Dir.
func (d *Dir) Dir(name string) (*Dir, error) {
	f, err := d.openDir(name)
	if err != nil {
		return nil, err
	}
	return newDir(f, filepath.Join(d.name, filepath.FromSlash(name)))
}

const (
	dirFlags  = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW // O_DIRECTORY refuses a FIFO at once
	fileFlags = unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY
)

// storeMark is the file by which a directory is known as a store.
const storeMark = "VERSION"

// private reports whether the directory is closed to others.
func (d *Dir) private() bool {
	info, err := d.f.Stat()
	return err == nil && info.Mode().Perm()&0o077 == 0
}

// checkBase checks owner and mode of the directory itself.
func (d *Dir) checkBase(private bool) error {
	info, err := d.f.Stat()
	if err != nil {
		return err
	}
	if err := checkOurs(info); err != nil {
		return err
	}
	perm := info.Mode().Perm()
	if perm&0o022 != 0 {
		return refusef("others can write to it (mode %#o): run chmod go-w on it if all that is in it is yours, or name another place", perm)
	}
	if !private || perm&0o077 == 0 {
		return nil
	}
	if !d.known() && !d.private() { // in this order: whoever fills it has made it private before
		return refusef("others can read it (mode %#o): run chmod 700 on it, or name an empty directory", perm)
	}
	if err := d.f.Chmod(info.Mode().Perm() & 0o700); err != nil && !errors.Is(err, unix.EROFS) {
		return refusef("others can read it (mode %#o), and that cannot be changed (%v): run chmod 700 on it, or name another place", perm, err)
	}
	return nil
}

// known reports whether the directory is a store, or nothing yet.
func (d *Dir) known() bool {
	if info, err := d.Lstat(storeMark); err == nil {
		return info.Mode().IsRegular()
	}
	names, err := d.OpenDir(".")
	if err != nil {
		return false
	}
	defer names.Close()
	some, _ := names.Readdirnames(1)
	return len(some) == 0
}

func checkOurs(info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if ok && !isOurs(int(st.Uid)) {
		return notOurs(int(st.Uid))
	}
	return nil
}

func notOurs(uid int) error {
	return refusef("it belongs to user %d, and envwrap runs as %d: name a place of your own", uid, os.Geteuid())
}

// at calls do with the descriptor of the directory that has the last component
// of a name, and that component.
func (d *Dir) at(op, name string, do func(dir int, base string) error) error {
	if !fs.ValidPath(name) {
		return pathError(op, name, fs.ErrInvalid)
	}
	var err error
	if lost := d.conn.Control(func(fd uintptr) { err = walk(int(fd), name, do) }); lost != nil {
		err = fs.ErrClosed
	}
	if err != nil {
		return pathError(op, name, err)
	}
	return nil
}

func walk(base int, name string, do func(dir int, base string) error) error {
	dir := base
	defer func() {
		if dir != base {
			_ = unix.Close(dir)
		}
	}()
	for {
		first, rest, more := strings.Cut(name, "/")
		if !more {
			return do(dir, name)
		}
		next, err := openDirAt(dir, first)
		if err != nil {
			return err
		}
		if dir != base {
			_ = unix.Close(dir)
		}
		dir, name = next, rest
	}
}

// openDirAt opens one component on the way, which has to be a directory of
// ours that others cannot write to.
func openDirAt(dir int, name string) (int, error) {
	fd, err := openat(dir, name, dirFlags, 0)
	if err != nil {
		return -1, explain(dir, name, "directory", err)
	}
	var st unix.Stat_t
	err = unix.Fstat(fd, &st)
	switch {
	case err != nil:
	case !isOurs(int(st.Uid)):
		err = notOurs(int(st.Uid))
	case st.Mode&0o022 != 0:
		err = refusef("others can write to it (mode %#o): run chmod go-w on it if all that is in it is yours", st.Mode&0o777)
	default:
		return fd, nil
	}
	_ = unix.Close(fd)
	return -1, err
}

// explain turns an error of openat(2) into one that names the kind of file found:
// systems return different errors for a link, and for a pipe that nobody reads
// "no such device".
func explain(dir int, name, want string, err error) error {
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EEXIST) {
		return err
	}
	var st unix.Stat_t
	if unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil {
		return err
	}
	mode := fileType(uint32(st.Mode))
	if want == "directory" && mode.IsDir() || want == "regular file" && mode.IsRegular() {
		return err
	}
	return wrongKind(mode, want)
}

func openat(dir int, name string, flag int, perm uint32) (fd int, err error) {
	err = retry(func() error {
		fd, err = unix.Openat(dir, name, flag|unix.O_CLOEXEC, perm)
		return err
	})
	return fd, err
}

// OpenDir opens a directory below d; "." is d itself.
func (d *Dir) OpenDir(name string) (*os.File, error) {
	fd, err := d.openDir(name)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), filepath.Join(d.name, filepath.FromSlash(name))), nil
}

func (d *Dir) openDir(name string) (fd int, err error) {
	err = d.at("open", name, func(dir int, base string) error {
		fd, err = openDirAt(dir, base)
		return err
	})
	return fd, err
}

// Lstat describes a file without following a link. Use [Dir.Same] to compare it with an
// open file: os.SameFile accepts only values of package os.
func (d *Dir) Lstat(name string) (info fs.FileInfo, err error) {
	err = d.at("lstat", name, func(dir int, base string) error {
		info, err = lstatAt(dir, base)
		return err
	})
	return info, err
}

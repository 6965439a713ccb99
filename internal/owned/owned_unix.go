//go:build unix

package owned

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A Dir is an open directory that belongs to this user and that nobody else
// can write to. It is safe for concurrent use, also with Close.
type Dir struct {
	f     *os.File
	conn  syscall.RawConn // keeps the descriptor from being closed in mid-call
	name  string
	temps atomic.Uint64
}

// Open opens a directory that is private to this user: ours and 0700. A
// symbolic link by that name is refused; those on the way to it are the path's
// own. A directory that others may read is closed to them (chmod 0700) where
// it is empty or a store already, and refused otherwise; one that others may
// write is always refused, for what is in it may be theirs.
func Open(name string) (*Dir, error) { return open(name, true) }

// OpenShared is Open for a directory that others may read but not write.
func OpenShared(name string) (*Dir, error) { return open(name, false) }

func open(name string, private bool) (*Dir, error) {
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

// Close gives the directory back. Files opened below it stay open.
func (d *Dir) Close() error { return d.f.Close() }

// File returns the open directory itself, which the Dir keeps.
func (d *Dir) File() *os.File { return d.f }

// Dir opens a directory below as a Dir of its own.
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
	if err := checkOwner(info); err != nil {
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

func checkOwner(info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if ok && int(st.Uid) != os.Geteuid() {
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
	case int(st.Uid) != os.Geteuid():
		err = notOurs(int(st.Uid))
	case st.Mode&0o022 != 0:
		err = refusef("others can write to it (mode %#o): run chmod go-w on it if all that is in it is yours", st.Mode&0o777)
	default:
		return fd, nil
	}
	_ = unix.Close(fd)
	return -1, err
}

// explain turns an error of openat(2) into one that names what is in the way:
// systems differ in what they say of a link, and a pipe that nobody reads is
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

// OpenFile opens a regular file of ours with the flags of [os.OpenFile].
func (d *Dir) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	var f *os.File
	err := d.at("open", name, func(dir int, base string) error {
		fd, err := openat(dir, base, flag&^os.O_TRUNC|fileFlags, uint32(perm.Perm()))
		if err != nil {
			return explain(dir, base, "regular file", err)
		}
		if err := checkFile(fd, flag); err != nil {
			_ = unix.Close(fd)
			return err
		}
		f = os.NewFile(uintptr(fd), filepath.Join(d.name, filepath.FromSlash(name)))
		return nil
	})
	return f, err
}

// checkFile refuses what is no regular file of ours, and makes the descriptor
// and the file what the caller of an open with these flags expects.
func checkFile(fd, flag int) error {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return wrongKind(fileType(uint32(st.Mode)), "regular file")
	}
	if int(st.Uid) != os.Geteuid() {
		return notOurs(int(st.Uid))
	}
	if flag&os.O_TRUNC != 0 && st.Size > 0 {
		if err := unix.Ftruncate(fd, 0); err != nil {
			return err
		}
	}
	_, err := unix.FcntlInt(uintptr(fd), unix.F_SETFL, flag&os.O_APPEND) // without O_NONBLOCK
	return err
}

// OpenDir opens a directory of ours, "." for the Dir itself.
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

// ReadDir lists a directory, in no order. What is removed meanwhile is left out.
func (d *Dir) ReadDir(name string) ([]fs.FileInfo, error) {
	f, err := d.OpenDir(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	list := make([]fs.FileInfo, 0, len(names))
	for _, base := range names {
		info, err := lstatAt(int(f.Fd()), base)
		switch {
		case err == nil:
			list = append(list, info)
		case !errors.Is(err, fs.ErrNotExist):
			return list, pathError("lstat", path.Join(name, base), err)
		}
	}
	return list, nil
}

// Lstat describes what has the name, a link itself where it is one. Compare it
// by [SameFile]; [os.SameFile] knows only what package os has made.
func (d *Dir) Lstat(name string) (info fs.FileInfo, err error) {
	err = d.at("lstat", name, func(dir int, base string) error {
		info, err = lstatAt(dir, base)
		return err
	})
	return info, err
}

// Mkdir makes a directory.
func (d *Dir) Mkdir(name string, perm fs.FileMode) error {
	return d.at("mkdir", name, func(dir int, base string) error {
		return retry(func() error { return unix.Mkdirat(dir, base, uint32(perm.Perm())) })
	})
}

// Remove removes a file, a link (never what it leads to) or an empty directory.
func (d *Dir) Remove(name string) error {
	return d.at("remove", name, removeAt)
}

func removeAt(dir int, base string) error {
	err := retry(func() error { return unix.Unlinkat(dir, base, 0) })
	if err == nil || errors.Is(err, unix.ENOENT) {
		return err
	}
	asDir := retry(func() error { return unix.Unlinkat(dir, base, unix.AT_REMOVEDIR) })
	if asDir == nil || !errors.Is(asDir, unix.ENOTDIR) {
		return asDir
	}
	return err
}

// RemoveAll removes what has the name and, where that is a directory, all that
// is in it. Links in it are removed and not followed. That there is nothing is
// no error.
func (d *Dir) RemoveAll(name string) error {
	err := d.Remove(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	below, dirErr := d.Dir(name)
	if dirErr != nil {
		return err
	}
	defer below.Close()
	names, err := below.Names(".")
	for _, base := range names {
		err = errors.Join(err, below.RemoveAll(base))
	}
	if err != nil {
		return err
	}
	return d.Remove(name)
}

// Rename moves a file to another name, and replaces what has it. Of both names
// all but the last component are checked as for opening.
func (d *Dir) Rename(old, new string) error {
	return d.both("rename", old, new, func(from int, old string, to int, new string) error {
		return retry(func() error { return unix.Renameat(from, old, to, new) })
	})
}

// Link gives a file another name, which must be free.
func (d *Dir) Link(old, new string) error {
	return d.both("link", old, new, func(from int, old string, to int, new string) error {
		return retry(func() error { return unix.Linkat(from, old, to, new, 0) })
	})
}

func (d *Dir) both(op, old, new string, do func(from int, old string, to int, new string) error) error {
	err := d.at(op, old, func(from int, oldBase string) error {
		return d.at(op, new, func(to int, newBase string) error { return do(from, oldBase, to, newBase) })
	})
	var bare *fs.PathError
	for errors.As(err, &bare) {
		err = bare.Err
	}
	if err != nil {
		return &os.LinkError{Op: op, Old: old, New: new, Err: err}
	}
	return nil
}

// Symlink makes a symbolic link, which nothing here ever follows.
func (d *Dir) Symlink(target, name string) error {
	return d.at("symlink", name, func(dir int, base string) error {
		return retry(func() error { return unix.Symlinkat(target, dir, base) })
	})
}

// Chtimes sets both times of a file.
func (d *Dir) Chtimes(name string, t time.Time) error {
	return d.at("chtimes", name, func(dir int, base string) error {
		ts := unix.NsecToTimespec(t.UnixNano())
		return retry(func() error {
			return unix.UtimesNanoAt(dir, base, []unix.Timespec{ts, ts}, unix.AT_SYMLINK_NOFOLLOW)
		})
	})
}

func openat(dir int, name string, flag int, perm uint32) (fd int, err error) {
	err = retry(func() error {
		fd, err = unix.Openat(dir, name, flag|unix.O_CLOEXEC, perm)
		return err
	})
	return fd, err
}

func pathError(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// Sync forces the names in a directory to disk.
func (d *Dir) Sync(name string) error {
	f, err := d.OpenDir(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

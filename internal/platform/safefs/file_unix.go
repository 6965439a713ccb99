//go:build unix

package safefs

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// OpenFile opens a regular file of this user with the flags of os.OpenFile.
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

// ReadFile reads a regular file. A file of more than limit bytes is an error.
func (d *Dir) ReadFile(name string, limit int64) (data []byte, err error) {
	err = d.at("open", name, func(dir int, base string) error {
		fd, err := openat(dir, base, unix.O_RDONLY|fileFlags, 0)
		if err != nil {
			return explain(dir, base, "regular file", err)
		}
		defer unix.Close(fd)
		var st unix.Stat_t
		if err := statFile(fd, &st); err != nil {
			return err
		}
		data, err = readAll(fd, st.Size, limit)
		return err
	})
	if err == nil && int64(len(data)) > limit {
		err = tooLarge(name, limit)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// readAll reads a file that had a size to its end, or until it is longer than limit.
func readAll(fd int, size, limit int64) ([]byte, error) {
	data := make([]byte, 0, min(size, limit)+1)
	for {
		room := data[len(data):cap(data)]
		n := 0
		err := retry(func() (err error) {
			n, err = unix.Read(fd, room)
			return err
		})
		if err != nil {
			return nil, err
		}
		data = data[:len(data)+n]
		switch whole := n < len(room) && int64(len(data)) >= size; {
		case whole || n == 0 || int64(len(data)) > limit:
			return data, nil
		case n == len(room): // it grew
			data = slices.Grow(data, len(data))
		}
	}
}

// OpenPlain opens a regular file for reading, whoever owns it. It follows no link in
// the last component and does not wait for the writer of a FIFO.
func OpenPlain(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		if info, statErr := os.Lstat(name); statErr == nil && info.Mode()&fs.ModeSymlink != 0 {
			err = pathError("open", name, wrongKind(info.Mode(), "regular file"))
		}
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = pathError("open", name, wrongKind(info.Mode(), "regular file"))
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// checkFile refuses all but regular files of this user, and makes the descriptor
// and the file what the caller of an open with these flags expects.
func checkFile(fd, flag int) error {
	var st unix.Stat_t
	if err := statFile(fd, &st); err != nil {
		return err
	}
	if flag&os.O_TRUNC != 0 && st.Size > 0 {
		if err := unix.Ftruncate(fd, 0); err != nil {
			return err
		}
	}
	_, err := unix.FcntlInt(uintptr(fd), unix.F_SETFL, flag&os.O_APPEND) // without O_NONBLOCK
	return err
}

// statFile refuses all but regular files of this user.
func statFile(fd int, st *unix.Stat_t) error {
	if err := unix.Fstat(fd, st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return wrongKind(fileType(uint32(st.Mode)), "regular file")
	}
	if !isOurs(int(st.Uid)) {
		return notOurs(int(st.Uid))
	}
	return nil
}

// ReadDir describes the files in a directory, in no particular order, without those
// that are removed meanwhile.
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
	infos := make([]fileInfo, len(names)) // at once: directories of a store are large
	list := make([]fs.FileInfo, 0, len(names))
	dir := int(f.Fd())
	for i, base := range names {
		err := infos[i].lstatAt(dir, base)
		switch {
		case err == nil:
			list = append(list, &infos[i])
		case !errors.Is(err, fs.ErrNotExist):
			return list, pathError("lstat", path.Join(name, base), err)
		}
	}
	return list, nil
}

// State returns the state of a directory, which differs after a change of a name in it.
func (d *Dir) State(name string) (state State, err error) {
	err = d.at("lstat", name, func(dir int, base string) error {
		var i fileInfo
		err := i.lstatAt(dir, base)
		state = State{uint64(i.st.Ino), i.st.Ctim.Nano()}
		return err
	})
	return state, err
}

// Mkdir makes a directory.
func (d *Dir) Mkdir(name string, perm fs.FileMode) error {
	return d.at("mkdir", name, func(dir int, base string) error {
		return retry(func() error { return unix.Mkdirat(dir, base, uint32(perm.Perm())) })
	})
}

// Remove removes a file, a symbolic link itself, or an empty directory.
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

// Rename renames a file, replacing one that has the new name. All but the last
// component of both names are checked as for opening.
func (d *Dir) Rename(old, new string) error {
	return d.both("rename", old, new, func(from int, old string, to int, new string) error {
		return retry(func() error { return unix.Renameat(from, old, to, new) })
	})
}

// Link makes a hard link to a file under a new name, which must not exist.
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

// Symlink creates a symbolic link, which no method of Dir follows.
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

// Sync forces the names in a directory to disk.
func (d *Dir) Sync(name string) error {
	f, err := d.OpenDir(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

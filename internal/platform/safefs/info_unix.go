//go:build unix

package safefs

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// euid is asked for once: a store has a hundred thousand files.
var euid = os.Geteuid()

// fileInfo holds fstatat(2)'s answer about a name.
type fileInfo struct {
	name string
	st   unix.Stat_t
}

func (i *fileInfo) Name() string       { return i.name }
func (i *fileInfo) Size() int64        { return i.st.Size }
func (i *fileInfo) ModTime() time.Time { return time.Unix(i.st.Mtim.Unix()) }
func (i *fileInfo) IsDir() bool        { return i.Mode().IsDir() }
func (i *fileInfo) Sys() any           { return nil }

func (i *fileInfo) Mode() fs.FileMode {
	return fileType(uint32(i.st.Mode)) | fs.FileMode(i.st.Mode)&fs.ModePerm
}

func lstatAt(dir int, name string) (fs.FileInfo, error) {
	info := &fileInfo{}
	if err := info.lstatAt(dir, name); err != nil {
		return nil, err
	}
	return info, nil
}

func (i *fileInfo) lstatAt(dir int, name string) error {
	i.name = name
	return retry(func() error { return unix.Fstatat(dir, name, &i.st, unix.AT_SYMLINK_NOFOLLOW) })
}

// fileType returns the type in a mode of stat(2).
func fileType(mode uint32) fs.FileMode {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return 0
	case unix.S_IFDIR:
		return fs.ModeDir
	case unix.S_IFLNK:
		return fs.ModeSymlink
	case unix.S_IFIFO:
		return fs.ModeNamedPipe
	case unix.S_IFSOCK:
		return fs.ModeSocket
	case unix.S_IFBLK, unix.S_IFCHR:
		return fs.ModeDevice
	}
	return fs.ModeIrregular
}

// sameFile reports whether two descriptions, of [os.File.Stat] or of
// [Dir.Lstat], are of one file.
func sameFile(a, b fs.FileInfo) bool {
	devA, inoA, okA := identity(a)
	devB, inoB, okB := identity(b)
	return okA && okB && devA == devB && inoA == inoB
}

// Linked reports whether a file that [Dir.Lstat] has described has another name.
func Linked(info fs.FileInfo) bool {
	own, ok := info.(*fileInfo)
	return ok && own.st.Nlink > 1
}

func identity(info fs.FileInfo) (dev, ino uint64, ok bool) {
	if own, ok := info.(*fileInfo); ok {
		return uint64(own.st.Dev), uint64(own.st.Ino), true
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return uint64(st.Dev), uint64(st.Ino), true
}

// retry repeats a call that a signal has interrupted.
func retry(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// IsPlanted reports whether a file belongs to another user and is in a directory where
// anybody can create files, such as /tmp, so that it was possibly put there for
// searches of the parent directories to find.
func IsPlanted(info fs.FileInfo, dir string) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Uid == 0 || int(st.Uid) == os.Geteuid() {
		return false
	}
	in, err := os.Stat(dir)
	return err == nil && in.Mode().Perm()&0o002 != 0
}

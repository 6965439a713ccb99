//go:build !unix

package safefs

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// A Dir is an open directory. It is safe for concurrent use.
type Dir struct {
	root  *os.Root
	f     *os.File
	name  string
	temps atomic.Uint64
}

// Open opens a directory that is private to this user. A symbolic link by that
// name is refused; those on the way to it are the path's own.
func Open(name string) (*Dir, error) {
	name = filepath.Clean(name)
	before, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: wrongKind(before.Mode(), "directory")}
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	after, err := root.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = refusal("it was replaced while it was opened")
	}
	if err != nil {
		_ = root.Close()
		return nil, err
	}
	return newDir(root, name)
}

// OpenPlain opens a regular file for reading, whoever owns it. It follows no link in the
// last component.
func OpenPlain(name string) (*os.File, error) {
	named, err := os.Lstat(name)
	if err == nil && !named.Mode().IsRegular() {
		err = pathError("open", name, wrongKind(named.Mode(), "regular file"))
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(named, opened) {
		err = pathError("open", name, refusal("it was replaced while it was opened"))
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// StrictModes returns nil: owner and mode are not looked at.
func StrictModes(string) error { return nil }

// OpenShared is Open: modes say nothing here.
func OpenShared(name string) (*Dir, error) { return Open(name) }

func newDir(root *os.Root, name string) (*Dir, error) {
	f, err := root.Open(".")
	if err != nil {
		_ = root.Close()
		return nil, err
	}
	return &Dir{root: root, f: f, name: name}, nil
}

// Close closes the directory. Files opened below it stay open.
func (d *Dir) Close() error { return errors.Join(d.f.Close(), d.root.Close()) }

// File returns the open directory itself, which the caller must not close.
func (d *Dir) File() *os.File { return d.f }

// Dir opens a directory below d as another Dir.
func (d *Dir) Dir(name string) (*Dir, error) {
	if err := d.check("open", name, true); err != nil {
		return nil, err
	}
	root, err := d.root.OpenRoot(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	return newDir(root, filepath.Join(d.name, filepath.FromSlash(name)))
}

// check refuses a name of which a component is not what it should be. With all
// the last component has to be a directory, too.
func (d *Dir) check(op, name string, all bool) error {
	if !fs.ValidPath(name) || !filepath.IsLocal(filepath.FromSlash(name)) || strings.Contains(name, `\`) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if name == "." {
		return nil
	}
	if parent := path.Dir(name); parent != "." {
		if err := d.check(op, parent, true); err != nil {
			return err
		}
	}
	if !all {
		return nil
	}
	info, err := d.root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: op, Path: name, Err: wrongKind(info.Mode(), "directory")}
	}
	return nil
}

// OpenFile opens a regular file with the flags of [os.OpenFile].
func (d *Dir) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	if err := d.check("open", name, false); err != nil {
		return nil, err
	}
	before, err := d.root.Lstat(filepath.FromSlash(name))
	switch {
	case err == nil && !before.Mode().IsRegular():
		return nil, &fs.PathError{Op: "open", Path: name, Err: wrongKind(before.Mode(), "regular file")}
	case err != nil && (!errors.Is(err, fs.ErrNotExist) || flag&os.O_CREATE == 0):
		return nil, err
	}
	return d.root.OpenFile(filepath.FromSlash(name), flag, perm)
}

// OpenDir opens a directory, "." for the Dir itself.
func (d *Dir) OpenDir(name string) (*os.File, error) {
	if err := d.check("open", name, true); err != nil {
		return nil, err
	}
	return d.root.Open(filepath.FromSlash(name))
}

// ReadDir lists a directory, in no order.
func (d *Dir) ReadDir(name string) ([]fs.FileInfo, error) {
	f, err := d.OpenDir(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdir(-1)
}

// Lstat describes what has the name, a link itself where it is one.
func (d *Dir) Lstat(name string) (fs.FileInfo, error) {
	if err := d.check("lstat", name, false); err != nil {
		return nil, err
	}
	return d.root.Lstat(filepath.FromSlash(name))
}

// State returns the state of a directory, which differs after a change of a name in it.
func (d *Dir) State(name string) (State, error) {
	info, err := d.Lstat(name)
	if err != nil {
		return State{}, err
	}
	return State{Changed: info.ModTime().UnixNano()}, nil
}

// sameFile is [os.SameFile].
func sameFile(a, b fs.FileInfo) bool { return os.SameFile(a, b) }

// Mkdir makes a directory.
func (d *Dir) Mkdir(name string, perm fs.FileMode) error {
	if err := d.check("mkdir", name, false); err != nil {
		return err
	}
	return d.root.Mkdir(filepath.FromSlash(name), perm)
}

// Remove removes a file, a symbolic link itself, or an empty directory.
func (d *Dir) Remove(name string) error {
	if err := d.check("remove", name, false); err != nil {
		return err
	}
	err := d.root.Remove(filepath.FromSlash(name))
	if withoutPOSIXDelete(err) {
		err = os.Remove(filepath.Join(d.name, filepath.FromSlash(name)))
	}
	return err
}

// withoutPOSIXDelete reports whether err (ERROR_INVALID_FUNCTION) says that the
// system lacks the call by which a Root removes: Wine does. Names were checked
// before, as far as can be.
func withoutPOSIXDelete(err error) bool { return errors.Is(err, syscall.Errno(1)) }

// Rename moves a file to another name, and replaces what has it.
func (d *Dir) Rename(old, new string) error {
	if err := errors.Join(d.check("rename", old, false), d.check("rename", new, false)); err != nil {
		return err
	}
	return d.root.Rename(filepath.FromSlash(old), filepath.FromSlash(new))
}

// Link makes a hard link to a file under a new name, which must not exist.
func (d *Dir) Link(old, new string) error {
	if err := errors.Join(d.check("link", old, false), d.check("link", new, false)); err != nil {
		return err
	}
	return d.root.Link(filepath.FromSlash(old), filepath.FromSlash(new))
}

// Symlink creates a symbolic link, which no method of Dir follows.
func (d *Dir) Symlink(target, name string) error {
	if err := d.check("symlink", name, false); err != nil {
		return err
	}
	return d.root.Symlink(target, filepath.FromSlash(name))
}

// Chtimes sets both times of a file.
func (d *Dir) Chtimes(name string, t time.Time) error {
	if err := d.check("chtimes", name, false); err != nil {
		return err
	}
	return d.root.Chtimes(filepath.FromSlash(name), t, t)
}

// Sync does nothing: the names in a directory cannot be forced to disk here.
func (d *Dir) Sync(name string) error { return d.check("sync", name, true) }

// Linked reports false: names are not counted.
func Linked(fs.FileInfo) bool { return false }

// IsPlanted reports false: owner and mode are not looked at.
func IsPlanted(fs.FileInfo, string) bool { return false }

// ReadFile reads a regular file. A file of more than limit bytes is an error.
func (d *Dir) ReadFile(name string, limit int64) ([]byte, error) {
	f, err := d.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, tooLarge(name, limit)
	}
	b := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	_, err = b.ReadFrom(io.LimitReader(f, limit+1))
	if err == nil && int64(b.Len()) > limit { // it grew
		err = tooLarge(name, limit)
	}
	return b.Bytes(), err
}

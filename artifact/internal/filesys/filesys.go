// Package filesys has the file system calls of an artifact store, and the capabilities of
// the file systems that it may lie on.
package filesys

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/envwrap/envwrap/internal/platform/filelock"
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// An FS has the file system calls of a store. Names are relative to the store's directory
// and have slashes. Errors wrap the usual [fs] errors. Tests implement an FS that fails,
// and one that loses unsynced changes.
type FS interface {
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	OpenDir(name string) (File, error)
	ReadFile(name string, limit int64) ([]byte, error) // an error where it has more
	Names(dir string) ([]string, error)                // in no order
	ReadDir(dir string) ([]fs.FileInfo, error)         // in no order
	Lstat(name string) (fs.FileInfo, error)
	State(dir string) (safefs.State, error) // another one after each change of a name in it
	Mkdir(name string, perm fs.FileMode) error
	Link(old, new string) error      // fails if new exists
	Rename(old, new string) error    // replaces new
	RenameNew(old, new string) error // fails if new exists, or with errors.ErrUnsupported
	Remove(name string) error
	Chtimes(name string, t time.Time) error
	Free() (int64, error)          // bytes that we may still write
	Type() string                  // the file system's name
	Same(f File, name string) bool // name still is the file that f has open
	Sub(dir string) (FS, error)    // opens a directory once for its files
	Close() error
}

// A File is an open file or directory.
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.WriterAt
	io.Closer
	Stat() (fs.FileInfo, error)
	Chmod(perm fs.FileMode) error
	Truncate(size int64) error
	Sync() error
	StartSync(off, n int64) // a hint that Sync will come
	WriteOut() error        // waits until the disk has the bytes; their names, size and place may be missing there yet
	SetDirect(on bool) bool // whole blocks go past the page cache; false means that they cannot
	// TryLock takes the file's lock, shared or exclusive, or returns ErrBusy
	// at once. Closing the file, or the death of the process, gives it back.
	TryLock(exclusive bool) error
}

// ErrBusy means that another process has the lock.
var ErrBusy = errors.New("locked by another process")

// New returns the real file system below a directory of this user, and its capabilities.
func New(d *safefs.Dir) (FS, Capabilities) { return root{d}, capabilitiesOf(d.File()) }

// root is the real file system below one directory.
type root struct {
	*safefs.Dir
}

func (r root) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := r.Dir.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (r root) OpenDir(name string) (File, error) {
	f, err := r.Dir.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (r root) Sub(name string) (FS, error) {
	d, err := r.Dir.Dir(name)
	if err != nil {
		return nil, err
	}
	return root{d}, nil
}

func (r root) Same(f File, name string) bool { return r.Dir.Same(f, name) }

// Type returns the file system's name, or its number if the name is not known.
func (r root) Type() string { return fileSystem(r.File()) }

// Free returns how much the user may still write, in bytes.
func (r root) Free() (int64, error) { return freeSpace(r.File()) }

// osFile is an open file of the real file system.
type osFile struct{ *os.File }

func (f osFile) StartSync(off, n int64) { startSync(f.File, off, n) }

func (f osFile) WriteOut() error { return writeOut(f.File) }

func (f osFile) SetDirect(on bool) bool { return setDirect(f.File, on) }

func (f osFile) TryLock(exclusive bool) error {
	got, err := filelock.Mode(exclusive).Try(f.File)
	if err == nil && !got {
		err = ErrBusy
	}
	return err
}

// ErrNotRegular means that something else has a file's name.
var ErrNotRegular = errors.New("it is no regular file")

// OpenRegular opens a file for reading and refuses all but regular ones. It
// never waits, not even for the writer of a pipe.
func OpenRegular(f FS, name string) (File, error) {
	fi, err := f.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("open %q: %w but %s", name, ErrNotRegular, safefs.KindOf(fi.Mode()))
	}
	return f.OpenFile(name, os.O_RDONLY, 0)
}

// HasLocks reports whether files in a directory can be locked without the risk of
// hanging.
func HasLocks(dir string) bool {
	d, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer d.Close()
	return capabilitiesOf(d).Locks
}

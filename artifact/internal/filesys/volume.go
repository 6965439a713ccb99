package filesys

import (
	"errors"
	"io/fs"
	"path"
	"sync"
	"time"
)

// A Volume is the file system of a store, with its capabilities and the store's policy
// for syncs.
type Volume struct {
	FS
	Capabilities
	SyncFiles bool  // SyncFile forces bytes to the disk
	SyncNames bool  // SyncDir forces names to the disk
	ReadOnly  error // why nothing can be written, nil where it can

	checked sync.Map // directories found to be ours
}

// Check checks a directory of the store once per Volume, by opening it.
func (v *Volume) Check(dir string) error {
	if _, ok := v.checked.Load(dir); ok {
		return nil
	}
	d, err := v.OpenDir(dir)
	if err != nil {
		return err
	}
	v.checked.Store(dir, true)
	return d.Close()
}

// Ensure checks a directory as Check does, and makes it if it is missing. The name of a
// new directory is synced. Another process may make the directory at the same time.
func (v *Volume) Ensure(dir string) error {
	err := v.Check(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := v.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := v.SyncDir(path.Dir(dir)); err != nil {
		return err
	}
	return v.Check(dir)
}

// NamesIn lists one of the store's directories. A missing one has no names.
func (v *Volume) NamesIn(dir string) ([]string, error) {
	err := v.Check(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return v.Names(dir)
}

// SizeOf adds up the files of a directory.
func (v *Volume) SizeOf(dir string) (int64, error) {
	files, err := v.ReadDir(dir)
	var n int64
	for _, fi := range files {
		n += fi.Size()
	}
	return n, IgnoreNotExist(err)
}

// IgnoreForeign returns err, or nil if the directory is not this user's: verify and
// doctor report that, and other callers go on without the directory.
func (v *Volume) IgnoreForeign(dir string, err error) error {
	if v.Check(dir) == nil {
		return err
	}
	return nil
}

// LinkNew gives a file a second name that must be free (fs.ErrExist), or moves it there
// where the file system has no hard links.
func (v *Volume) LinkNew(from, to string) error {
	err := v.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) || !CannotLink(err) {
		return err
	}
	err = v.RenameNew(from, to)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if _, err := v.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fs.ErrExist)
	}
	return v.Rename(from, to)
}

// SyncFile forces a file to disk, as the policy says.
func (v *Volume) SyncFile(f File) error {
	if !v.SyncFiles {
		return nil
	}
	return f.Sync()
}

// SyncDir forces a directory's names to disk, as the policy says.
func (v *Volume) SyncDir(name string) error {
	if !v.SyncNames {
		return nil
	}
	d, err := v.OpenDir(name)
	if err != nil {
		return err
	}
	defer d.Close()
	return IgnoreUnsupported(d.Sync())
}

// TryLock takes a directory's exclusive lock, or returns ErrBusy at once.
func (v *Volume) TryLock(d File) error {
	if !v.Locks {
		return nil
	}
	return d.TryLock(true)
}

// Lock takes a directory's exclusive lock and waits for it a while.
func (v *Volume) Lock(d File) error {
	if !v.Locks {
		return nil
	}
	return await(d, true)
}

// Share takes a directory's shared lock. It waits, but not for ever, since the holder
// may have been stopped. The caller goes on without the lock then.
func (v *Volume) Share(d File) {
	if v.Locks {
		_ = await(d, false)
	}
}

// await waits for the lock. After the last try it returns ErrBusy.
func await(d File, exclusive bool) (err error) {
	for range Tries {
		if err = d.TryLock(exclusive); !errors.Is(err, ErrBusy) {
			break
		}
	}
	return err
}

// MaxTries is how often a step is tried that other processes may prevent, such as taking
// a lock. A process that was stopped while it holds one must not stop others.
const MaxTries = 100

// Tries runs the body of a loop up to MaxTries times, with pauses of two seconds in all.
// It reads no clock: a process that was stopped has as many tries left as before.
func Tries(body func() bool) {
	pause := 100 * time.Microsecond
	for range MaxTries {
		if !body() {
			return
		}
		time.Sleep(pause)
		pause = min(2*pause, 20*time.Millisecond)
	}
}

// IgnoreNotExist returns err, or nil if it wraps fs.ErrNotExist, since another process
// may remove a file at any time.
func IgnoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// IgnoreUnsupported returns err, or nil if it says that the file system cannot sync
// directories.
func IgnoreUnsupported(err error) error {
	if err != nil && (errors.Is(err, errors.ErrUnsupported) || CannotSync(err)) {
		return nil
	}
	return err
}

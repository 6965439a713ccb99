package cache

import (
	"fmt"
	"os"
	"path"
	"time"

	"github.com/envwrap/envwrap/internal/platform/filelock"
)

// A Lock is a place in the queue of processes that want to run the command of a key.
// The first one holds the lock of the key's file, and the others try for it at
// intervals. The one that gets it finds the result in the file, or else has to run the
// command itself. The first one has removed the file's name by then. The lock ends with
// its process.
type Lock struct {
	c    *Cache
	name string
	f    *os.File
	mine bool
}

// A State is the state of a Lock.
type State int

const (
	Busy   State = iota // another process is running the command
	Mine                // the caller has to run it, and to call Share or Release
	Shared              // another process has run it meanwhile
)

// Lock returns a new Lock for a key.
func (c *Cache) Lock(k Key) (*Lock, error) {
	l := &Lock{c: c, name: path.Join(locksDir, k.name())}
	if err := l.open(); err != nil {
		return nil, fmt.Errorf("wait for the same run: %w", err)
	}
	return l, nil
}

func (l *Lock) open() (err error) {
	l.f, err = l.c.dir.OpenFile(l.name, os.O_RDWR|os.O_CREATE, 0o600)
	return err
}

// Adopt returns the Lock of the process that started this one, whose open file f holds
// the lock.
func (c *Cache) Adopt(k Key, f *os.File) *Lock {
	return &Lock{c: c, name: path.Join(locksDir, k.name()), f: f, mine: true}
}

// File returns the open file that holds the lock. A process that inherits it holds the
// lock, too.
func (l *Lock) File() *os.File { return l.f }

// Try tries once for the lock, without waiting.
func (l *Lock) Try() (State, *Entry, error) {
	for {
		ok, err := filelock.Exclusive.Try(l.f)
		if err != nil || !ok {
			return Busy, nil, err
		}
		if e := l.shared(); e != nil {
			return Shared, e, nil
		}
		if l.current() {
			l.mine = true
			return Mine, nil, l.f.Truncate(0)
		}
		// Whoever had it went without a result, and took the name along.
		_ = l.f.Close()
		if err := l.open(); err != nil {
			return Busy, nil, err
		}
	}
}

// shared returns the entry that the file has, or nil.
func (l *Lock) shared() *Entry {
	e, err := readWhole(l.f)
	if err != nil {
		return nil
	}
	return e
}

// current reports whether the file still has its name.
func (l *Lock) current() bool { return l.c.dir.Same(l.f, l.name) }

// Share passes the result to all that wait, and releases the lock. If it cannot be written,
// the next of them runs the command.
func (l *Lock) Share(e *Entry) {
	if text, err := e.encode(); err == nil {
		_, _ = l.f.WriteAt(text, 0) // readers ignore a torn one
	}
	l.Release()
}

// Release releases the lock, or stops waiting for it. The next in the queue runs the command.
func (l *Lock) Release() {
	if l.mine {
		_ = l.c.dir.Remove(l.name)
		l.mine = false
	}
	_ = l.f.Close()
}

// HandOver leaves the lock to a process that has inherited the file.
func (l *Lock) HandOver() { _ = l.f.Close() }

// sweepLocks removes the lock files of processes that died.
func (c *Cache) sweepLocks() {
	if !c.Locks() {
		return
	}
	files, _ := c.dir.ReadDir(locksDir)
	for _, info := range files {
		if c.now().Sub(info.ModTime()) < time.Hour || !isKeyName(info.Name()) {
			continue
		}
		l, err := c.Lock(Key("sha256:" + info.Name()))
		if err != nil {
			continue
		}
		_, _, _ = l.Try()
		l.Release() // removes it where it was free
	}
}

package cache

import (
	"fmt"
	"os"
	"path"
	"time"

	"github.com/envwrap/envwrap/internal/platform/filelock"
)

// A Turn is a place in the queue of processes that want to run the command of a key.
// The first one holds the lock of the key's file, and the others try for it at
// intervals. The one that gets it finds the result in the file, or else has to run the
// command itself. The first one has removed the file's name by then. The lock ends with
// its process.
type Turn struct {
	c    *Cache
	name string
	f    *os.File
	mine bool
}

// A State is the state of a Turn.
type State int

const (
	Busy   State = iota // another process is running the command
	Mine                // the caller has to run it, and to call Share or Leave
	Shared              // another process has run it meanwhile
)

// Turn returns a new Turn for a key.
func (c *Cache) Turn(k Key) (*Turn, error) {
	t := &Turn{c: c, name: path.Join(locksDir, k.name())}
	if err := t.open(); err != nil {
		return nil, fmt.Errorf("wait for the same run: %w", err)
	}
	return t, nil
}

func (t *Turn) open() (err error) {
	t.f, err = t.c.dir.OpenFile(t.name, os.O_RDWR|os.O_CREATE, 0o600)
	return err
}

// Adopt returns the Turn of the process that started this one, whose open file f holds
// the lock.
func (c *Cache) Adopt(k Key, f *os.File) *Turn {
	return &Turn{c: c, name: path.Join(locksDir, k.name()), f: f, mine: true}
}

// File returns the open file that holds the lock. A process that inherits it holds the
// lock, too.
func (t *Turn) File() *os.File { return t.f }

// Try tries once for the lock, without waiting.
func (t *Turn) Try() (State, *Entry, error) {
	for {
		ok, err := filelock.Exclusive.Try(t.f)
		if err != nil || !ok {
			return Busy, nil, err
		}
		if e := t.shared(); e != nil {
			return Shared, e, nil
		}
		if t.current() {
			t.mine = true
			return Mine, nil, t.f.Truncate(0)
		}
		// Whoever had it went without a result, and took the name along.
		_ = t.f.Close()
		if err := t.open(); err != nil {
			return Busy, nil, err
		}
	}
}

// shared returns the entry that the file has, or nil.
func (t *Turn) shared() *Entry {
	e, err := readWhole(t.f)
	if err != nil {
		return nil
	}
	return e
}

// current reports whether the file still has its name.
func (t *Turn) current() bool { return t.c.dir.Same(t.f, t.name) }

// Share ends the turn and passes the result to all that wait. If it cannot be written
// the next of them runs the command.
func (t *Turn) Share(e *Entry) {
	if text, err := e.encode(); err == nil {
		_, _ = t.f.WriteAt(text, 0) // a torn one is none
	}
	t.Leave()
}

// Leave ends the turn, or stops waiting. The next in the queue runs the command.
func (t *Turn) Leave() {
	if t.mine {
		_ = t.c.dir.Remove(t.name)
		t.mine = false
	}
	_ = t.f.Close()
}

// HandOver leaves the turn to a process that has inherited the file.
func (t *Turn) HandOver() { _ = t.f.Close() }

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
		t, err := c.Turn(Key("sha256:" + info.Name()))
		if err != nil {
			continue
		}
		_, _, _ = t.Try()
		t.Leave() // removes it where it was free
	}
}

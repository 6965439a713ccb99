package cache

import (
	"fmt"
	"os"
	"path"
	"time"

	"github.com/envwrap/envwrap/internal/owned"
)

// A Turn is a place in the line of those who want to run one key. The first has
// the lock of the key's file; the others look from time to time, and when they
// get the lock, the file has what the first found out, or the turn is theirs.
// The file is gone by then, so that nothing is left. The lock dies with
// its process.
type Turn struct {
	c    *Cache
	name string
	f    *os.File
	mine bool
}

// A State says how far a Turn has come.
type State int

const (
	Busy   State = iota // another runs it
	Mine                // it is ours to run, and to end with Share or Leave
	Shared              // another has run it while we waited
)

// Turn joins the line of a key.
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

// Adopt makes a Turn of a file that holds the lock already, from the process
// that began this one.
func (c *Cache) Adopt(k Key, f *os.File) *Turn {
	return &Turn{c: c, name: path.Join(locksDir, k.name()), f: f, mine: true}
}

// File returns the open file that has the lock: whoever inherits it has the lock too.
func (t *Turn) File() *os.File { return t.f }

// Try looks once, without waiting.
func (t *Turn) Try() (State, *Entry, error) {
	for {
		ok, err := owned.TryLock(t.f, true)
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

// shared returns the entry that the file holds, nil where it holds none.
func (t *Turn) shared() *Entry {
	e, err := readWhole(t.f)
	if err != nil {
		return nil
	}
	return e
}

// current reports whether the file still has its name.
func (t *Turn) current() bool { return t.c.dir.Same(t.f, t.name) }

// Share ends the turn and gives the result to all who wait. Where that cannot
// be written the next of them runs it.
func (t *Turn) Share(e *Entry) {
	if text, err := e.encode(); err == nil {
		_, _ = t.f.WriteAt(text, 0) // a torn one is none
	}
	t.Leave()
}

// Leave ends the turn, or gives up waiting. The next in line runs it.
func (t *Turn) Leave() {
	if t.mine {
		_ = t.c.dir.Remove(t.name)
		t.mine = false
	}
	_ = t.f.Close()
}

// HandOver gives up the turn to a process that has inherited the file.
func (t *Turn) HandOver() { _ = t.f.Close() }

// sweepLocks removes the files of those who died with the lock.
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

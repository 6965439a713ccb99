//go:build unix

package cache

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// dup opens the same open file under another descriptor, as a child gets it.
func dup(f *os.File) (*os.File, error) {
	fd, err := syscall.Dup(int(f.Fd()))
	return os.NewFile(uintptr(fd), f.Name()), err
}

func try(t *testing.T, lock *Lock, want State) *Entry {
	t.Helper()
	got, e, err := lock.Try()
	if err != nil || got != want {
		t.Fatalf("state %d, want %d, %v", got, want, err)
	}
	return e
}

func join(t *testing.T, c *Cache, k Key) *Lock {
	t.Helper()
	lock, err := c.Lock(k)
	must(t, err)
	return lock
}

// The first runs, the others get what it shares, and nothing is left.
func TestLockShares(t *testing.T) {
	c := newCache(t)
	e := sampleEntry(t, c)
	first, second, third := join(t, c, e.Key), join(t, c, e.Key), join(t, c, e.Key)
	try(t, first, Mine)
	try(t, second, Busy)
	first.Share(e)
	if got := try(t, second, Shared); got.Key != e.Key || string(got.Recording.Stdout.Bytes) != string(e.Recording.Stdout.Bytes) {
		t.Errorf("got %+v", got)
	}
	late := join(t, c, e.Key)
	try(t, late, Mine) // what is done is done
	second.Release()
	try(t, third, Shared)
	third.Release()
	late.Release()
	if left, _ := os.ReadDir(filepath.Join(c.dir.Name(), locksDir)); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// A holder that leaves without a result, or is killed, passes the lock to the next
// waiter; a half-written result is no result.
func TestLockGoesOn(t *testing.T) {
	c := newCache(t)
	e := sampleEntry(t, c)
	first, second, third := join(t, c, e.Key), join(t, c, e.Key), join(t, c, e.Key)
	try(t, first, Mine)
	first.Release()
	try(t, second, Mine)
	text, err := e.encode()
	must(t, err)
	_, err = second.f.WriteAt(text[:len(text)-1], 0)
	must(t, err)
	must(t, second.f.Close()) // as the death of a process does
	try(t, third, Mine)
	if info, err := third.f.Stat(); err != nil || info.Size() > 0 {
		t.Errorf("what another left is still there: %v", err)
	}
	third.Release()
}

// A lock that is handed over is held by whoever has the file.
func TestLockHandOver(t *testing.T) {
	c := newCache(t)
	e := sampleEntry(t, c)
	first, second := join(t, c, e.Key), join(t, c, e.Key)
	try(t, first, Mine)
	fd, err := dup(first.File())
	must(t, err)
	heir := c.Adopt(e.Key, fd)
	first.HandOver()
	try(t, second, Busy)
	heir.Share(e)
	try(t, second, Shared)
	second.Release()
}

// A lock whose file is closed, or cannot be made anew, is an error and not ours.
func TestLockFails(t *testing.T) {
	c := newCache(t)
	e := sampleEntry(t, c)
	first, second := join(t, c, e.Key), join(t, c, e.Key)
	try(t, first, Mine)
	first.Release()
	if state, _, err := first.Try(); err == nil || state != Busy {
		t.Errorf("a closed file: state %d, %v", state, err)
	}
	must(t, os.Remove(filepath.Join(c.dir.Name(), locksDir)))
	if state, _, err := second.Try(); err == nil || state != Busy {
		t.Errorf("no directory: state %d, %v", state, err)
	}
}

// The files of dead holders go when it is time; those of the living stay.
func TestSweepLocks(t *testing.T) {
	c := newCache(t)
	e := sampleEntry(t, c)
	other := Key("sha256:" + e.Key.name()[1:] + "0")
	alive, dead := join(t, c, e.Key), join(t, c, other)
	try(t, alive, Mine)
	try(t, dead, Mine)
	must(t, dead.f.Close())
	later := c.now().Add(time.Hour)
	c.now = func() time.Time { return later }
	c.sweepLocks()
	left, _ := os.ReadDir(filepath.Join(c.dir.Name(), locksDir))
	if len(left) != 1 || left[0].Name() != e.Key.name() {
		t.Errorf("left: %v", left)
	}
	alive.Release()
}

//go:build unix

package filelock

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// opened makes a file and opens it as often as asked for.
func opened(t *testing.T, n int) []*os.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "lock")
	files := make([]*os.File, n)
	for i := range files {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		files[i] = f
	}
	return files
}

// try fails the test if a lock is not taken, or refused, as wanted.
func try(t *testing.T, f *os.File, m Mode, want bool) {
	t.Helper()
	if got, err := m.Try(f); got != want || err != nil {
		t.Errorf("exclusive %t: got %t, %v, want %t", m, got, err, want)
	}
}

// locked makes a file, and opens it twice: the first has its lock.
func locked(t *testing.T) (holder, other *os.File) {
	t.Helper()
	files := opened(t, 2)
	try(t, files[0], Exclusive, true)
	return files[0], files[1]
}

// A shared lock may be held by several, an exclusive one by one; it ends with its file.
func TestTry(t *testing.T) {
	files := opened(t, 3)
	try(t, files[0], Shared, true)
	try(t, files[1], Shared, true)
	try(t, files[1], Exclusive, false)
	if err := files[1].Close(); err != nil {
		t.Fatal(err)
	}
	if err := Exclusive.Await(files[0]); err != nil {
		t.Fatal(err)
	}
	try(t, files[2], Shared, false)
	if got, err := Exclusive.Try(files[1]); got || err == nil {
		t.Errorf("a closed file: got %t, %v", got, err)
	}
}

// A lock whose holder does nothing is not waited for without end.
func TestWaitForStalledLock(t *testing.T) {
	t.Parallel()
	holder, other := locked(t)
	before := trace(other)
	for _, who := range []string{"another envwrap", fmt.Sprintf("envwrap, process %d,", os.Getpid())} {
		want := who + " has held it for 50ms: is it stopped?"
		if err := WaitFor(other, 50*time.Millisecond); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		Sign(holder)
	}
	if trace(other) == before {
		t.Error("the holder has left no trace")
	}
}

// A lock that becomes free is taken.
func TestWaitForLock(t *testing.T) {
	t.Parallel()
	holder, other := locked(t)
	go holder.Close()
	if err := WaitFor(other, time.Hour); err != nil {
		t.Error(err)
	}
}

// A lock that passes from hand to hand is waited for, however long the line is.
func TestWaitForLockInUse(t *testing.T) {
	s := lockWatch{seen: "0"}
	for hand := range 3 {
		for look := range polls {
			if s.poll(strconv.Itoa(hand)) {
				t.Fatalf("look %d at what the holder %d left was the last", look, hand)
			}
		}
	}
	if s.poll("2") || !s.poll("2") {
		t.Error("it does not end after the looks of the last one")
	}
}

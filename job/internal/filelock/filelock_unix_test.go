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

// locked makes a file, and opens it twice: the first has its lock.
func locked(t *testing.T) (holder, other *os.File) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "lock")
	for _, f := range []**os.File{&holder, &other} {
		opened, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = opened.Close() })
		*f = opened
	}
	if got, err := Exclusive.Try(holder); err != nil || !got {
		t.Fatalf("lock: %v, %v", got, err)
	}
	return holder, other
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
	s := stall{seen: "0"}
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

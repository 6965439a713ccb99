//go:build unix

package job

import (
	"os"
	"path/filepath"
	"strings"
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
	if got, err := exclusive.try(holder); err != nil || !got {
		t.Fatalf("lock: %v, %v", got, err)
	}
	return holder, other
}

// A lock whose holder does nothing is not waited for without end.
func TestPatienceEnds(t *testing.T) {
	t.Parallel()
	_, other := locked(t)
	if err := patiently(other, 50*time.Millisecond); err == nil || !strings.Contains(err.Error(), "is it stopped?") {
		t.Errorf("got %v", err)
	}
}

// A lock that passes from hand to hand is waited for, however long the line is.
func TestPatienceWithProgress(t *testing.T) {
	t.Parallel()
	const wait = time.Second
	holder, other := locked(t)
	go func() {
		again := time.NewTicker(10 * time.Millisecond)
		defer again.Stop()
		for end := time.Now().Add(5 * wait / 2); time.Now().Before(end); <-again.C {
			if _, err := holder.WriteAt([]byte(time.Now().String()), 0); err != nil {
				t.Error(err)
			}
		}
		_ = holder.Close()
	}()
	if err := patiently(other, wait); err != nil {
		t.Error(err)
	}
}

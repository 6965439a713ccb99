package spawn

import (
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// Each error of a start has its kind.
func TestKindOf(t *testing.T) {
	for err, want := range map[syscall.Errno]struct {
		kind      Kind
		transient bool
	}{
		syscall.ENOENT: {Missing, false}, syscall.ENOEXEC: {NoFormat, false}, syscall.E2BIG: {TooLong, false},
		syscall.EAGAIN: {Exhausted, true}, syscall.ENOMEM: {Exhausted, false}, syscall.ETXTBSY: {Other, true}, syscall.EACCES: {Other, false},
	} {
		wrapped := &os.PathError{Op: "fork/exec", Path: "x", Err: err}
		if kind, transient := KindOf(wrapped), isTransient(wrapped); kind != want.kind || transient != want.transient {
			t.Errorf("%v: %d, %t", err, kind, transient)
		}
	}
}

// There is room for a few processes.
func TestTableSpace(t *testing.T) {
	if err := tableSpace(3); err != nil {
		t.Error(err)
	}
}

// A start is tried again for a second while its error may pass, and no other.
func TestRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			err         error
			times       int // it fails
			least, most time.Duration
			fails       bool
		}{
			{syscall.EACCES, 1, 0, 0, true},
			{syscall.EAGAIN, 1, time.Millisecond, time.Millisecond, false},
			{syscall.ETXTBSY, 3, 7 * time.Millisecond, 7 * time.Millisecond, false},
			{syscall.EAGAIN, 1000, time.Second, time.Second + busyMost, true},
		} {
			calls, begun := 0, time.Now()
			err := Retry(func() error {
				if calls++; calls > c.times {
					return nil
				}
				return c.err
			})
			if took := time.Since(begun); (err != nil) != c.fails || took < c.least || took > c.most {
				t.Errorf("%v, %d times: %v after %v", c.err, c.times, err, took)
			}
		}
	})
}

// The process leads a group if it is to, and does not outlive this one.
func TestAttributes(t *testing.T) {
	for _, own := range []bool{false, true} {
		if got := *Attributes(own); got.Setpgid != own || got.Pdeathsig != syscall.SIGTERM {
			t.Errorf("own group %v: %+v", own, got)
		}
	}
	if _, err := Start("/nowhere", []string{"x"}, &os.ProcAttr{Env: []string{}, Sys: Attributes(false)}); KindOf(err) != Missing {
		t.Error(err)
	}
}

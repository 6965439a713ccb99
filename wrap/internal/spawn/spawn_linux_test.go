package spawn

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"
)

// Each error of a start has its kind.
func TestKindOf(t *testing.T) {
	for err, want := range map[syscall.Errno]struct {
		kind      Failure
		transient bool
	}{
		syscall.ENOENT: {Missing, false}, syscall.ENOEXEC: {NoFormat, false}, syscall.E2BIG: {TooLong, false},
		syscall.EAGAIN: {Exhausted, true}, syscall.ENOMEM: {Exhausted, false}, syscall.ETXTBSY: {Other, true}, syscall.EACCES: {Other, false},
	} {
		wrapped := &os.PathError{Op: "fork/exec", Path: "x", Err: err}
		if kind, transient := FailureOf(wrapped), isTransient(wrapped); kind != want.kind || transient != want.transient {
			t.Errorf("%v: %d, %t", err, kind, transient)
		}
	}
}

// There is room for a few processes, of which none is left.
func TestTableSpace(t *testing.T) {
	if err := tableSpace(3); err != nil {
		t.Error(err)
	}
	calls := 0
	err := forkEach(3, func() (int, syscall.Errno) {
		if calls++; calls == 2 {
			return 0, syscall.EAGAIN
		}
		return forkIdle()
	})
	if !errors.Is(err, syscall.EAGAIN) || calls != 2 {
		t.Errorf("a full table: %v after %d processes", err, calls)
	}
	if pid, err := syscall.Wait4(-1, nil, syscall.WALL|syscall.WNOHANG, nil); !errors.Is(err, syscall.ECHILD) {
		t.Errorf("left: process %d, %v", pid, err)
	}
}

// A limit below 1024 is small.
func TestFewProcesses(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("the limit would hold for the threads of this test: root has none")
	}
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &before); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Setrlimit(unix.RLIMIT_NPROC, &before) }()
	for limit, want := range map[uint64]bool{1023: true, 1024: false} {
		if err := unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: limit, Max: max(before.Max, limit)}); err != nil {
			t.Fatal(err)
		}
		if fewProcesses() != want {
			t.Errorf("a limit of %d processes: %t", limit, !want)
		}
	}
}

// Threads are reserved for a run with limits, and for a user who may have few. Such a
// user has few processors, an error where there is no room, and the threads before the
// command is started.
func TestReserve(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	const all = reservedThreads + mostProcs
	for _, c := range []struct {
		limited, few       bool
		err                error
		procs, asked, made int
	}{
		{false, false, nil, 8, 0, 0},
		{true, false, nil, 8, 0, all},
		{false, true, nil, mostProcs, all, all},
		{true, true, nil, mostProcs, all, all},
		{false, true, syscall.EACCES, mostProcs, all, 0},
	} {
		runtime.GOMAXPROCS(8)
		asked, made, returned := 0, 0, make(chan struct{})
		wait, err := reserve(c.limited, c.few, func(n int) error { asked = n; return c.err }, func(n int) {
			if !c.few {
				<-returned // else there is no time to lose
			}
			made = n
		})
		close(returned)
		if !c.few {
			wait()
		}
		if procs := runtime.GOMAXPROCS(0); asked != c.asked || made != c.made || procs != c.procs || !errors.Is(err, c.err) {
			t.Errorf("limited %t, few %t: asked for %d, made %d, %d processors, %v", c.limited, c.few, asked, made, procs, err)
		}
	}
}

// As many threads are there as were asked for, beside that of the test.
func TestStartThreads(t *testing.T) {
	const n = 20
	if startThreads(n); threads(t) < n+1 {
		t.Errorf("%d threads", threads(t))
	}
}

// threads returns how many this process has.
func threads(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
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
	if _, err := Start("/nowhere", []string{"x"}, &os.ProcAttr{Env: []string{}, Sys: Attributes(false)}); FailureOf(err) != Missing {
		t.Error(err)
	}
}

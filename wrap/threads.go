package wrap

import (
	"runtime"
	"sync"
	"time"
)

const (
	// reservedThreads is how many threads may wait for the system at once, beside
	// those on which Go code runs: for the child, for a disk and for a reader of
	// each stream, and for what is read of processes.
	reservedThreads = 6
	// mostProcs bounds the threads on which Go code runs where a user may have
	// few: else the garbage collector alone starts one for each processor.
	mostProcs = 4
)

// reserve gets the threads that the run may need before its command can fill the
// process table. The Go runtime starts one when it needs it, and ends the program
// where that is refused: nobody would stop the command then. It costs a few tenths
// of a millisecond, so it is left out where nothing limits the run and the table
// is large.
func (r *run) reserve() *startFailure {
	few := fewProcesses()
	if !few && r.c.Timeout == 0 && r.c.IdleTimeout == 0 && r.c.OnOverflow != OverflowKill {
		return nil
	}
	if few && runtime.GOMAXPROCS(0) > mostProcs {
		runtime.GOMAXPROCS(mostProcs)
	}
	n := reservedThreads + min(runtime.GOMAXPROCS(0), mostProcs)
	if few {
		if err := patiently(func() error { return tableSpace(n) }); err != nil {
			return exhausted(r.c.Argv[0], err)
		}
	}
	startThreads(n)
	return nil
}

// startThreads makes the Go runtime have n threads more than those that are in a
// system call. It keeps them when they have nothing to do.
func startThreads(n int) {
	var ready, done sync.WaitGroup
	release := make(chan struct{})
	ready.Add(n)
	for range n {
		done.Go(func() {
			runtime.LockOSThread() // a thread for each of them, while all wait
			defer runtime.UnlockOSThread()
			ready.Done()
			<-release
		})
	}
	ready.Wait()
	close(release)
	done.Wait()
}

// patiently calls do, and again after a pause as long as it fails for a reason that may
// pass.
func patiently(do func() error) error {
	for waited, delay := time.Duration(0), busyDelay; ; waited, delay = waited+delay, min(2*delay, busyMost) {
		err := do()
		if err == nil || !isTransient(err) || waited >= busyWait {
			return err
		}
		time.Sleep(delay)
	}
}

// busyWait bounds the pauses after which a program that another process is still
// writing (ETXTBSY, go.dev/issue/22315), or a full process table (EAGAIN), is tried
// again. They are counted and not measured: what is in the way may be off its core
// while we are. busyDelay is the first pause, which doubles up to busyMost.
const (
	busyWait  = time.Second
	busyDelay = time.Millisecond
	busyMost  = 50 * time.Millisecond
)

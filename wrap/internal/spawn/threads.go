package spawn

import (
	"runtime"
	"sync"
)

const (
	// reservedThreads is how many threads may wait for the system at once, beside
	// those on which Go code runs: for the child, for a disk and for a reader of
	// each stream, and for reading about processes.
	reservedThreads = 6
	// mostProcs bounds the threads on which Go code runs where a user may have
	// few: else the garbage collector alone starts one for each processor.
	mostProcs = 4
)

// Reserve gets the threads that a run may need before its command can fill the
// process table. The Go runtime starts one when it needs it, and ends the program
// where that is refused: nobody would stop the command then. It costs a few tenths
// of a millisecond, so it is left out where the run is not limited and the table
// is large.
func Reserve(limited bool) error { return reserve(limited, fewProcesses(), tableSpace) }

// reserve does so where the user may have few processes or many. room returns why there
// is no room for n more.
func reserve(limited, few bool, room func(n int) error) error {
	if !few && !limited {
		return nil
	}
	if few && runtime.GOMAXPROCS(0) > mostProcs {
		runtime.GOMAXPROCS(mostProcs)
	}
	n := reservedThreads + min(runtime.GOMAXPROCS(0), mostProcs)
	if few {
		if err := Retry(func() error { return room(n) }); err != nil {
			return err
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

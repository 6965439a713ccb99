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
// is large. In a large table the threads are made while the system starts the command,
// which cannot fill it as fast; wait returns when they are there.
func Reserve(limited bool) (wait func(), err error) {
	return reserve(limited, fewProcesses(), tableSpace, startThreads)
}

// reserve does so where the user may have few processes or many. room returns why there
// is no room for n more, and start makes them.
func reserve(limited, few bool, room func(n int) error, start func(n int)) (wait func(), err error) {
	var made sync.WaitGroup
	if !few && !limited {
		return made.Wait, nil
	}
	if few && runtime.GOMAXPROCS(0) > mostProcs {
		runtime.GOMAXPROCS(mostProcs)
	}
	n := reservedThreads + min(runtime.GOMAXPROCS(0), mostProcs)
	if few {
		if err := Retry(func() error { return room(n) }); err != nil {
			return made.Wait, err
		}
	}
	made.Go(func() { start(n) })
	if few {
		made.Wait()
	}
	return made.Wait, nil
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

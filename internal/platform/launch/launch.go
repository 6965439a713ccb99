// Package launch starts processes whose program may be on a file system that does not
// answer, as that of a server that is gone.
//
// On Linux a thread that starts a process waits in clone(2), with CLONE_VFORK, until the
// process has executed its program, and keeps what the Go runtime needs to run goroutines
// on it. A garbage collection that begins meanwhile stops all goroutines, and waits for
// that thread: no signal and no time limit would be seen.
//
// It also ties what was started to this process: by a group that ends with the context,
// and by the end of this process.
package launch

import (
	"context"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
)

// Run runs a command as its Run method does. A ctx that is done ends the wait for the
// program's file with its cause, after which nothing is started; for the process itself
// it counts if the command was made with it.
func Run(ctx context.Context, cmd *exec.Cmd) error {
	if err := Start(ctx, cmd); err != nil {
		return err
	}
	return cmd.Wait()
}

// Start starts a command as its Start method does, when its file has answered or ctx is
// done.
func Start(ctx context.Context, cmd *exec.Cmd) error {
	path := cmd.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(cmd.Dir, path)
	}
	if err := await(ctx, path); err != nil {
		return err
	}
	return Uncollected(cmd.Start)
}

// await calls [Reach] until it returns or ctx is done.
func await(ctx context.Context, path string) error {
	reached := make(chan struct{})
	go func() {
		defer close(reached)
		Reach(path)
	}()
	select {
	case <-reached:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Reach waits until the beginning of a program and of its interpreters can be read, or is
// known to be unreadable, in system calls beside which other goroutines run. It takes some
// 5 microseconds for each file.
func Reach(path string) {
	for range mostInterpreters {
		if path = ReadHeader(path).Interpreter; path == "" {
			return
		}
	}
}

// mostInterpreters is how many files the kernel reads at most to execute one (execve(2),
// Interpreter scripts).
const mostInterpreters = 5

// inFlight counts the starts that wait for their program.
var inFlight struct {
	sync.Mutex
	n       int
	percent int // of the garbage collector, as it was before
}

// Uncollected calls start while no garbage is collected: a collection that has begun ends
// before, and none begins until start returns. It costs about a microsecond, and may be
// called from several goroutines at once.
func Uncollected(start func() error) error {
	hold()
	defer release()
	return start()
}

func hold() {
	inFlight.Lock()
	defer inFlight.Unlock()
	if inFlight.n++; inFlight.n == 1 {
		inFlight.percent = debug.SetGCPercent(-1)
	}
}

func release() {
	inFlight.Lock()
	defer inFlight.Unlock()
	if inFlight.n--; inFlight.n == 0 {
		debug.SetGCPercent(inFlight.percent)
	}
}

// usualPercent is how much the heap grows between two collections unless GOGC says otherwise,
// slowPercent after GrowSlowly.
const (
	usualPercent = 100
	slowPercent  = 50
)

// GrowSlowly has the heap grow half as much between collections from the first one on, unless
// GOGC is set: it takes 3 MB off the memory of a run with a long output, and costs nothing
// where the process ends before the first collection.
func GrowSlowly() { afterCollection(growSlowly) }

func growSlowly() {
	inFlight.Lock()
	defer inFlight.Unlock()
	if inFlight.n == 0 {
		inFlight.percent = debug.SetGCPercent(slowPercent)
	}
	if inFlight.percent == usualPercent {
		inFlight.percent = slowPercent
	}
	if inFlight.n == 0 {
		debug.SetGCPercent(inFlight.percent)
	}
}

// afterCollection calls f in a goroutine after the next collection of garbage.
func afterCollection(f func()) {
	runtime.AddCleanup(new([4]uintptr), func(f func()) { f() }, f)
}

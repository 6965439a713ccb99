package jq

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

const (
	// guardPause is how often a guard looks.
	guardPause = 20 * time.Millisecond
	// abortAfter is after how many looks an expression that was stopped and goes on is
	// aborted.
	abortAfter = 10
)

// A guard ends a run whose expression takes too long between two values of
// its input, or too much memory: expressions may call themselves for ever. Time
// in which it waits, for its input or for who takes the results, does not count.
type guard struct {
	ctx    context.Context
	stop   context.CancelCauseFunc
	ended  chan struct{}
	spent  atomic.Int64 // looks since the last value of the input
	paused atomic.Bool
}

// newGuard watches until end is called. A limit of 0 does not limit, and abort may be nil.
func newGuard(ctx context.Context, timeout time.Duration, memory int64, abort func(error)) *guard {
	g := &guard{ended: make(chan struct{})}
	g.ctx, g.stop = context.WithCancelCause(ctx)
	go g.watch(timeout, memory, abort)
	return g
}

func (g *guard) watch(timeout time.Duration, memory int64, abort func(error)) {
	tick := time.NewTicker(guardPause)
	defer tick.Stop()
	for late := 0; late < abortAfter; {
		select {
		case <-g.ended:
			return
		case <-tick.C:
		}
		switch {
		case g.paused.Load():
		case g.ctx.Err() != nil:
			late++
		case timeout > 0 && time.Duration(g.spent.Add(1))*guardPause > timeout:
			g.stop(fmt.Errorf("it took more than %v for one value of the input", timeout))
		}
		if memory > 0 && g.ctx.Err() == nil && heapAbove(uint64(memory)) {
			g.stop(fmt.Errorf("it took more than %d MiB of memory", memory>>20))
		}
	}
	if abort != nil {
		abort(fmt.Errorf("run expression: %w", context.Cause(g.ctx)))
	}
}

// heapAbove reports whether the heap, without garbage, has more than so many bytes.
func heapAbove(most uint64) bool {
	var heap runtime.MemStats // runtime/metrics makes its tables at every start of the program
	runtime.ReadMemStats(&heap)
	if heap.HeapAlloc > most { // garbage included, which may be most of it
		runtime.GC()
		runtime.ReadMemStats(&heap)
	}
	return heap.HeapAlloc > most
}

// end ends the guard, which then aborts nothing.
func (g *guard) end() {
	close(g.ended)
	g.stop(nil)
}

// cause is why the guard, or its caller, ended the run; err where none did.
func (g *guard) cause(err error) error {
	if why := context.Cause(g.ctx); why != nil {
		return why
	}
	return err
}

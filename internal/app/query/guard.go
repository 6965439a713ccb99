package query

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

// guardPause is how often a guard looks.
const guardPause = 20 * time.Millisecond

// A guard ends a run whose expression takes too long between two values of
// its input, or too much memory: expressions may call themselves for ever. Time
// in which it waits, for its input or for who takes the results, does not count.
type guard struct {
	ctx    context.Context
	stop   context.CancelCauseFunc
	spent  atomic.Int64 // looks since the last value of the input
	paused atomic.Bool
}

// newGuard watches until end is called. A limit of 0 is none.
func newGuard(ctx context.Context, most time.Duration, memory int64) *guard {
	g := &guard{}
	g.ctx, g.stop = context.WithCancelCause(ctx)
	if most > 0 || memory > 0 {
		go g.watch(most, memory)
	}
	return g
}

func (g *guard) watch(most time.Duration, memory int64) {
	tick := time.NewTicker(guardPause)
	defer tick.Stop()
	var heap runtime.MemStats // runtime/metrics makes its tables at every start of the program
	for {
		select {
		case <-g.ctx.Done():
			return
		case <-tick.C:
		}
		if !g.paused.Load() && most > 0 && time.Duration(g.spent.Add(1))*guardPause > most {
			g.stop(fmt.Errorf("it took more than %v for one value of the input", most))
		}
		if memory == 0 {
			continue
		}
		runtime.ReadMemStats(&heap)
		if heap.HeapAlloc > uint64(memory) { // garbage included, which may be most of it
			runtime.GC()
			runtime.ReadMemStats(&heap)
		}
		if heap.HeapAlloc > uint64(memory) {
			g.stop(fmt.Errorf("it took more than %d MiB of memory", memory>>20))
		}
	}
}

func (g *guard) end() { g.stop(nil) }

// cause is why the guard, or its caller, ended the run; err where none did.
func (g *guard) cause(err error) error {
	if why := context.Cause(g.ctx); why != nil {
		return why
	}
	return err
}

// watched passes on values, each of which gives the expression all of its time
// again.
type watched struct {
	Values
	g *guard
}

func (w watched) Next() (any, bool) {
	w.g.paused.Store(true)
	v, ok := w.Values.Next()
	w.g.spent.Store(0)
	w.g.paused.Store(false)
	return v, ok
}

// tooDeep reports whether a value has more than depth levels. What prints it
// calls itself for every one.
func tooDeep(v any, depth int) bool {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if depth == 0 || tooDeep(e, depth-1) {
				return true
			}
		}
	case map[string]any:
		for _, e := range v {
			if depth == 0 || tooDeep(e, depth-1) {
				return true
			}
		}
	}
	return false
}

package query

import (
	"context"
	"fmt"
	"runtime/metrics"
	"time"

	"github.com/itchyny/gojq"
)

// guardPause is how often a guard looks at the memory.
const guardPause = 20 * time.Millisecond

// A guard ends a run whose expression takes too long between two values of
// its input, or too much memory: expressions may call themselves for ever. Time
// in which it waits, for its input or for who takes the results, does not count.
type guard struct {
	ctx   context.Context
	stop  context.CancelCauseFunc
	timer *time.Timer // nil without a limit
	most  time.Duration
	left  time.Duration // of most, when the timer was last started
	begun time.Time     // when that was
}

// newGuard watches until end is called. A limit of 0 is none.
func newGuard(ctx context.Context, most time.Duration, memory int64) *guard {
	g := &guard{most: most, left: most, begun: time.Now()}
	g.ctx, g.stop = context.WithCancelCause(ctx)
	if most > 0 {
		g.timer = time.AfterFunc(most, func() {
			g.stop(fmt.Errorf("it took more than %v for one value of the input", most))
		})
	}
	if memory > 0 {
		go g.watch(memory)
	}
	return g
}

// pause stops the clock.
func (g *guard) pause() {
	if g.timer != nil {
		g.timer.Stop()
		g.left -= time.Since(g.begun)
	}
}

// resume starts it again, with the time that is left or, for the next value of
// the input, with all of it.
func (g *guard) resume(next bool) {
	if g.timer == nil {
		return
	}
	if next {
		g.left = g.most
	}
	g.begun = time.Now()
	g.timer.Reset(max(g.left, 1))
}

// watch ends the run where the heap is larger than memory.
func (g *guard) watch(memory int64) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	tick := time.NewTicker(guardPause)
	defer tick.Stop()
	for {
		select {
		case <-g.ctx.Done():
			return
		case <-tick.C:
		}
		metrics.Read(sample)
		if sample[0].Value.Kind() == metrics.KindUint64 && sample[0].Value.Uint64() > uint64(memory) {
			g.stop(fmt.Errorf("it took more than %d MiB of memory", memory>>20))
			return
		}
	}
}

func (g *guard) end() {
	g.pause()
	g.stop(nil)
}

// cause is why the guard, or its caller, ended the run; err where none did.
func (g *guard) cause(err error) error {
	if why := context.Cause(g.ctx); why != nil {
		return why
	}
	return err
}

// watched passes on values, each of which gives the expression more time.
type watched struct {
	gojq.Iter
	g *guard
}

func (w watched) Next() (any, bool) {
	w.g.pause()
	defer w.g.resume(true)
	return w.Iter.Next()
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

package wrap

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"time"
)

// How long envwrap reads on after the child has ended while other processes
// keep its pipes open: until a tenth of a second of quiet, at most two.
const (
	drainSlice = 10 * time.Millisecond
	drainQuiet = 100 * time.Millisecond
	drainMost  = 2 * time.Second
)

// drain waits for the end of both streams. Bytes that come are kept; a
// process that holds a pipe and says nothing does not hold us. Time in which
// our own reader is slow does not count: nothing is cut for its sake.
func (r *run) drain() {
	slices := time.NewTicker(drainSlice)
	defer slices.Stop()
	var quiet, total time.Duration
	enough := cmp.Or(r.c.DrainQuiet, drainQuiet)
	seen := r.activity()
	for quiet < enough && total < max(drainMost, enough) {
		select {
		case <-r.pumped:
			return
		case <-slices.C:
		}
		if r.passing() {
			continue
		}
		total += drainSlice
		quiet += drainSlice
		if now := r.activity(); now != seen {
			seen, quiet = now, 0
		}
	}
	r.cutOff()
}

// activity changes whenever a byte was read.
func (r *run) activity() int64 { return r.stdout.active.Load() + r.stderr.active.Load() }

// passing says whether a pump is busy with what it has read.
func (r *run) passing() bool { return r.stdout.busy.Load() || r.stderr.busy.Load() }

// cutOff ends reading, and says who kept the pipes open.
func (r *run) cutOff() {
	var pipes []*os.File
	for _, s := range []*stream{r.stdout, r.stderr} {
		if s.read != nil {
			pipes = append(pipes, s.read)
		}
	}
	held := holders(pipes)
	for _, pipe := range pipes {
		_ = pipe.SetReadDeadline(time.Unix(1, 0))
	}
	<-r.pumped
	if r.stdout.cut || r.stderr.cut {
		r.warn(heldText(r.c.Argv[0], held))
	}
}

func heldText(name string, held []holder) string {
	text := fmt.Sprintf("%s ended while another process kept its output open; what came later is not here", name)
	if len(held) == 0 {
		return text
	}
	names := make([]string, len(held))
	for i, h := range held {
		names[i] = fmt.Sprintf("%d (%s)", h.pid, h.name)
	}
	return text + "; held by " + strings.Join(names, ", ")
}

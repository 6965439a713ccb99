package wrap

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/platform/proc"
	"github.com/envwrap/envwrap/wrap/internal/proctree"
)

// sweep ends the processes of the run that are left after envwrap stopped it. One that
// ignores SIGTERM has until killAt.
func (r *run) sweep(killAt time.Time) {
	if r.stopped.cause == stopNone || r.canceledBelow() {
		return
	}
	if runtime.GOOS == "linux" && !proc.Visible() {
		r.warn("/proc does not show this process: only the command's process group was ended, and what left it was not looked for")
	}
	if !r.tree.Alive() {
		return
	}
	if r.stopped.signal != nil {
		r.tree.TerminateStrays()
	}
	r.warnKilled(r.tree.Sweep(killAt, r.c.Signals, proctree.SweepMost, proctree.SweepAll))
}

// leftoverGrace is how long after the end of the child the processes that it has left may
// end by themselves, before they are named.
const leftoverGrace = 50 * time.Millisecond

// nameLeftovers records the processes that outlived the child, and adds a warning with
// those that no other warning names.
func (r *run) nameLeftovers(left []proctree.Process) {
	var unnamed []string
	for _, p := range left {
		r.left = append(r.left, envelope.Leftover{PID: p.PID, Name: p.Name})
		if !slices.ContainsFunc(r.held, func(h proctree.Process) bool { return h.PID == p.PID }) {
			unnamed = append(unnamed, fmt.Sprintf("%d (%s)", p.PID, p.Name))
		}
	}
	if len(unnamed) > 0 && !r.c.Below {
		r.warn(fmt.Sprintf("%s ended and left running: %s", r.c.Argv[0], firstNames(unnamed)))
	}
}

// mostNames is the most names of processes that a warning has.
const mostNames = 5

func firstNames(names []string) string {
	if len(names) > mostNames {
		return strings.Join(names[:mostNames], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// warnKilled adds a warning with the processes that had to be killed after the command
// itself had ended.
func (r *run) warnKilled(killed map[int]string) {
	if len(killed) == 0 {
		return
	}
	names := slices.Compact(slices.Sorted(maps.Values(killed)))
	r.warn(fmt.Sprintf("killed after the command had ended: %d of its processes (%s)", len(killed), firstNames(names)))
}

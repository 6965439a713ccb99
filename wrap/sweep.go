package wrap

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/platform/proc"
	"github.com/envwrap/envwrap/wrap/internal/proctree"
)

// sweep ends the processes of the run that are left after envwrap stopped it. One that
// ignores SIGTERM has until killAt.
func (r *run) sweep(killAt time.Time) {
	if r.stopped.cause == stopNone {
		return
	}
	if runtime.GOOS == "linux" && !proc.Visible() {
		r.warn("/proc does not show this process: only the command's process group was ended, and what left it was not looked for")
	}
	if !r.family.Alive() {
		return
	}
	if r.stopped.signal != nil {
		r.family.TerminateStrays()
	}
	r.warnKilled(r.family.Sweep(killAt, r.c.Signals, proctree.SweepMost, proctree.SweepAll))
}

// killedNames is the most names of killed processes that a warning has.
const killedNames = 5

// warnKilled adds a warning with the processes that had to be killed after the command
// itself had ended.
func (r *run) warnKilled(killed map[int]string) {
	if len(killed) == 0 {
		return
	}
	names := slices.Compact(slices.Sorted(maps.Values(killed)))
	more := ""
	if len(names) > killedNames {
		names, more = names[:killedNames], ", ..."
	}
	r.warn(fmt.Sprintf("killed after the command had ended: %d of its processes (%s%s)", len(killed), strings.Join(names, ", "), more))
}

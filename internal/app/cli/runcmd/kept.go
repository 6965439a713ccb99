package runcmd

import (
	"sync"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/runlog"
)

// mostRecorded is how many bytes of the output that was shown first the record of a run has
// before it ends, if the store does not take the output.
const mostRecorded = 1 << 10

// A keptRun is the record that a run has begun, and where its output is while it runs. It is
// safe for concurrent use.
type keptRun struct {
	*Runner
	started time.Time
	mu      sync.Mutex
	line    *runlog.Run // nil until something is recorded
}

// keepOutput has the output of a run that shows it live written to the store as it comes,
// and the run recorded when that begins: what was printed is found if envwrap is killed,
// and by others while the command runs. A job keeps its output by itself. A run that ends
// before the first output is shown stores and records nothing of this.
func (r *Runner) keepOutput() {
	if r.limits.Off || r.bytes || r.task != "" || !r.showsLive() || r.O.Retry.Times > 0 || r.O.Cache.TTL > 0 || r.O.on != "" {
		return
	}
	k := &keptRun{Runner: r, started: r.Now()}
	r.cmd.LiveAfter, r.cmd.Kept = briefAfter, k.keep
	if r.briefing != nil {
		r.briefing.begun = k.show
	}
}

// keep records that the output of a stream is in a part of the store in dir.
func (k *keptRun) keep(stream, dir, part string) {
	if part == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.line == nil {
		k.begin()
	}
	if k.line.Parts == nil {
		k.line.Parts = &runlog.Parts{}
	}
	switch stream {
	case "stdout":
		k.line.Parts.Stdout = part
	case "stderr":
		k.line.Parts.Stderr = part
	default:
		k.line.Parts.Pipeline = part
	}
	k.maskRecord(k.line)
	if k.AddRecord(dir, k.O.Store, k.line, k.limits) == dir && k.briefing != nil {
		k.briefing.nameCommand(k.lastCommand(dir, k.line.ID))
	}
}

// begin makes the line of the record.
func (k *keptRun) begin() {
	k.line = k.begun()
	k.line.Time = k.started
}

// show records the first output that was shown, if the store has not taken it.
func (k *keptRun) show(shown string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.line != nil {
		return
	}
	k.begin()
	k.line.Excerpt = shown[max(0, len(shown)-mostRecorded):]
	k.maskRecord(k.line)
	k.AddRecord("", k.O.Store, k.line, k.limits)
}

// lastCommand returns the command line that prints what a run whose record is in the store
// in dir has printed so far.
func (k *keptRun) lastCommand(dir, id string) string {
	line := "envwrap last -f brief "
	if dir != k.Env.Session().FirstStore("") {
		line += "--store " + cli.ShellQuote(dir) + " "
	}
	return line + id
}

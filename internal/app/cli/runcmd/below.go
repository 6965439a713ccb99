package runcmd

import (
	"cmp"
	"os"
	"os/exec"
	"strconv"
	"sync"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// beginBriefing has the output shown before the answer, where that is a text for a model
// on stdout: on a terminal all of it, else what a briefing shows. A command that may run
// again shows nothing of its first run.
func (r *Runner) beginBriefing() {
	if !r.O.Format.IsText() || r.bytes || r.sink.Stream != r.Stdout || r.cmd.LiveStdout != nil || r.O.Retry.Times > 0 || r.O.Cache.TTL > 0 || r.O.on != "" {
		return
	}
	if term.IsTerminal(r.Stdout) {
		to := locked{new(sync.Mutex), r.readers.Output(r.Stdout)}
		r.cmd.LiveStdout, r.cmd.LiveStderr = term.Live(r.Stdout, to, r.O.color), term.Live(r.Stdout, to, r.O.color)
		return
	}
	r.briefing = newBriefing(r.readers.Writer(r.Stdout), r.Now)
	r.cmd.LiveAfter, r.cmd.Lasting = briefAfter, r.briefing.begin
	r.cmd.LiveStdout, r.cmd.LiveStderr = &r.briefing.streams[0], &r.briefing.streams[1]
}

// endBriefing ends what beginBriefing has begun.
func (r *Runner) endBriefing() {
	switch {
	case r.briefing != nil:
		r.shown = r.briefing.end()
	case r.cmd.LiveStdout != nil && r.O.Format.IsText() && r.sink.Stream == r.Stdout && term.IsTerminal(r.Stdout) && !r.O.tee:
		r.shown = &envelope.Shown{All: true}
	}
}

// keepPipe keeps the pipe of a stream that other processes hold open until the answer is
// written.
func (r *Runner) keepPipe(stream string, pipe *os.File) {
	if copied, err := duplicate(pipe); err == nil {
		r.heirs = append(r.heirs, heir{copied, stream})
	}
}

// startHeirs starts a process for each pipe that other processes keep open, which copies
// what comes to stdout, masked, until they end: without envwrap it would have gone there.
func (r *Runner) startHeirs(result *envelope.Result) {
	for _, h := range r.heirs {
		if program, err := r.Executable(); err == nil {
			copier := exec.Command(program, r.copierArgs(result, h.stream)...)
			copier.Env, copier.Stdin, copier.Stdout = r.Environ, h.pipe, r.Stdout
			copier.SysProcAttr = ownSession()
			_ = copier.Start() // without it what they print is lost, as it is by any pipe
		}
		_ = h.pipe.Close()
	}
	r.heirs = nil
}

// copierArgs returns the arguments of an envwrap that copies a stream after the run. That of
// a run that was canceled is also kept: its command perhaps goes on, and cleans up.
func (r *Runner) copierArgs(result *envelope.Result, stream string) []string {
	if result.Outcome.Kind != envelope.Canceled || r.limits.Off {
		return []string{"redact", "--raw"}
	}
	args := []string{"artifact", "late"}
	if dir := cmp.Or(r.Session.StoreDir(), r.O.Store); dir != "" {
		args = append(args, "--store="+dir)
	}
	for name, size := range map[string]int64{"most": r.cmd.MaxArtifact, "store-max": r.O.StoreMax} {
		if size > 0 {
			args = append(args, "--"+name+"="+strconv.FormatInt(size, 10))
		}
	}
	return append(args, r.runID(result), stream)
}

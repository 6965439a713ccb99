package runcmd

import (
	"os"
	"os/exec"
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

// keepPipe keeps a pipe that other processes hold open until the answer is written.
func (r *Runner) keepPipe(pipe *os.File) {
	if copied, err := duplicate(pipe); err == nil {
		r.heirs = append(r.heirs, copied)
	}
}

// startHeirs starts a process for each pipe that other processes keep open, which copies
// what comes to stdout, masked, until they end: without envwrap it would have gone there.
func (r *Runner) startHeirs() {
	for _, pipe := range r.heirs {
		program, err := r.Executable()
		if err == nil {
			heir := exec.Command(program, "redact", "--raw")
			heir.Env, heir.Stdin, heir.Stdout = r.Environ, pipe, r.Stdout
			heir.SysProcAttr = ownSession()
			_ = heir.Start() // without it what they print is lost, as it is by any pipe
		}
		_ = pipe.Close()
	}
	r.heirs = nil
}

package cli

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/proc"
	"github.com/envwrap/envwrap/internal/runlog"
	"github.com/envwrap/envwrap/internal/term"
	"github.com/envwrap/envwrap/wrap"
)

// An emission says when stdout gets an envelope, and when the command's own
// bytes (--emit).
type emission int

const (
	emitAlways emission = iota
	emitAgent           // where an agent is detected
	emitAuto            // where the agent itself reads our stdout
)

func emitWords() []word[emission] {
	return []word[emission]{{"always", emitAlways}, {"agent", emitAgent}, {"auto", emitAuto}}
}

// wantsBytes reports whether stdout gets the command's own bytes. With -o it
// gets them in any case, masked, and the envelope has a place of its own.
func (r *runner) wantsBytes() bool {
	if r.o.emit == emitAlways || r.o.output != "" && r.o.output != "-" {
		return false
	}
	agent := detect.Detect(r.lookup, r.Ancestors)
	switch {
	case !agent.Found:
		return true
	case r.o.emit == emitAgent:
		return false
	}
	return !r.agentReads(agent)
}

// agentReads reports whether what is written to stdout reaches the agent as it
// is. Only a pipe or a socket can be an agent's capture: a file keeps bytes, and
// a terminal may have a person before it. A FIFO that has a name was named by
// somebody who reads it; some shells (dash) have it for their own stdout while
// they run a command with that redirection.
func (w *World) agentReads(agent detect.Result) bool {
	out, err := w.Stdout.Stat()
	if err != nil || out.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 || w.Callers == nil {
		return false
	}
	name := proc.Link(w.Stdout)
	callers, ok := w.Callers()
	return ok && !strings.HasPrefix(name, "/") && leadsToAgent(capture{out, name}, agent, outerOf(w.lookup), callers)
}

// A capture is what our stdout is.
type capture struct {
	fs.FileInfo
	name string // as proc.Link has it
}

// A caller is a process above us, as far as it can be seen.
type caller struct {
	pid    int
	name   string      // of its program
	env    detect.Env  // what it was started with; nil where that may not be read
	stdout fs.FileInfo // nil where it has none, or it may not be seen
	// reads reports whether it may have the reading end of a pipe, which is
	// named as proc.Link does; nil where nobody can tell.
	reads func(pipe string) bool
	// has reports whether it is seen to have a file open, which is named so too.
	has func(name string) bool
}

// leadsToAgent walks up from the parent to the agent. The agent has captured
// stdout if all that stand between have it for their own: one that has another
// is a pipeline, a substitution, or a program that reads us for itself. The
// first process without the agent's variables is the agent, unless it is a
// shell or the like: variables may have been set there, or by it. An agent that
// has no end of the pipe, and has it not for its own stdout, reads something
// else: a shell gave its stdout to another program for good (exec > >(tee log)).
// outer, which may be 0, is an envwrap: one that stands above reads us for
// itself.
func leadsToAgent(out capture, agent detect.Result, outer int, callers iter.Seq[caller]) bool {
	for c := range callers {
		if c.pid == outer {
			return false
		}
		same := c.stdout != nil && os.SameFile(out.FileInfo, c.stdout)
		if c.isAgent(agent) {
			return same || c.reads == nil || c.reads(out.name)
		}
		if !same {
			return false
		}
	}
	return true
}

// runsCommands knows the programs that run others for somebody else.
func runsCommands(name string) bool {
	switch name {
	case "sh", "bash", "dash", "ash", "busybox", "ksh", "mksh", "zsh", "fish", "make", "gmake", "xargs":
		return true
	}
	return false
}

// isAgent reports whether a process is the agent, and not one that it started.
func (c caller) isAgent(agent detect.Result) bool { return !runsCommands(c.name) && !c.calledBy(agent) }

// calledBy reports whether a process was started by the agent.
func (c caller) calledBy(agent detect.Result) bool {
	if c.env == nil {
		return false
	}
	found := detect.Detect(c.env, nil)
	return found.Found && found.Agent == agent.Agent
}

// passBytes makes the command's streams reach the caller as the command writes
// them, each in its own place whatever --tee and --merge say of an envelope. A
// terminal is handed on, so that the command sees one; what is recorded then
// says so.
func (r *runner) passBytes() {
	c := r.cmd
	c.LiveStdout, c.LiveStderr = nil, nil
	c.Terminal = c.Terminal || term.IsTerminal(r.Stdout) || term.IsTerminal(r.Stderr)
	c.Stdout, c.Stderr = r.passage(r.Stdout, "stdout", r.readers.output), r.passage(r.Stderr, "stderr", r.readers.writer)
	c.Merge = c.Stdout.Own == nil && sameStream(r.Stdout, r.Stderr)
}

func (r *runner) passage(f *os.File, name string, to func(*os.File) io.Writer) wrap.Passage {
	if term.IsTerminal(f) && r.o.idleTimeout == 0 && r.o.cache.TTL == 0 {
		r.cmd.Warnings = append(r.cmd.Warnings, name+" went to a terminal and is not recorded")
		return wrap.Passage{Own: f}
	}
	return wrap.Passage{To: to(f)}
}

// sameStream reports whether two streams are one: with 2>&1 the order of what
// is written to both must stay.
func sameStream(a, b *os.File) bool {
	infoA, errA := a.Stat()
	infoB, errB := b.Stat()
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// finishBytes keeps the record of a run whose bytes were passed on, and ends
// with the command's own status. What envwrap itself did to the command has no
// other place to be told than stderr.
func (r *runner) finishBytes(result *envelope.Result) error {
	if o := &result.Outcome; r.meddled(o) {
		r.say(o.Message + "\n" + o.Hint)
	}
	r.remember(result)
	if o := &result.Outcome; o.Code == envelope.EPARSE && o.ExitCode != nil {
		return r.endedOutput(*o.ExitCode) // what --parse asks of an envelope is nothing to who reads bytes
	}
	return r.endedOutput(exitChild.status(result, r.o.format))
}

// endedOutput is ended where the command's bytes went to stdout: its success is
// none where there was no room for them.
func (r *runner) endedOutput(n int) error {
	if r.readers == nil || r.readers.full == nil {
		return ended(n)
	}
	r.say("cannot write the command's output: " + cause(r.readers.full).Error())
	if n == statusOK {
		n = statusFailed
	}
	return ended(n)
}

// meddled reports whether the command did not run to an end of its own: it did
// not start, or envwrap stopped it. That somebody told envwrap to stop is no
// news to them.
func (r *runner) meddled(o *envelope.Outcome) bool {
	switch o.Code {
	case envelope.ETIMEOUT:
		return o.Timeout != envelope.NoTimeout
	case envelope.EOUTPUTTOOLARGE:
		return r.o.onOverflow == wrap.OverflowKill
	case envelope.ECANCELED:
		return false
	}
	return o.Code != "" && o.ExitCode == nil && o.Signal == ""
}

// remember adds the run to the store's log, where `envwrap last` finds it. A
// store that cannot be written changes nothing for the caller, who asked for
// the command and got it.
func (r *runner) remember(result *envelope.Result) {
	doc, err := envelope.Encode(envelope.Dialects()[0], result, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
	if doc == nil {
		r.say(errors.Join(errors.New("the run is not recorded"), err).Error())
		return
	}
	store, _, err := r.openFirst(artifact.Options{Now: r.Now}, r.o.store)
	if err != nil {
		return
	}
	if err := runlog.Append(store.Dir(), doc); errors.Is(err, runlog.ErrTooLarge) && r.bytes {
		r.say(err.Error())
	}
	_ = store.Close()
}

package runcmd

import (
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/envwrap/envwrap/envelope"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// locked lets two streams share a writer.
type locked struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// both writes to two writers. An error of the first does not keep the data from the
// second.
type both struct{ a, b io.Writer }

func (w both) Write(p []byte) (int, error) {
	_, errA := w.a.Write(p)
	_, errB := w.b.Write(p)
	if errA != nil && errB != nil {
		return 0, errA
	}
	return len(p), nil
}

// live returns where the command's redacted output is shown while it runs: with -o
// on stdout and stderr, with --tee (also) on stderr. nil is nowhere.
func live(env *cli.Env, o *RunOptions, readers *output.Readers) (stdout, stderr io.Writer) {
	toStderr := locked{new(sync.Mutex), readers.Writer(env.Stderr)}
	tee := func() io.Writer { // each stream with a state of its own
		if o.color {
			return toStderr
		}
		if term.IsTerminal(env.Stderr) {
			return term.Live(env.Stderr, toStderr, false)
		}
		return term.NewStripper(toStderr)
	}
	ownStdout := func() io.Writer { return term.Live(env.Stdout, readers.Output(env.Stdout), o.color) }
	ownStderr := func() io.Writer { return term.Live(env.Stderr, toStderr, o.color) }
	passing := o.output != "" && o.output != "-"
	switch {
	case passing && o.tee:
		return both{ownStdout(), tee()}, ownStderr()
	case passing:
		return ownStdout(), ownStderr()
	case o.tee:
		return tee(), tee()
	}
	return nil, nil
}

// How often the line is drawn, and how long a command may run before it is.
const (
	lineEvery = 200 * time.Millisecond
	lineAfter = 700 * time.Millisecond
)

// lineWanted reports whether a live line is drawn: --tee, -o and events show more
// than it does, and an agent's client reads the terminal, where a line would be noise.
func (r *Runner) lineWanted() bool {
	if r.bytes || r.O.below != "" || r.cmd.LiveStderr != nil || r.cmd.Progress != nil || r.O.events.line == shownOff {
		return false
	}
	return r.O.events.line == shownOn || term.Redraws(r.Stderr, r.Lookup)
}

// drawLine makes the run draw its line; erase ends it.
func (r *Runner) drawLine() (erase func()) {
	if !r.lineWanted() {
		return func() {}
	}
	line := term.NewStatusLine(r.Stderr, func() int { return term.Columns(r.Stderr, r.Lookup) })
	name := filepath.Base(r.Call.Rest[0])
	r.cmd.ProgressEvery = lineEvery
	r.cmd.Progress = func(p envelope.Progress) {
		if p.Elapsed >= lineAfter && !p.Asks { // it would hide the question
			line.Draw(progressText(name, p))
		}
	}
	return line.Erase
}

// progressText returns what the live line says of a command.
func progressText(name string, p envelope.Progress) string {
	text := fmt.Sprintf("%s  %s  %s", name, p.Elapsed.Truncate(time.Second), term.Bytes(p.StdoutBytes+p.StderrBytes))
	if p.Pct != nil {
		text += fmt.Sprintf("  %.0f%%", *p.Pct)
	}
	if p.Message != "" {
		text += "  " + p.Message
	}
	return text
}

package runcmd

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/term"
)

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
	kind, _ := r.Lookup("TERM")
	return r.O.events.line == shownOn || kind != "dumb" && term.IsTerminal(r.Stderr)
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

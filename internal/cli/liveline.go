package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// A shown says whether the live line is drawn (--progress).
type shown int

const (
	shownAuto shown = iota // where stderr is a terminal that nothing else writes to
	shownOn
	shownOff
)

func shownWords() []word[shown] {
	return []word[shown]{{"auto", shownAuto}, {"on", shownOn}, {"off", shownOff}, {"1", shownOn}, {"0", shownOff}, {"true", shownOn}, {"false", shownOff}}
}

// How often the line is drawn, and how long a command may run before it is.
const (
	lineEvery = 200 * time.Millisecond
	lineAfter = 700 * time.Millisecond
)

// A liveLine is one line on a terminal that says how a command goes on. It
// leaves no trace. Own code: the common progress bars link an HTTP client,
// which costs each start of envwrap half a millisecond.
type liveLine struct {
	w     io.Writer
	width func() int
	name  string
	drawn bool
}

// lineWanted says whether a live line has a place: --tee, -o and events show
// more than it does.
func (r *runner) lineWanted() bool {
	if r.bytes || r.cmd.LiveStderr != nil || r.cmd.Progress != nil || r.o.events.line == shownOff {
		return false
	}
	kind, _ := r.lookup("TERM")
	return r.o.events.line == shownOn || kind != "dumb" && isTerminal(r.Stderr)
}

// drawLine makes the run draw its line; erase ends it.
func (r *runner) drawLine() (erase func()) {
	if !r.lineWanted() {
		return func() {}
	}
	l := &liveLine{w: r.Stderr, width: func() int { return r.columns(r.Stderr) }, name: filepath.Base(r.call.rest[0])}
	r.cmd.Progress, r.cmd.ProgressEvery = l.draw, lineEvery
	return l.erase
}

func (l *liveLine) draw(p envelope.Progress) {
	if p.Elapsed < lineAfter || p.Asks { // it would hide the question
		return
	}
	text := fmt.Sprintf("%s  %s  %s", l.name, p.Elapsed.Truncate(time.Second), bytesText(p.StdoutBytes+p.StderrBytes))
	if p.Pct != nil {
		text += fmt.Sprintf("  %.0f%%", *p.Pct)
	}
	if p.Message != "" {
		text += "  " + p.Message
	}
	l.drawn = true
	_, _ = io.WriteString(l.w, "\r"+clip(text, l.width()-1)+"\x1b[K")
}

// erase leaves the terminal as it was.
func (l *liveLine) erase() {
	if l.drawn {
		_, _ = io.WriteString(l.w, "\r\x1b[K")
	}
}

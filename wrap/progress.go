package wrap

import (
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap/internal/proctree"
)

// defaultProgressEvery is how often a run that goes on is reported.
const defaultProgressEvery = time.Second

// A reporter reports the progress of a run, from the goroutine that watches it.
type reporter struct {
	run    *run
	first  <-chan struct{} // something was printed for the first time; nil once that was reported
	ticker *time.Ticker
	pct    *float64 // the highest that was printed; nil before the first
}

// newReporter returns nil if the command has no function Progress.
func (r *run) newReporter() *reporter {
	if r.c.Progress == nil {
		return nil
	}
	every := r.c.ProgressEvery
	if every <= 0 {
		every = defaultProgressEvery
	}
	return &reporter{run: r, first: r.printed, ticker: time.NewTicker(every)}
}

// channels returns nil channels, which never deliver, for a nil reporter.
func (p *reporter) channels() (first <-chan struct{}, ticks <-chan time.Time) {
	if p == nil {
		return nil, nil
	}
	return p.first, p.ticker.C
}

// reportFirst reports the first output.
func (p *reporter) reportFirst() {
	p.first = nil
	p.report()
}

// reportLate reports the first output of a child that ended before anybody saw it.
func (p *reporter) reportLate() {
	if p == nil || p.first == nil {
		return
	}
	select {
	case <-p.first:
		p.reportFirst()
	default: // it printed nothing
	}
}

func (p *reporter) stop() {
	if p != nil {
		p.ticker.Stop()
	}
}

// report calls Progress with the present state of the run.
func (p *reporter) report() {
	r := p.run
	out, errs := r.stdout.capture, r.stderr.capture
	now := envelope.Progress{
		Stage:       r.stage(),
		Asks:        r.c.Terminal && r.asks(),
		Elapsed:     time.Since(r.started),
		StdoutBytes: out.live.bytes.Load(),
		StderrBytes: errs.live.bytes.Load(),
		Lines:       out.live.lines.Load() + errs.live.lines.Load(),
	}
	if line := r.newest(); line != "" {
		now.Message = line
		if pct, ok := Percentage(line); ok && (p.pct == nil || pct > *p.pct) {
			p.pct = &pct
		}
	}
	now.Pct = p.pct
	r.c.Progress(now)
}

// asks reports whether the command waits for a person to type: it reads from a
// terminal, or has turned off the echo of the terminal on stdin, as while a password
// is read (sudo and ssh may not be looked at).
func (r *run) asks() bool {
	return r.echoed && !proctree.Echoes(r.c.Stdin.File) || r.tree.ReadsTerminal()
}

// stage returns the stage of the run, in one word.
func (r *run) stage() string {
	if r.stopped.cause != stopNone {
		return "stopping"
	}
	return "running"
}

// Percentage returns the last number from 0 to 100 that a percent sign follows in a
// line, as commands print their progress, and false if the line has no such number.
func Percentage(line string) (float64, bool) {
	i := strings.LastIndexByte(line, '%')
	if i < 0 {
		return 0, false
	}
	before := strings.TrimRight(line[:i], " ")
	start := len(before)
	for start > 0 && (before[start-1] >= '0' && before[start-1] <= '9' || before[start-1] == '.') {
		start--
	}
	n, err := strconv.ParseFloat(before[start:], 64)
	return n, err == nil && n <= 100
}

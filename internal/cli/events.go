package cli

import (
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/term"
	"github.com/envwrap/envwrap/wrap"
)

// events are the options of NDJSON streaming.
type events struct {
	stream bool
	lines  bool
	every  time.Duration
	line   shown
}

func (e *events) options() []*option {
	const group = "Events"
	return []*option{
		{
			name: "stream", group: group,
			help: "print progress events while it runs, one JSON line each (protocol/v1)", set: into(&e.stream, boolean),
			inJob: foregroundOnly,
		},
		{
			name: "stream-lines", group: group,
			help: "with --stream, make each line of output an event", set: into(&e.lines, boolean),
			inJob: foregroundOnly,
		},
		{
			name: "progress", value: "WHEN", def: "auto", group: group,
			help: "draw a live line on stderr: auto (on a terminal), on or off", choices: names(shownWords), set: into(&e.line, choice(shownWords)),
			inJob: foregroundOnly,
		},
		{
			name: "progress-interval", value: "DURATION", def: "1s", group: group,
			help: "between two progress events", set: into(&e.every, duration),
			inJob: foregroundOnly,
		},
	}
}

// settle checks what --stream asks for against the rest. Where only a file asks
// for events, they give way: it speaks of all runs, and not of this one.
func (e *events) settle(o *runOptions, stream, lines *option) error {
	e.lines = e.lines && (e.stream || lines.from < inAFile)
	fault := e.against(o)
	if fault != nil && e.stream && stream.from >= inAFile {
		e.stream, e.lines = false, false
		return nil
	}
	if e.stream {
		o.pretty, o.compact = false, true
	}
	return fault
}

// against finds what events cannot go together with.
func (e *events) against(o *runOptions) error {
	switch {
	case e.lines && !e.stream:
		return &usageError{text: "--stream-lines needs --stream", hint: "Add --stream."}
	case e.stream && o.format != nil && o.format.Name() != "protocol/v1":
		return &usageError{text: "--stream has no meaning in " + o.format.Name(), hint: "Progress events are part of protocol/v1; leave --format out."}
	case e.stream && o.wait > 0:
		return &usageError{text: "--stream and --wait contradict each other", hint: "Leave one out, or follow a job: envwrap job submit, then envwrap job tail -f."}
	case e.stream && o.output != "" && o.output != "-":
		return &usageError{text: "--stream and --output contradict each other", hint: "Events go to stdout as they happen; redirect it with > FILE."}
	}
	return nil
}

// longestInterval is what a reader may rely on: an event at least that often.
const longestInterval = 2 * time.Second

// A streamer writes progress events. Both of the command's streams may give
// it lines, and the run its reports.
type streamer struct {
	sink *sink
	base *envelope.Result
	now  func() time.Time

	mu    sync.Mutex
	seq   int
	last  envelope.Progress
	gone  error // why nobody reads any more: the command runs on without events
	lines []*lineEvents
	text  string // the newest line that says something, ended or not

	soon sync.WaitGroup // reports that are being written
	late atomic.Bool    // one is
}

// attach makes the run tell what it does.
func (r *runner) attach() *streamer {
	if !r.o.events.stream || r.bytes {
		return nil
	}
	s := &streamer{sink: r.sink, now: r.Now, base: wrap.Refused(r.cmd, envelope.Outcome{Kind: envelope.Success})}
	r.cmd.Progress = s.reportSoon
	r.cmd.ProgressEvery = min(r.o.events.every, longestInterval)
	if r.o.events.lines {
		out, errs := &lineEvents{to: s, stage: "stdout"}, &lineEvents{to: s, stage: "stderr"}
		r.cmd.LiveStdout, r.cmd.LiveStderr = alongside(r.cmd.LiveStdout, out), alongside(r.cmd.LiveStderr, errs)
		s.lines = []*lineEvents{out, errs}
	}
	return s
}

func alongside(shown, events io.Writer) io.Writer {
	if shown == nil {
		return events
	}
	return both{shown, events}
}

// close makes the last events; the terminal envelope follows.
func (s *streamer) close() {
	if s == nil {
		return
	}
	s.soon.Wait()
	for _, l := range s.lines {
		l.close()
	}
}

// reportSoon is report for one who does not wait for the reader. Where that is
// slow to read the event before, the next one tells more.
func (s *streamer) reportSoon(p envelope.Progress) {
	if !s.late.CompareAndSwap(false, true) {
		return
	}
	s.soon.Go(func() {
		defer s.late.Store(false)
		s.report(p)
	})
}

// report is an event about the run as a whole. Where lines are events too,
// these do the counting, so that no number goes back.
func (s *streamer) report(p envelope.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lines != nil {
		p.StdoutBytes, p.StderrBytes, p.Lines = s.last.StdoutBytes, s.last.StderrBytes, s.last.Lines
	}
	if p.Message == "" {
		p.Message, p.Pct = s.text, percentageIn(s.text)
	}
	s.emit(p)
}

// unended is told what there is of a line that goes on.
func (s *streamer) unended(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = text
}

func percentageIn(text string) *float64 {
	if pct, ok := wrap.Percentage(text); ok {
		return &pct
	}
	return nil
}

// line is an event about one line of output.
func (s *streamer) line(stage, text string, stdout, stderr int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.last
	p.Stage, p.Message = stage, text
	p.Elapsed = max(s.now().Sub(s.base.Started), p.Elapsed)
	p.StdoutBytes += stdout
	p.StderrBytes += stderr
	p.Lines++
	p.Pct = percentageIn(text)
	if strings.TrimSpace(text) != "" {
		s.text = text
	}
	s.emit(p)
}

// fault is why nobody reads the events any more; nil while somebody does.
func (s *streamer) fault() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone
}

// emit writes an event, whose percentage never falls. It needs the lock.
func (s *streamer) emit(p envelope.Progress) {
	if before := s.last.Pct; before != nil && (p.Pct == nil || *p.Pct < *before) {
		p.Pct = before
	}
	s.last = p
	if s.gone != nil {
		return
	}
	doc, err := envelope.EncodeProgress(s.base, s.now(), s.seq, p)
	if err == nil {
		if s.sink.stream != nil && term.IsTerminal(s.sink.stream) {
			doc = term.EscapeJSON(doc)
		}
		err = s.sink.write(doc)
	}
	s.gone = err
	s.seq++
}

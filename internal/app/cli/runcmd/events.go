package runcmd

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/wrap"
)

// LongestInterval is the longest time between two events.
const LongestInterval = 2 * time.Second

// A Streamer writes progress events: of lines of both of the command's streams, and of
// the run's reports.
type Streamer struct {
	Sink *output.Sink
	Base *envelope.Result
	Now  func() time.Time

	mu    sync.Mutex
	seq   int
	last  envelope.Progress
	gone  error // why nobody reads any more: the command runs on without events
	Lines []*LineEvents
	text  string // the newest line that says something, ended or not

	soon sync.WaitGroup // reports that are being written
	late atomic.Bool    // one is
}

// attach makes the run report what it does.
func (r *Runner) attach() *Streamer {
	if !r.O.events.stream || r.bytes {
		return nil
	}
	s := &Streamer{Sink: r.sink, Now: r.Now, Base: r.Session.Refused(envelope.Outcome{Kind: envelope.Success})}
	r.cmd.Progress = s.reportSoon
	r.cmd.ProgressEvery = min(r.O.events.every, LongestInterval)
	if r.O.events.lines {
		out, errs := &LineEvents{To: s, Stage: "stdout"}, &LineEvents{To: s, Stage: "stderr"}
		r.cmd.LiveStdout, r.cmd.LiveStderr = alongside(r.cmd.LiveStdout, out), alongside(r.cmd.LiveStderr, errs)
		s.Lines = []*LineEvents{out, errs}
	}
	return s
}

func alongside(shown, events io.Writer) io.Writer {
	if shown == nil {
		return events
	}
	return both{shown, events}
}

// Close writes the last events. The final envelope follows them.
func (s *Streamer) Close() {
	s.soon.Wait()
	for _, l := range s.Lines {
		l.close()
	}
}

// reportSoon reports p without waiting for the reader. If the event before is still
// being written, p is dropped: a later event has newer numbers.
func (s *Streamer) reportSoon(p envelope.Progress) {
	if !s.late.CompareAndSwap(false, true) {
		return
	}
	s.soon.Go(func() {
		defer s.late.Store(false)
		s.Report(p)
	})
}

// Report writes an event about the run as a whole. If lines are events, too, its counts
// come from the lines, so that no number decreases.
func (s *Streamer) Report(p envelope.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Lines != nil {
		p.StdoutBytes, p.StderrBytes, p.Lines = s.last.StdoutBytes, s.last.StderrBytes, s.last.Lines
	}
	if p.Message == "" {
		p.Message, p.Pct = s.text, percentageIn(s.text)
	}
	s.emit(p)
}

// unended takes the text so far of a line whose end was not printed yet.
func (s *Streamer) unended(text string) {
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

// line writes an event about one line of output.
func (s *Streamer) line(stage, text string, stdout, stderr int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.last
	p.Stage, p.Message = stage, text
	p.Elapsed = max(s.Now().Sub(s.Base.Started), p.Elapsed)
	p.StdoutBytes += stdout
	p.StderrBytes += stderr
	p.Lines++
	p.Pct = percentageIn(text)
	if strings.TrimSpace(text) != "" {
		s.text = text
	}
	s.emit(p)
}

// Fault returns the error after which events are no longer written, or nil.
func (s *Streamer) Fault() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone
}

// emit writes an event, whose percentage never falls. It needs the lock.
func (s *Streamer) emit(p envelope.Progress) {
	if before := s.last.Pct; before != nil && (p.Pct == nil || *p.Pct < *before) {
		p.Pct = before
	}
	s.last = p
	if s.gone != nil {
		return
	}
	doc, err := envelope.EncodeProgress(s.Base, s.Now(), s.seq, p)
	if err == nil {
		if s.Sink.Stream != nil && term.IsTerminal(s.Sink.Stream) {
			doc = term.EscapeJSON(doc)
		}
		err = s.Sink.Write(doc)
	}
	s.gone = err
	s.seq++
}

// LineMost is how many bytes of a line an event shows, so that the event with all its
// escapes has at most [envelope.ProgressMost] bytes.
const LineMost = 512

// LineEvents writes an event for each line of one of the command's streams. It keeps
// only the beginning of the current line in memory. The last state of a line that is
// rewritten with carriage returns counts.
type LineEvents struct {
	To      *Streamer
	Stage   string
	head    []byte // of the line that is not ended
	size    int64  // of that line
	rewrite bool   // a carriage return has come: what follows takes the place of head
}

func (l *LineEvents) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		piece := p
		if i := bytes.IndexAny(p, "\r\n"); i >= 0 {
			piece = p[:i+1]
		}
		p = p[len(piece):]
		l.add(piece)
	}
	l.To.unended(l.text())
	return n, nil
}

// add takes a piece in which a line is ended, or rewritten, nowhere but at its end.
func (l *LineEvents) add(piece []byte) {
	l.size += int64(len(piece))
	text := bytes.TrimRight(piece, "\r\n")
	if l.rewrite && len(text) > 0 {
		l.head, l.rewrite = l.head[:0], false
	}
	if room := LineMost - len(l.head); room > 0 {
		l.head = append(l.head, text[:min(room, len(text))]...)
	}
	switch piece[len(piece)-1] {
	case '\n':
		l.end()
	case '\r':
		l.rewrite = true
	}
}

// text returns the line as far as it has come.
func (l *LineEvents) text() string {
	if len(l.head) == LineMost {
		return string(l.head[:len(l.head)-jsontext.Unfinished(l.head)])
	}
	return string(l.head)
}

// end writes the event of the line that ends here.
func (l *LineEvents) end() {
	var stdout, stderr int64
	if l.Stage == "stdout" {
		stdout = l.size
	} else {
		stderr = l.size
	}
	l.To.line(l.Stage, l.text(), stdout, stderr)
	l.head, l.size, l.rewrite = l.head[:0], 0, false
}

// close writes the event of a last line that has no newline.
func (l *LineEvents) close() {
	if l.size > 0 {
		l.end()
	}
}

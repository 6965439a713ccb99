package wrap

import (
	"bytes"
	"sync"
	"time"
)

// revealAfter is how long an unfinished line waits before the part of it that
// cannot be a secret is shown.
const revealAfter = 100 * time.Millisecond

// A revealer shows the unfinished line of a stream to live readers: a prompt, or a
// progress bar that is redrawn with carriage returns. What is recorded does not depend
// on it. Its mutex guards the stream's redactor and live copy; the pump holds it while
// it passes bytes on.
type revealer struct {
	mu    sync.Mutex
	on    bool        // somebody looks on
	timer *time.Timer // nil until a line was left unfinished
	armed bool
	ended bool
}

// pass masks b and passes it on. If the redactor holds back the beginning of a line,
// revealLine follows after revealAfter.
func (s *stream) pass(b []byte) {
	if !s.reveal.on {
		_, _ = s.masked.Write(b)
		return
	}
	s.reveal.mu.Lock()
	defer s.reveal.mu.Unlock()
	_, _ = s.masked.Write(b)
	if s.reveal.armed || b[len(b)-1] == '\n' {
		return
	}
	s.reveal.armed = true
	if s.reveal.timer == nil {
		s.reveal.timer = time.AfterFunc(revealAfter, s.revealLine)
		return
	}
	s.reveal.timer.Reset(revealAfter)
}

// revealLine shows the part of the unfinished line that cannot be a secret any more.
func (s *stream) revealLine() {
	s.reveal.mu.Lock()
	defer s.reveal.mu.Unlock()
	s.reveal.armed = false
	if !s.reveal.ended {
		s.capture.showAhead(s.masked.Settled())
	}
}

// finish passes on what the redactor holds back.
func (s *stream) finish() {
	s.reveal.mu.Lock()
	defer s.reveal.mu.Unlock()
	s.reveal.ended = true
	if s.reveal.timer != nil {
		s.reveal.timer.Stop()
	}
	_ = s.masked.Close()
}

// showAhead shows bytes that the capture will get later, and counts them for the
// reporter.
func (c *capture) showAhead(settled []byte) {
	more, ok := bytes.CutPrefix(settled, c.ahead)
	if !ok || len(more) == 0 {
		return
	}
	c.ahead = append(c.ahead, more...)
	c.showNow(more)
	if c.printed != nil {
		c.look(more, c.ahead)
	}
}

// skipShown returns p without what was shown ahead of it. If the two differ it returns p
// from where they do, so that nothing that is masked in p is shown again.
func (c *capture) skipShown(p []byte) []byte {
	n := 0
	for n < len(p) && n < len(c.ahead) && p[n] == c.ahead[n] {
		n++
	}
	if n < len(p) {
		c.ahead = c.ahead[:0]
	} else {
		c.ahead = append(c.ahead[:0], c.ahead[n:]...)
	}
	return p[n:]
}

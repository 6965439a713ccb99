package wrap

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/envwrap/envwrap/internal/shared/pipeline"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap/internal/pipe"
)

// Sizes of a pump's buffer: most commands print little, and the first pages
// of a large buffer cost start-up; one that fills it gets the large one.
const (
	pumpSmall = 16 << 10
	pumpLarge = 256 << 10
)

// A stream is one of the child's output streams: a pipe, the redactor, and
// the capture.
type stream struct {
	read        *os.File // our end; nil where the stream was merged into the other
	child       *os.File // the child's end
	masked      *redact.Writer
	recorded    redact.Counts // of a stream that is replayed, which has no Writer
	capture     *capture
	started     time.Time
	active      atomic.Int64 // nanoseconds from started to the last byte read
	busy        atomic.Bool  // bytes were read and are still being passed on
	passthrough passthrough
	unfinished  unfinishedLine
	offered     bool  // bash may print a pipeline with what [pipeline.Line.Keep] added
	cut         bool  // reading ended before the end; valid when pumped
	failed      error // why reading stopped before the end
}

// pump reads the pipe to its end, or until its deadline, and passes
// everything through the redactor. The capture never fails, so neither does
// the redactor: the child is drained whatever happens to the store.
func (s *stream) pump() {
	buf := make([]byte, pumpSmall)
	for {
		n, err := s.read.Read(buf)
		if n > 0 {
			s.busy.Store(true)
			s.active.Store(int64(time.Since(s.started)))
			b := buf[:n]
			if s.offered {
				b = pipeline.WithoutOffers(b)
			}
			s.passthrough.take(b)
			s.pass(b)
			s.busy.Store(false)
		}
		if s.passthrough.deserted() {
			_ = s.read.Close()
			break
		}
		if err != nil {
			s.ended(err)
			break
		}
		if n == len(buf) && n < pumpLarge {
			buf = make([]byte, pumpLarge)
			pipe.Enlarge(s.read, pumpLarge)
		}
	}
	s.busy.Store(true)
	s.finish()
	s.busy.Store(false)
	s.capture.end()
}

// ended records why reading ended.
func (s *stream) ended(err error) {
	switch {
	case errors.Is(err, io.EOF):
	case errors.Is(err, os.ErrDeadlineExceeded):
		s.cut = true
	default:
		s.failed = err
	}
}

// counts returns how many secrets were masked in the stream, by rule.
func (s *stream) counts() redact.Counts {
	if s.masked == nil {
		return s.recorded
	}
	return s.masked.Counts()
}

// unfinishedAfter is how long an unfinished line waits before the part of it that
// cannot be a secret is shown.
const unfinishedAfter = 100 * time.Millisecond

// An unfinishedLine shows the unfinished line of a stream to live readers: a prompt, or a
// progress bar that is redrawn with carriage returns. The record does not depend
// on it. Its mutex guards the stream's redactor and live copy; the pump holds it while
// it passes bytes on.
type unfinishedLine struct {
	mu    sync.Mutex
	on    bool        // there is a live reader or a reporter
	timer *time.Timer // nil until a line was left unfinished
	armed bool
	ended bool
}

// pass masks b and passes it on. If the redactor holds back the beginning of a line,
// showUnfinished follows after unfinishedAfter.
func (s *stream) pass(b []byte) {
	if !s.unfinished.on {
		_, _ = s.masked.Write(b)
		return
	}
	s.unfinished.mu.Lock()
	defer s.unfinished.mu.Unlock()
	_, _ = s.masked.Write(b)
	if s.unfinished.armed || b[len(b)-1] == '\n' {
		return
	}
	s.unfinished.armed = true
	if s.unfinished.timer == nil {
		s.unfinished.timer = time.AfterFunc(unfinishedAfter, s.showUnfinished)
		return
	}
	s.unfinished.timer.Reset(unfinishedAfter)
}

// showUnfinished shows the part of the unfinished line that cannot be a secret any more.
func (s *stream) showUnfinished() {
	s.unfinished.mu.Lock()
	defer s.unfinished.mu.Unlock()
	s.unfinished.armed = false
	if !s.unfinished.ended {
		s.capture.live.showAhead(s.masked.Settled(), s.capture.keepAhead)
	}
}

// finish passes on the bytes that the redactor holds back.
func (s *stream) finish() {
	s.unfinished.mu.Lock()
	defer s.unfinished.mu.Unlock()
	s.unfinished.ended = true
	if s.unfinished.timer != nil {
		s.unfinished.timer.Stop()
	}
	_ = s.masked.Close()
}

// keepFromNow has the stream written to the store from now on.
func (s *stream) keepFromNow() {
	if s.read == nil || !s.unfinished.on {
		return
	}
	s.unfinished.mu.Lock()
	defer s.unfinished.mu.Unlock()
	if !s.unfinished.ended {
		s.capture.keepNow = true
		s.capture.keepPart()
	}
}

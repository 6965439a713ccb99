package wrap

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

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
// what is kept.
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
	reveal      revealer
	cut         bool  // reading ended before the end; valid when pumped
	failed      error // what reading ended with, where that was no end
}

func (r *run) newStream(name string, live io.Writer, p Passthrough) (*stream, error) {
	if p.Own != nil {
		return &stream{child: p.Own, capture: r.newCapture(name, nil)}, nil
	}
	read, child, err := pipe.New()
	if err != nil {
		return nil, fmt.Errorf("make a pipe for %s: %w", name, err)
	}
	s := &stream{read: read, child: child, capture: r.newCapture(name, live), started: r.started, passthrough: passthrough{to: p.To}}
	s.capture.pumped = true
	s.masked = r.mask.redactor.Writer(s.capture)
	s.reveal.on = live != nil || r.c.Progress != nil
	return s, nil
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
			s.passthrough.take(buf[:n])
			s.pass(buf[:n])
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

// counts returns what was masked in the stream.
func (s *stream) counts() redact.Counts {
	if s.masked == nil {
		return s.recorded
	}
	return s.masked.Counts()
}

package output

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/wrap"
)

// errUnread ends a write to a reader that does not read, once nobody waits for
// it any more.
var errUnread = errors.New("nobody reads it")

// Readers limit how long envwrap waits for the processes that read its output, so that
// one that does not read cannot block a run that was stopped. With nil Readers, writes
// wait without limit.
type Readers struct {
	gone   chan struct{} // closed when envwrap waits no more
	GiveUp func()
	full   error // of the first write to an output for which there was no room
}

// NewReaders returns Readers for one run.
func NewReaders() *Readers {
	gone := make(chan struct{})
	return &Readers{gone: gone, GiveUp: sync.OnceFunc(func() { close(gone) })}
}

// Writer returns a writer to f. After the readers were given up, a write that waits
// fails, and so does a later one that is not read within a second.
func (r *Readers) Writer(f *os.File) io.Writer {
	if r == nil {
		return RetryWriter{f}
	}
	return &asyncWriter{w: RetryWriter{f}, gone: r.gone}
}

// Output is like [Readers.Writer], and Full reports its errors about a full disk, since
// then the reader lacks something.
func (r *Readers) Output(f *os.File) io.Writer { return &roomChecker{r.Writer(f), r} }

// Full returns the first error of a write to an Output that failed because the disk was
// full. It may be called when all writes are over.
func (r *Readers) Full() error {
	if r == nil {
		return nil
	}
	return r.full
}

// A roomChecker remembers the first write that failed for want of room.
type roomChecker struct {
	io.Writer
	readers *Readers
}

func (c *roomChecker) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	if c.readers != nil && c.readers.full == nil && isFull(err) {
		c.readers.full = err
	}
	return n, err
}

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// WatchSignals makes writes give up when signals ask envwrap to end: grace after the
// first one, at once after the second. asked means that the first one has come before,
// or a time limit in its place. It is for times when no run handles signals, and lasts
// until end is called. With nil Readers it takes no signal.
func (r *Readers) WatchSignals(signals <-chan os.Signal, grace time.Duration, asked bool) (end func()) {
	if r == nil {
		return func() {}
	}
	over := make(chan struct{})
	go func() {
		var limit <-chan time.Time
		if asked {
			limit = time.After(grace)
		}
		for {
			select {
			case <-over:
				return
			case sig := <-signals:
				switch {
				case !wrap.Cancels(sig):
					continue
				case limit == nil:
					limit = time.After(grace)
					continue
				}
			case <-limit:
			}
			r.GiveUp()
			return
		}
	}()
	return func() { close(over) }
}

// lastMoments is how many moments a write may take that begins after the readers were
// given up: a second, longer where this process is off its core. One that reads after
// all takes it at once: whoever is given up because the machine was slow still gets
// the envelope.
const (
	lastMoments = 20
	aMoment     = 50 * time.Millisecond
)

// An asyncWriter writes to w in a goroutine, and does not wait for it once gone is
// closed. Only one goroutine may call Write.
type asyncWriter struct {
	w    io.Writer
	gone <-chan struct{}
	buf  []byte // what a write that was given up may still be reading
	left bool   // a write was given up: there will be no other
}

func (c *asyncWriter) Write(b []byte) (int, error) {
	if c.left {
		return 0, errUnread
	}
	gone, moment := c.gone, (<-chan time.Time)(nil)
	select {
	case <-gone:
		ticker := time.NewTicker(aMoment)
		defer ticker.Stop()
		gone, moment = nil, ticker.C
	default:
	}
	type written struct {
		n   int
		err error
	}
	c.buf = append(c.buf[:0], b...)
	done := make(chan written, 1)
	go func() {
		n, err := c.w.Write(c.buf)
		done <- written{n, err}
	}()
	for left := lastMoments; left > 0; left-- {
		select {
		case w := <-done:
			return w.n, w.err
		case <-gone:
			left = 0
		case <-moment:
		}
	}
	c.left = true
	return 0, errUnread
}

// A RetryWriter writes to a file that may be in non-blocking mode, as some parents
// leave the pipes that they share with their children. It tries again when the pipe is
// full.
type RetryWriter struct{ F *os.File }

func (p RetryWriter) Write(b []byte) (int, error) {
	done := 0
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		n, err := p.F.Write(b[done:])
		done += n
		if n > 0 {
			wait = time.Millisecond
		}
		if !errors.Is(err, syscall.EAGAIN) {
			return done, err
		}
		time.Sleep(wait)
	}
}

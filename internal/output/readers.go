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

// Readers are the processes that read what envwrap writes, for as long as envwrap
// waits for them. One that does not read would otherwise hold a run that was
// stopped, and no signal would end it. envwrap waits without end for nil readers.
type Readers struct {
	gone   chan struct{} // closed when envwrap waits no more
	GiveUp func()
	full   error // of the first write to an output for which there was no room
}

// NewReaders returns the readers of one run.
func NewReaders() *Readers {
	gone := make(chan struct{})
	return &Readers{gone: gone, GiveUp: sync.OnceFunc(func() { close(gone) })}
}

// Writer returns a writer to f. Once the readers are given up, a write that waits
// for them fails, and so does one that begins later and is not read in a second.
func (r *Readers) Writer(f *os.File) io.Writer {
	if r == nil {
		return RetryWriter{f}
	}
	return &asyncWriter{w: RetryWriter{f}, gone: r.gone}
}

// Output is [Readers.Writer] for the command's stdout, where no room for it is a
// failure: the reader has not gone away, it misses something.
func (r *Readers) Output(f *os.File) io.Writer { return &roomChecker{r.Writer(f), r} }

// Full returns the error of the first write to an output for which there was no
// room. It may be called when all writes are over.
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

// WatchSignals gives the readers up when a signal asks envwrap to end: the first
// one after grace, the second at once. It is for the time in which no run takes the
// signals, and lasts until end is called.
func (r *Readers) WatchSignals(signals <-chan os.Signal, grace time.Duration) (end func()) {
	over := make(chan struct{})
	go func() {
		var limit <-chan time.Time
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

// A RetryWriter writes all of each write to a file that may be in non-blocking
// mode: some parents leave the pipes that they share with us so, and a full pipe is
// then an error after which the write is tried again.
type RetryWriter struct{ F *os.File }

func (p RetryWriter) Write(b []byte) (int, error) {
	done := 0
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		n, err := p.F.Write(b[done:])
		done += n
		if n > 0 {
			wait = time.Millisecond
		}
		if err == nil || !errors.Is(err, syscall.EAGAIN) {
			return done, err
		}
		time.Sleep(wait)
	}
}

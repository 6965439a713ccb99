package cli

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

// A readership is all who read what envwrap writes, for as long as they are
// waited for. One that does not read would else hold a run that was stopped, and
// no signal would end it. The nil readership is waited for without end.
type readership struct {
	gone    chan struct{} // closed when nobody waits any more
	abandon func()
	full    error // of the first write to an output for which there was no room; valid when the run is over
}

func newReadership() *readership {
	gone := make(chan struct{})
	return &readership{gone: gone, abandon: sync.OnceFunc(func() { close(gone) })}
}

// writer writes to f while the readers are waited for.
func (r *readership) writer(f *os.File) io.Writer {
	if r == nil {
		return patient{f}
	}
	return &courier{w: patient{f}, gone: r.gone}
}

// output is writer for the command's stdout, where no room for it is a failure:
// the reader has not gone away, it misses something.
func (r *readership) output(f *os.File) io.Writer { return &roomChecker{r.writer(f), r} }

// A roomChecker remembers the first write that failed for want of room.
type roomChecker struct {
	io.Writer
	readers *readership
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

// heed makes signals that ask envwrap to end abandon the readers: the first one
// after grace, the second at once. It is for the time in which no run takes the
// signals, and until end is called.
func (r *readership) heed(signals <-chan os.Signal, grace time.Duration) (end func()) {
	over := make(chan struct{})
	go func() {
		var patience <-chan time.Time
		for {
			select {
			case <-over:
				return
			case sig := <-signals:
				switch {
				case !wrap.Cancels(sig):
					continue
				case patience == nil:
					patience = time.After(grace)
					continue
				}
			case <-patience:
			}
			r.abandon()
			return
		}
	}()
	return func() { close(over) }
}

// A courier writes to w, and does not wait for it once gone is closed. It is for
// one writer at a time.
type courier struct {
	w    io.Writer
	gone <-chan struct{}
	buf  []byte // what a write that was given up may still be reading
}

func (c *courier) Write(b []byte) (int, error) {
	select {
	case <-c.gone:
		return 0, errUnread
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
	select {
	case w := <-done:
		return w.n, w.err
	case <-c.gone:
		return 0, errUnread
	}
}

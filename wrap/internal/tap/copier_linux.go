package tap

import (
	"os"

	"golang.org/x/sys/unix"
)

// Half of what a pipe holds: the copier and the pipe that it writes to then hold as much as one
// pipe together.
const half = 32 << 10

// A copier copies from one pipe to another until either has no other end.
type copier struct {
	in, out, stop int
	sink          Sink
	process       *os.File // gets the line done when nothing is left to copy
	done          string
	stopped       bool // the tap was closed
}

// run copies, and closes both pipes.
func (c *copier) run() {
	_, _ = unix.FcntlInt(uintptr(c.out), unix.F_SETPIPE_SZ, half) // a larger one is as right
	c.copy()
	early := c.stopped || !c.drain()
	_, _ = unix.Close(c.in), unix.Close(c.out)
	if !c.stopped {
		_, _ = c.process.WriteString(c.done + "\n")
	}
	c.sink.End(early)
}

// copy copies until either pipe has no other end, or the tap was closed.
func (c *copier) copy() {
	buf := make([]byte, half)
	for {
		in, gone := c.wait(c.in, unix.POLLIN)
		if gone {
			return
		}
		if !in {
			continue
		}
		n, err := unix.Read(c.in, buf)
		switch {
		case err == unix.EAGAIN:
			continue
		case n <= 0:
			return
		}
		c.write(buf[:n])
		c.sink.Take(buf[:n])
	}
}

// write writes b, unless its reader or the tap is gone: then wait says so.
func (c *copier) write(b []byte) {
	for len(b) > 0 {
		n, err := unix.Write(c.out, b)
		switch {
		case err == unix.EAGAIN:
			if _, gone := c.wait(c.out, unix.POLLOUT); gone {
				return
			}
		case err != nil:
			return
		}
		b = b[max(0, n):]
	}
}

// wait waits until a pipe is ready for what event says, its own end or the other's. gone means
// that nobody reads the copy any more, or that the tap was closed.
func (c *copier) wait(fd int, event int16) (ready, gone bool) {
	polls := []unix.PollFd{{Fd: int32(c.stop), Events: unix.POLLIN}, {Fd: int32(c.out)}, {Fd: int32(fd), Events: event}}
	if _, err := unix.Poll(polls, -1); err != nil {
		return false, err != unix.EINTR
	}
	c.stopped = polls[0].Revents != 0
	return polls[2].Revents != 0, polls[0].Revents != 0 || polls[1].Revents&unix.POLLERR != 0
}

// drain reads what waits in the pipe, without waiting for more. It reports whether the writers
// have closed the pipe, so that this was the end of it.
func (c *copier) drain() (ended bool) {
	left, _ := unix.IoctlGetInt(c.in, unix.TIOCINQ)
	buf := make([]byte, half)
	for left >= 0 { // one byte more shows that writers go on
		n, _ := unix.Read(c.in, buf[:min(half, left+1)])
		if n <= 0 {
			return n == 0
		}
		c.sink.Take(buf[:n])
		left -= n
	}
	return false
}

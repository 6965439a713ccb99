package tap

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A Tap waits for processes that ask it to copy between their pipes.
type Tap struct {
	self     string   // this process in /proc
	requests *os.File // where it reads who asks
	request  *os.File // the other end, which the processes open
	answers  []answer // for each sink
	sinks    []Sink
	done     string      // the line that ends a process
	ends     [2]*os.File // the copying ends when the second is closed
	busy     sync.WaitGroup
}

// An answer is a pipe from which one process waits for a line.
type answer struct{ read, write *os.File }

// New returns a tap that copies to sinks what passes through one pipe for each. done is the line
// that tells a process that nothing is left to copy. Close ends the tap.
func New(sinks []Sink, done string) (t *Tap, err error) {
	t = &Tap{sinks: sinks, done: done}
	if err := t.open(); err != nil {
		t.release()
		return nil, err
	}
	t.busy.Go(t.serve)
	return t, nil
}

// spare is how many descriptors are left to the rest of the process.
const spare = 64

// open makes the pipes.
func (t *Tap) open() (err error) {
	t.self, _ = os.Readlink("/proc/self") // without it /dev/fd is empty
	if t.requests, t.request, err = os.Pipe(); err != nil {
		return err
	}
	for range t.sinks {
		var a answer
		if a.read, a.write, err = os.Pipe(); err != nil {
			return err
		}
		t.answers = append(t.answers, a)
	}
	if t.ends[0], t.ends[1], err = os.Pipe(); err != nil {
		return err
	}
	last := t.ends[1].Fd()
	var most unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &most); err != nil || most.Cur < uint64(last)+spare {
		return errors.ErrUnsupported
	}
	if _, err := os.Stat(fmt.Sprintf("/dev/fd/%d", last)); err != nil {
		return errors.ErrUnsupported // bash opens a process substitution there
	}
	return nil
}

// Inherited reports whether programs that this process starts have the descriptor fd open.
func (t *Tap) Inherited(fd int) bool {
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
	return err == nil && flags&unix.FD_CLOEXEC == 0
}

// Request returns the path of the file to which a process writes one line: the number of its
// sink, its process id, and anything else, separated by blanks.
func (t *Tap) Request() string { return t.path(t.request) }

// Answer returns the path of the file from which the process of sink i reads two lines. The
// first comes when the tap has opened the pipes that the process has as descriptors 8 and 9, the
// second when nothing is left to copy. The end of the file means that the process has to copy
// the rest itself.
func (t *Tap) Answer(i int) string { return t.path(t.answers[i].read) }

func (t *Tap) path(f *os.File) string { return fmt.Sprintf("/proc/%s/fd/%d", t.self, f.Fd()) }

// Close ends all copying and waits until the sinks have what was read.
func (t *Tap) Close() {
	_ = t.ends[1].Close()
	_ = t.requests.SetReadDeadline(time.Unix(1, 0)) // which has passed
	t.busy.Wait()
	t.release()
}

func (t *Tap) release() {
	for _, f := range []*os.File{t.requests, t.request, t.ends[0], t.ends[1]} {
		_ = f.Close() // nil is an error that is returned
	}
	for _, a := range t.answers {
		_, _ = a.read.Close(), a.write.Close()
	}
}

// serve answers the processes that ask.
func (t *Tap) serve() {
	lines := bufio.NewReader(t.requests)
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return
		}
		number, rest, _ := strings.Cut(string(line), " ")
		i, err := strconv.Atoi(number)
		if err != nil || i < 0 || i >= len(t.sinks) || t.sinks[i] == nil {
			continue
		}
		pid, _, _ := strings.Cut(rest, " ")
		if !t.copyFor(i, pid) {
			_ = t.answers[i].write.Close() // without a line before it is a refusal
		}
	}
}

// copyFor opens the pipes of a process and begins to copy to sink i. It reports false if they
// cannot be opened.
func (t *Tap) copyFor(i int, pid string) bool {
	if _, err := strconv.ParseUint(pid, 10, 31); err != nil {
		return false
	}
	in, err := openPipe("/proc/"+pid+"/fd/8", unix.O_RDONLY)
	if err != nil {
		return false
	}
	out, err := openPipe("/proc/"+pid+"/fd/9", unix.O_WRONLY)
	if err != nil {
		_ = unix.Close(in)
		return false
	}
	c := &copier{in: in, out: out, stop: int(t.ends[0].Fd()), sink: t.sinks[i], process: t.answers[i].write, done: t.done}
	t.sinks[i] = nil                   // each asks once
	_, _ = c.process.WriteString("\n") // there is room in the pipe
	t.busy.Go(c.run)
	return true
}

// openPipe opens a file that is a pipe.
func openPipe(path string, flags int) (int, error) {
	fd, err := unix.Open(path, flags|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return -1, err
	}
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil || stat.Mode&unix.S_IFMT != unix.S_IFIFO {
		_ = unix.Close(fd)
		return -1, unix.EINVAL
	}
	return fd, nil
}

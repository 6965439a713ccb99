package cli

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/internal/term"
)

// patient writes all it is given to a file that may be in non-blocking mode:
// some parents leave the pipes that they share with us so, and a full pipe is
// then an error which only asks for another try.
type patient struct{ f *os.File }

func (p patient) Write(b []byte) (int, error) {
	done := 0
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		n, err := p.f.Write(b[done:])
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

// locked lets two streams share a writer.
type locked struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// both writes to two places; one that fails does not keep it from the other.
type both struct{ a, b io.Writer }

func (w both) Write(p []byte) (int, error) {
	_, errA := w.a.Write(p)
	_, errB := w.b.Write(p)
	if errA != nil && errB != nil {
		return 0, errA
	}
	return len(p), nil
}

// live is where the command's redacted output is shown while it runs: with -o
// on stdout and stderr, with --tee (also) on stderr. nil is nowhere.
func (w *World) live(o *runOptions, readers *readership) (stdout, stderr io.Writer) {
	toStderr := locked{new(sync.Mutex), readers.writer(w.Stderr)}
	tee := func() io.Writer { // each stream with a state of its own
		if o.color {
			return toStderr
		}
		if term.IsTerminal(w.Stderr) {
			return term.Live(w.Stderr, toStderr, false)
		}
		return term.NewStripper(toStderr)
	}
	ownStdout := func() io.Writer { return term.Live(w.Stdout, readers.output(w.Stdout), o.color) }
	ownStderr := func() io.Writer { return term.Live(w.Stderr, toStderr, o.color) }
	passing := o.output != "" && o.output != "-"
	switch {
	case passing && o.tee:
		return both{ownStdout(), tee()}, ownStderr()
	case passing:
		return ownStdout(), ownStderr()
	case o.tee:
		return tee(), tee()
	}
	return nil, nil
}

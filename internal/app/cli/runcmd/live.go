package runcmd

import (
	"io"
	"sync"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/internal/shared/term"
)

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

// both writes to two writers. An error of the first does not keep the data from the
// second.
type both struct{ a, b io.Writer }

func (w both) Write(p []byte) (int, error) {
	_, errA := w.a.Write(p)
	_, errB := w.b.Write(p)
	if errA != nil && errB != nil {
		return 0, errA
	}
	return len(p), nil
}

// live returns where the command's redacted output is shown while it runs: with -o
// on stdout and stderr, with --tee (also) on stderr. nil is nowhere.
func live(env *cli.Env, o *RunOptions, readers *output.Readers) (stdout, stderr io.Writer) {
	toStderr := locked{new(sync.Mutex), readers.Writer(env.Stderr)}
	tee := func() io.Writer { // each stream with a state of its own
		if o.color {
			return toStderr
		}
		if term.IsTerminal(env.Stderr) {
			return term.Live(env.Stderr, toStderr, false)
		}
		return term.NewStripper(toStderr)
	}
	ownStdout := func() io.Writer { return term.Live(env.Stdout, readers.Output(env.Stdout), o.color) }
	ownStderr := func() io.Writer { return term.Live(env.Stderr, toStderr, o.color) }
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

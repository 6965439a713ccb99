package wrap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap/internal/nesting"
	"github.com/envwrap/envwrap/wrap/internal/pipe"
	"github.com/envwrap/envwrap/wrap/internal/proctree"
)

// Run runs the command to its end and returns its record. The child's failure,
// including a program that was not found, is data in the record; an error means that
// wrap itself failed and nothing ran.
//
// When ctx is done the child is stopped as if SIGTERM had been received. Run returns
// when the child has ended and its output is read. That is at most KillAfter after a
// stop, plus at most two seconds in which the output of processes that outlived the
// child is read.
func Run(ctx context.Context, c *Command) (*envelope.Result, error) {
	if len(c.Argv) == 0 {
		return nil, errors.New("run a command: no command was given")
	}
	r := newRun(c)
	r.started = r.now()
	if err := r.openStreams(); err != nil {
		return nil, err
	}
	defer r.streams.close()
	defer r.discardKept()
	if c.Context != "" && c.Parse != envelope.ParseText {
		r.below = nesting.Open(c.Context)
		defer r.below.Close()
	}
	var warning string
	if r.probe, warning = r.newProbe(); warning != "" {
		r.warn(warning)
	}
	defer r.probe.close()
	r.echoed = proctree.Echoes(c.Stdin.File) // before the command can change it
	r.failure = r.start()
	r.closeChildEnds()
	if r.failure == nil {
		defer r.tree.Release()
		r.watch(ctx)
		r.probe.read()
	}
	r.closeTap()
	r.ended = r.now()
	return r.record(), nil
}

// openStreams opens the child's stdin and makes the pipes for its output.
func (r *run) openStreams() (err error) {
	defer func() {
		if err != nil {
			r.streams.close()
		}
	}()
	if r.stdin, r.ownsStdin, err = r.c.Stdin.open(); err != nil {
		return err
	}
	if r.stdout, err = r.newStream("stdout", r.c.LiveStdout, r.c.Stdout); err != nil {
		return err
	}
	if r.c.Merge {
		r.stderr = &stream{capture: r.newCapture("stderr", nil), child: r.stdout.child}
		return nil
	}
	r.stderr, err = r.newStream("stderr", r.c.LiveStderr, r.c.Stderr)
	return err
}

func (r *run) closeChildEnds() {
	for _, s := range r.both() {
		if s.read != nil {
			_ = s.child.Close()
		}
	}
	if r.ownsStdin {
		_ = r.stdin.Close()
	}
}

// open finds the child's standard input. The bool says whether the file is
// ours to close.
func (s Stdin) open() (*os.File, bool, error) {
	if s.Mode == StdinFile || s.Mode == StdinInherit && s.File != nil {
		return s.File, false, nil
	}
	if s.Mode == StdinAuto && s.File != nil && WorthInheriting(s.File) {
		return s.File, false, nil
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, false, fmt.Errorf("open the child's stdin: %w", err)
	}
	return null, true, nil
}

// WorthInheriting reports whether StdinAuto passes a file on to the child: a terminal, a
// regular file, a device or a pipe. It does not pass on a socket, since agents leave one
// open for ever as stdin.
func WorthInheriting(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeSocket == 0
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
	s.capture.onPart = r.onPart(name)
	s.masked = r.maskStream(name, s.capture)
	s.unfinished.on = live != nil || r.c.Progress != nil
	return s, nil
}

// maskStream returns a writer that masks a stream.
func (r *run) maskStream(name string, dst io.Writer) *redact.Writer {
	if name == "stdout" {
		return r.c.MaskStdout(dst)
	}
	return r.c.Redactor.Writer(dst)
}

// onPart returns the function that is called with the partial file of a stream, or nil if
// no such file is made.
func (r *run) onPart(stream string) func(dir, part string) {
	if r.c.LiveAfter <= 0 || r.c.Kept == nil {
		return nil
	}
	return func(dir, part string) { r.c.Kept(stream, dir, part) }
}

func (r *run) newCapture(name string, live io.Writer) *capture {
	c := &capture{
		name:    name,
		sum:     envelope.Summarizer{Parse: r.c.Parse, ExcerptMax: r.c.excerptMost()},
		live:    liveView{to: live},
		keep:    int(max(memoryKeep, 2*r.c.inlineLimit())),
		whole:   true,
		rescue:  r.c.Below,
		store:   r.store,
		spillAt: r.c.inlineLimit(),
		max:     r.c.MaxArtifact,
		lasting: r.c.LiveStored && live != nil,
	}
	if c.lasting && !r.c.retrying {
		c.shareAs = name
	}
	if r.c.Progress != nil {
		c.live.printed = r.printed
	}
	if name == "stdout" && r.c.OnOverflow == OverflowKill && r.c.MaxCapture > 0 {
		c.limit = r.c.MaxCapture
		c.overflowed = make(chan struct{})
	}
	return c
}

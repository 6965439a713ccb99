package wrap

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/envwrap/envwrap/envelope"
)

// Reasons why [Replay] cannot replay a run for a command.
var (
	// ErrMasked means that a Passthrough needs the command's own bytes, and secrets in
	// them were masked before they were recorded.
	ErrMasked = errors.New("its stored output has masks in the place of secrets")
	// ErrSecret means that the redactor, which knows more secrets now, finds one in
	// what was recorded.
	ErrSecret = errors.New("its stored output contains a value that counts as a secret now")
	// ErrBroken means that the bytes in the store differ from the run's output.
	ErrBroken = errors.New("its stored output differs from what it printed")
)

// A Replayed is a run that was replayed from a recording and not shown yet.
type Replayed struct {
	Result *envelope.Result
	c      *Command
	t      *Recording
	open   func(digest string) (io.ReadCloser, error)
}

// Replay returns the record of a recorded run, as if the command had just ended in this
// way. Nothing is run. c decides what the status and the output mean, which output is stored,
// and which ids the record has. open opens an object of the store by its digest.
//
// An error, which is ErrMasked, ErrSecret, ErrBroken or one of reading a stream, means that the
// command has to be run again.
func Replay(c *Command, t *Recording, open func(digest string) (io.ReadCloser, error)) (*Replayed, error) {
	if c.Stdout.To != nil && len(t.Stdout.Masked) > 0 || c.Stderr.To != nil && len(t.Stderr.Masked) > 0 {
		return nil, ErrMasked
	}
	r := newRun(c)
	r.replayed = t
	for _, w := range t.Warnings {
		r.warn(w)
	}
	r.started, r.ended = t.Started, t.Ended
	r.end = exitState{code: t.ExitCode, signal: t.Signal, name: t.Name}
	if r.failure = t.NotStarted.failure(c); t.TimedOut {
		r.stopped.cause = stopTimeout
	}
	r.usage, r.left, r.nested = t.Usage, slices.Clone(t.Left), t.Nested
	r.stdout, r.stderr = r.replayedStream("stdout", &t.Stdout), r.replayedStream("stderr", &t.Stderr)
	defer r.streams.close()
	for _, s := range []struct {
		*stream
		t *RecordedStream
	}{{r.stdout, &t.Stdout}, {r.stderr, &t.Stderr}} {
		replay := func() error { return r.replayInto(s.capture, s.t, open) }
		if s.t.Printed != nil {
			replay = func() error { return r.replayPrinted(s.stream, s.t) }
		}
		if err := replay(); err != nil {
			return nil, err
		}
	}
	return &Replayed{r.record(), c, t, open}, nil
}

// replayedStream makes a stream without pipe and pump.
func (r *run) replayedStream(name string, t *RecordedStream) *stream {
	s := &stream{capture: r.newCapture(name, nil), recorded: t.Masked}
	s.capture.digest = t.Artifact
	s.capture.live.printed = nil
	return s
}

// replayInto writes a recorded stream to a capture through the redactor. That changes
// nothing, unless the redactor knows more secrets now.
func (r *run) replayInto(c *capture, t *RecordedStream, open func(string) (io.ReadCloser, error)) error {
	from, err := t.open(open)
	if err != nil {
		return err
	}
	defer from.Close()
	was, is := sha256.New(), sha256.New()
	masked := r.maskStream(c.name, io.MultiWriter(is, c))
	n, err := io.Copy(masked, struct{ io.Reader }{io.TeeReader(from, was)})
	if closeErr := masked.Close(); err == nil {
		err = closeErr
	}
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrBroken, err)
	case n != t.Size || t.Artifact != "" && t.Artifact != spelled(was):
		return ErrBroken
	case !bytes.Equal(was.Sum(nil), is.Sum(nil)):
		return ErrSecret
	}
	return nil
}

// replayPrinted passes a stream that was not masked through the redactor to its capture, as the
// pump of a run does.
func (r *run) replayPrinted(s *stream, t *RecordedStream) error {
	from, err := t.Printed()
	if err != nil {
		return err
	}
	defer from.Close()
	s.masked = r.maskStream(s.capture.name, s.capture)
	_, err = io.CopyBuffer(struct{ io.Writer }{s.masked}, struct{ io.Reader }{from}, make([]byte, pumpLarge))
	return errors.Join(err, s.masked.Close())
}

// spelled returns a digest as artifacts are named.
func spelled(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }

// open reads a recorded stream from where it is.
func (t *RecordedStream) open(open func(string) (io.ReadCloser, error)) (io.ReadCloser, error) {
	if t.Artifact == "" {
		return io.NopCloser(bytes.NewReader(t.Bytes)), nil
	}
	return open(t.Artifact)
}

// Show writes the recorded output to the Live writers and Passthroughs of the Command,
// first stdout, then stderr. Write errors are ignored.
func (p *Replayed) Show() {
	p.show(&p.t.Stdout, p.c.LiveStdout, p.c.Stdout.To)
	p.show(&p.t.Stderr, p.c.LiveStderr, p.c.Stderr.To)
}

func (p *Replayed) show(t *RecordedStream, to ...io.Writer) {
	for _, w := range to {
		if w == nil || t.Printed != nil {
			continue
		}
		from, err := t.open(p.open)
		if err != nil {
			return
		}
		_, _ = io.Copy(struct{ io.Writer }{w}, from)
		_ = from.Close()
	}
}

// fillRecording fills the Command's Recording, with the masked texts of the record of the
// run.
func (w *recorder) fillRecording(ended *envelope.Result) {
	t := w.c.Recording
	if t == nil {
		return
	}
	*t = Recording{
		ExitCode: w.end.code, Signal: w.end.signal, Name: w.end.name,
		Started: w.started, Ended: w.ended, Usage: w.usage, Left: ended.Leftovers, Nested: w.nested,
		Warnings: slices.Clone(ended.Warnings[len(w.c.Warnings):]),
		Kept:     slices.Clone(ended.Kept), KeptMasked: w.keptMasked,
	}
	for i := range t.Kept {
		t.Kept[i].Read = ""
	}
	if w.failure != nil || w.stopped.cause != stopNone || w.end.lost || w.storeErr != nil ||
		w.c.Stdout.Own != nil || w.c.Stderr.Own != nil {
		return
	}
	t.Whole = w.stdout.recordTo(&t.Stdout) && w.stderr.recordTo(&t.Stderr)
}

// recordTo reports whether the stream could be recorded to its last byte.
func (s *stream) recordTo(t *RecordedStream) bool {
	c := s.capture
	t.Size, t.Masked = c.bytes, s.counts()
	switch {
	case s.cut || s.failed != nil || s.passthrough.deserted():
		return false
	case c.digest != "" && !c.clipped:
		t.Artifact = c.digest
	case c.whole && c.digest == "":
		t.Bytes = c.memory
	default:
		return false
	}
	return true
}

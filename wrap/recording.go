package wrap

import (
	"slices"

	"github.com/envwrap/envwrap/envelope"
)

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

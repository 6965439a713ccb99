package wrap

import (
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
)

// A Recording is what there is to keep of a run so that it can be replayed: facts,
// and both streams as they were after redaction. What they mean is judged
// anew by [Replay]. Run fills the Recording of its Command.
type Recording struct {
	// Whole says that the command ran to an end of its own and that both
	// streams are here to the last byte. Nothing else can be replayed.
	Whole bool `json:"-"`

	Program  string              `json:"program"` // what was started
	ExitCode int                 `json:"exit_code"`
	Signal   int                 `json:"signal,omitempty"` // 0 where it exited
	Name     string              `json:"signal_name,omitempty"`
	Started  time.Time           `json:"started"`
	Ended    time.Time           `json:"ended"`
	Usage    *envelope.Usage     `json:"usage,omitempty"`
	Left     []envelope.Leftover `json:"left,omitempty"`
	Warnings []string            `json:"warnings,omitempty"` // masked
	Stdout   RecordedStream      `json:"stdout"`
	Stderr   RecordedStream      `json:"stderr"`
}

// A RecordedStream is one redacted stream: in memory, or in the store.
type RecordedStream struct {
	Bytes    []byte        `json:"-"`
	Artifact string        `json:"artifact,omitempty"` // sha256:<64 hex>; Bytes is nil then
	Size     int64         `json:"size"`
	Masked   redact.Counts `json:"masked,omitempty"` // what was masked in it
}

// fillRecording fills the Command's Recording.
func (r *run) fillRecording() {
	t := r.c.Recording
	if t == nil {
		return
	}
	*t = Recording{
		Program: r.program, ExitCode: r.end.code, Signal: r.end.signal, Name: r.end.name,
		Started: r.started, Ended: r.ended, Usage: r.usage, Left: r.left,
		Warnings: r.masked(append([]string(nil), r.warnings[len(r.c.Warnings):]...)),
	}
	if r.failure != nil || r.stopped.cause != stopNone || r.end.lost || r.storeErr != nil ||
		r.c.Stdout.Own != nil || r.c.Stderr.Own != nil {
		return
	}
	t.Whole = r.stdout.recordTo(&t.Stdout) && r.stderr.recordTo(&t.Stderr)
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

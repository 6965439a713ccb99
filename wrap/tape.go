package wrap

import (
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
)

// A Tape is what there is to keep of a run so that it can be told again: facts,
// and both streams as they were after redaction. What they mean is judged
// anew by [Replay]. Run fills the Tape of its Command.
type Tape struct {
	// Whole says that the command ran to an end of its own and that both
	// streams are here to the last byte. Nothing else can be told again.
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
	Stdout   TapedStream         `json:"stdout"`
	Stderr   TapedStream         `json:"stderr"`
}

// A TapedStream is one redacted stream: in memory, or in the store.
type TapedStream struct {
	Bytes    []byte        `json:"-"`
	Artifact string        `json:"artifact,omitempty"` // sha256:<64 hex>; Bytes is nil then
	Size     int64         `json:"size"`
	Masked   redact.Counts `json:"masked,omitempty"` // what was masked in it
}

// tape fills the Command's Tape.
func (r *run) tape() {
	t := r.c.Tape
	if t == nil {
		return
	}
	*t = Tape{
		Program: r.program, ExitCode: r.end.code, Signal: r.end.signal, Name: r.end.name,
		Started: r.started, Ended: r.ended, Usage: r.usage, Left: r.left,
		Warnings: r.masked(append([]string(nil), r.warnings[len(r.c.Warnings):]...)),
	}
	if r.failure != nil || r.stopped.cause != stopNone || r.end.lost || r.storeErr != nil ||
		r.c.Stdout.Own != nil || r.c.Stderr.Own != nil {
		return
	}
	t.Whole = r.stdout.tapeTo(&t.Stdout) && r.stderr.tapeTo(&t.Stderr)
}

// tapeTo reports whether the stream could be taped to its last byte.
func (s *stream) tapeTo(t *TapedStream) bool {
	c := s.capture
	t.Size, t.Masked = c.bytes, s.counts()
	switch {
	case s.cut || s.failed != nil || s.passage.deserted():
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

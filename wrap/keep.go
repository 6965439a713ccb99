package wrap

import (
	"bytes"
	"errors"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/pipeline"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap/internal/program"
	"github.com/envwrap/envwrap/wrap/internal/tap"
)

// keptMost bounds what is stored of one stage's output, in bytes: masking is slower than a
// pipe, and goes on while the pipeline runs.
const keptMost = 64 << 20

// A keptOutput takes what an early stage of a pipeline prints.
type keptOutput struct {
	stage        string // the program; "" of a compound command
	capture      *capture
	masked       *redact.Writer
	bytes, lines int64
	early        bool // a later stage went away first
}

// keepPipes has the shell offer what the early stages of line's pipelines print. Without that
// the pipelines run as they are.
func (r *run) keepPipes(line *pipeline.Line) {
	if !r.c.KeepPipes || r.c.Stdout.To != nil || r.stdout.read == nil {
		return
	}
	if r.c.Terminal {
		for _, k := range line.Kept {
			if k.Terminal {
				return
			}
		}
	}
	if len(line.Kept) == 0 {
		return
	}
	var sinks []tap.Sink
	for _, k := range line.Kept {
		o := &keptOutput{capture: r.newCapture("pipeline", nil)}
		if name := k.Stage.Name(); name != "" {
			o.stage = program.Name(name)
		}
		o.capture.live = liveView{}
		o.capture.pumped = true
		if most := &o.capture.max; *most == 0 || *most > keptMost {
			*most = keptMost
		}
		o.masked = r.mask.redactor.Writer(o.capture)
		r.kept, sinks = append(r.kept, o), append(sinks, o)
	}
	t, err := tap.New(sinks)
	if err != nil {
		r.kept = nil
		if !errors.Is(err, errors.ErrUnsupported) {
			r.warn("the output of early stages is not kept: " + err.Error())
		}
		return
	}
	r.tap = t
	line.Keep(t.Request(), t.Answer)
	for _, s := range r.both() {
		s.offered = true
	}
}

// closeTap ends the reading of early stages.
func (r *run) closeTap() {
	if r.tap != nil {
		r.tap.Close()
	}
}

// Take implements [tap.Sink].
func (o *keptOutput) Take(b []byte) {
	o.bytes += int64(len(b))
	o.lines += int64(bytes.Count(b, []byte{'\n'}))
	if o.capture.bytes <= o.capture.max && o.capture.err == nil {
		_, _ = o.masked.Write(b)
	}
}

// End implements [tap.Sink].
func (o *keptOutput) End(early bool) {
	o.early = early
	_ = o.masked.Close()
	o.capture.end()
}

// keepOutputs puts what early stages printed into the store, and names it in the record,
// unless the envelope shows all of it.
func (w *recorder) keepOutputs() {
	ended := w.res
	if w.res.Exec != nil {
		ended = w.res.Exec
	}
	for _, o := range w.kept {
		c := o.capture
		shown := w.stdout.capture
		if o.bytes == 0 || c.whole && shown.whole && bytes.Contains(shown.memory, c.memory) {
			continue
		}
		digest, err := c.commit(artifact.Info{Kind: c.sum.Summary().Kind, Command: w.mask.mask().Command(w.res.Command), Stream: c.name})
		if err != nil {
			w.warn("what an early stage of the pipeline printed could not be kept: " + err.Error())
			continue
		}
		ended.Kept = append(ended.Kept, envelope.Kept{
			Program: o.stage, Bytes: o.bytes, Lines: o.lines, Early: o.early, Truncated: c.clipped,
			Artifact: digest, Read: w.c.reading(digest),
		})
	}
}

// discardKept removes from the store what was not committed.
func (r *run) discardKept() {
	for _, o := range r.kept {
		o.capture.discard()
	}
}

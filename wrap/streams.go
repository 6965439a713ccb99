package wrap

import (
	"os"
	"sync/atomic"
	"time"

	"github.com/envwrap/envwrap/wrap/internal/proctree"
)

// streams are both output streams of a child. Only the two pumps run beside the goroutine
// that called Run, and each touches only its own stream.
type streams struct {
	stdout *stream
	stderr *stream
	pumped chan struct{} // closed when both streams are read to their end
}

func (o *streams) both() []*stream { return []*stream{o.stdout, o.stderr} }

// pump starts to read both streams, each in a goroutine of its own. The last to end closes
// pumped.
func (o *streams) pump() {
	var left atomic.Int32
	left.Store(1)
	end := func() {
		if left.Add(-1) == 0 {
			close(o.pumped)
		}
	}
	for _, s := range o.both() {
		if s.read != nil {
			left.Add(1)
			go func() {
				defer end()
				s.pump()
			}()
		}
	}
	end()
}

// activity changes whenever a byte was read.
func (o *streams) activity() int64 { return o.stdout.active.Load() + o.stderr.active.Load() }

// passing reports whether a pump is still passing on bytes that it has read.
func (o *streams) passing() bool { return o.stdout.busy.Load() || o.stderr.busy.Load() }

// cutOff ends reading, and returns who keeps the pipes open.
func (o *streams) cutOff() []proctree.Process {
	var pipes []*os.File
	for _, s := range o.both() {
		if s.read != nil {
			pipes = append(pipes, s.read)
		}
	}
	held := proctree.Holders(pipes)
	for _, pipe := range pipes {
		_ = pipe.SetReadDeadline(time.Unix(1, 0))
	}
	return held
}

// newest returns the last line that the child printed on either stream.
func (o *streams) newest() string {
	out, errs := o.stdout.capture.live.line.Load(), o.stderr.capture.live.line.Load()
	if out == nil || errs != nil && errs.at.After(out.at) {
		out = errs
	}
	if out == nil {
		return ""
	}
	return out.text
}

// close closes the pipes that are still open, however the run ended.
func (o *streams) close() {
	for _, s := range o.both() {
		if s == nil {
			continue
		}
		if s.read != nil {
			_ = s.read.Close()
		}
		s.capture.discard()
	}
}

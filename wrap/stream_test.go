package wrap

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
)

// An unfinished line is shown in time also if more of it comes, and for a finished
// one there is nothing to wait for.
func TestUnfinishedLineIsNotPutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shown strings.Builder
		s := &stream{capture: (&run{c: &Command{}}).newCapture("stdout", &shown)}
		s.masked = redact.New(redact.Options{}).Writer(s.capture)
		s.unfinished.on = true
		for i, step := range []struct {
			text, shown string
			armed       bool
		}{
			{"first\n", "first\n", false},
			{"50%", "first\n", true},
			{" 60%", "first\n50% 60%", false},
			{" 70%\n", "first\n50% 60% 70%\n", false},
		} {
			s.pass([]byte(step.text))
			<-time.After(unfinishedAfter * 6 / 10)
			synctest.Wait()
			if shown.String() != step.shown || s.unfinished.armed != step.armed {
				t.Errorf("step %d: shown %q, armed %v", i, &shown, s.unfinished.armed)
			}
		}
		s.finish()
	})
}

// A bar that is redrawn with carriage returns is progress while it is drawn, and what
// was counted of it is not counted again.
func TestUnfinishedLineIsProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRun(&Command{Capture: Capture{Progress: func(envelope.Progress) {}}})
		s := &stream{capture: r.newCapture("stdout", nil)}
		s.masked = redact.New(redact.Options{}).Writer(s.capture)
		s.unfinished.on = true
		shown := &s.capture.live
		for i, step := range []struct {
			text, line   string
			bytes, lines int64
		}{
			{"\r10%", "10%", 4, 0},
			{"\r20%", "20%", 8, 0},
			{"\r30%\nand sk", "and", 17, 1},
			{"ipped\n", "and skipped", 25, 2},
		} {
			s.pass([]byte(step.text))
			<-time.After(2 * unfinishedAfter)
			synctest.Wait()
			line := shown.line.Load()
			if line == nil || line.text != step.line || shown.bytes.Load() != step.bytes || shown.lines.Load() != step.lines {
				t.Errorf("step %d: %+v, %d bytes, %d lines", i, line, shown.bytes.Load(), shown.lines.Load())
			}
		}
		s.finish()
	})
}

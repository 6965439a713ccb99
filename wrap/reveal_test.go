package wrap

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/envwrap/envwrap/redact"
)

// An unfinished line is shown in time also if more of it comes, and for a finished
// one there is nothing to wait for.
func TestRevealIsNotPutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shown strings.Builder
		s := &stream{capture: (&run{c: &Command{}}).newCapture("stdout", &shown)}
		s.masked = redact.New(redact.Options{}).Writer(s.capture)
		s.reveal.on = true
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
			<-time.After(revealAfter * 6 / 10)
			synctest.Wait()
			if shown.String() != step.shown || s.reveal.armed != step.armed {
				t.Errorf("step %d: shown %q, armed %v", i, &shown, s.reveal.armed)
			}
		}
		s.finish()
	})
}

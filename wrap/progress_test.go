package wrap

import (
	"testing"
	"time"
)

// The newest line comes from the stream that was printed to last.
func TestNewestLine(t *testing.T) {
	early := &shownLine{text: "early", at: time.Unix(1, 0)}
	late := &shownLine{text: "late", at: time.Unix(2, 0)}
	for _, c := range []struct {
		stdout, stderr *shownLine
		want           string
	}{{nil, nil, ""}, {early, nil, "early"}, {nil, early, "early"}, {early, late, "late"}, {late, early, "late"}} {
		r := &streams{stdout: &stream{capture: &capture{}}, stderr: &stream{capture: &capture{}}}
		r.stdout.capture.live.line.Store(c.stdout)
		r.stderr.capture.live.line.Store(c.stderr)
		if got := r.newest(); got != c.want {
			t.Errorf("%v and %v: %q, want %q", c.stdout, c.stderr, got, c.want)
		}
	}
}

package job

import (
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// A record has the times of the run, but for one that never began, or that was
// before the job and is remembered.
func TestTimesOfARecord(t *testing.T) {
	submitted := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	at := func(seconds int) time.Time { return submitted.Add(time.Duration(seconds) * time.Second) }
	now := at(9)
	for name, c := range map[string]struct{ began, started, ended, wantStarted, wantEnded time.Time }{
		"a run":        {at(1), at(2), at(3), at(2), at(3)},
		"never begun":  {time.Time{}, at(2), at(3), time.Time{}, at(3)},
		"a remembered": {at(1), at(-60), at(-50), at(1), now},
	} {
		rec := Record{Submitted: submitted, Started: c.began}
		rec.end(&envelope.Result{Started: c.started, Ended: c.ended}, now)
		if !rec.Started.Equal(c.wantStarted) || !rec.Ended.Equal(c.wantEnded) {
			t.Errorf("%s: from %v to %v", name, rec.Started, rec.Ended)
		}
	}
}

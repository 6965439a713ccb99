package runcmd

import (
	"slices"
	"testing"
	"time"

	"github.com/envwrap/envwrap/job"
)

// When a job starts is estimated only where all that it depends on is known.
func TestStartsIn(t *testing.T) {
	for _, c := range []struct {
		usual       time.Duration
		place, most int
		want        time.Duration // 0 is not known
	}{
		{time.Second, 2, 4, 500 * time.Millisecond},
		{time.Second, 3, 1, 3 * time.Second},
		{0, 2, 4, 0},
		{time.Second, 0, 4, 0},
		{time.Second, 2, 0, 0},
	} {
		got := startsIn(c.usual, c.place, c.most)
		if (got == nil) != (c.want == 0) || got != nil && *got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// Jobs usually take as long as the last 20 that ended after a start did, and those that run
// did so far.
func TestUsualDuration(t *testing.T) {
	list := func(n int, state job.State, took time.Duration) (recs []*job.Record) {
		for range n {
			rec := &job.Record{State: state, Started: noon.Add(-took)}
			if state.Over() {
				rec.Ended = noon
			}
			recs = append(recs, rec)
		}
		return recs
	}
	unstarted := &job.Record{State: job.Canceled, Submitted: noon.Add(-time.Hour), Ended: noon}
	for name, c := range map[string]struct {
		recs []*job.Record
		want time.Duration
	}{
		"none":      {nil, 0},
		"running":   {list(2, job.Running, time.Minute), 0},
		"ended":     {list(2, job.Failed, time.Minute), time.Minute},
		"both":      {slices.Concat(list(1, job.OK, time.Minute), list(1, job.Running, 3*time.Minute)), 2 * time.Minute},
		"lately":    {slices.Concat(list(9, job.OK, time.Hour), list(20, job.OK, time.Minute)), time.Minute},
		"queued":    {slices.Concat(list(1, job.OK, time.Minute), list(5, job.Queued, time.Hour)), time.Minute},
		"unstarted": {append(list(1, job.OK, time.Minute), unstarted), time.Minute},
	} {
		if got := UsualDuration(c.recs, noon); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

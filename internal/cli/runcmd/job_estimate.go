package runcmd

import (
	"slices"
	"time"

	"github.com/envwrap/envwrap/job"
)

// UsualDuration is how long jobs take on average: those that ended lately, and
// those that run, as far as they have come; 0 where none ended.
func UsualDuration(recs []*job.Record, now time.Time) time.Duration {
	const lately = 20
	var sum time.Duration
	ended, running := 0, 0
	for _, rec := range slices.Backward(recs) {
		switch {
		case rec.State == job.Running:
			running++
		case ended < lately && rec.State.Over() && !rec.Started.IsZero():
			ended++
		default:
			continue
		}
		sum += rec.Elapsed(now)
	}
	if ended == 0 {
		return 0
	}
	return sum / time.Duration(ended+running)
}

// Usual is how long the jobs take that came before those which wait.
func Usual(s *job.Store, now time.Time) (time.Duration, error) {
	recs, err := s.Served(servedMost)
	return UsualDuration(recs, now), err
}

// servedMost is how many jobs are looked at for that.
const servedMost = 32

// startsIn estimates when a job at a place in the queue starts, where as many as
// most run at a time and each takes as long as jobs usually do; nil where nothing
// tells.
func startsIn(usual time.Duration, place, most int) *time.Duration {
	if usual <= 0 || place <= 0 || most <= 0 {
		return nil
	}
	return new((usual * time.Duration(place) / time.Duration(most)).Round(time.Millisecond))
}

package runcmd

import (
	"strconv"

	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

// A submission makes a job of a run. The runner has its outline.
type submission struct {
	*Runner
	store   *job.Store
	same    bool   // the job that is the same will do
	maxJobs int    // 0 is at once
	output  string // the file that gets its envelope
	wait    bool   // its caller waits a while: it reads what a run would
}

// groupRecord is jobRecord, also for a group.
func (s *submission) groupRecord() job.Record {
	rec := s.jobRecord()
	if a := s.O.members; a != nil {
		rec.Array = new(*a)
		rec.Limits = job.Limits{KillAfter: rec.Limits.KillAfter, MaxArtifact: rec.Limits.MaxArtifact}
		rec.MaskTexts(wrap.Mask(s.cmd.Redactor))
	}
	return rec
}

// identity returns what makes two jobs the same: the command, where it runs, and the
// options that were given. Each list follows its length.
func (s *submission) identity() []string {
	counted := func(list []string) []string { return append([]string{strconv.Itoa(len(list))}, list...) }
	list := append([]string{s.Directory(), s.O.Dir}, counted(s.Call.Rest)...)
	for _, o := range s.Call.Verb.Options {
		if len(o.Given) > 0 && o.InJob.PartOfIdentity() {
			list = append(append(list, o.Name), counted(o.Given)...)
		}
	}
	return list
}

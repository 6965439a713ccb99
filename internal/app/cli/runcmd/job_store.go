package runcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/job"
)

// OpenJobs opens the jobs of the first store that can be written.
func OpenJobs(env *cli.Env, named string) (*job.Store, error) {
	a, warning, err := env.OpenFirst(artifact.Options{Now: env.Now, NoMaintenance: true}, named)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if warning != "" {
		env.Complain(errors.New(warning))
	}
	return job.Open(job.Options{Dir: a.Dir(), Now: env.Now})
}

// A JobStores is the stores that may have the user's jobs: the default and the fallback
// store.
type JobStores []*job.Store

// OpenJobStores opens all stores that have jobs; there may be none. One that cannot be used
// is reported on stderr if there is another.
func OpenJobStores(env *cli.Env, named string) (JobStores, error) {
	var stores JobStores
	var failed error
	for _, dir := range env.StoreDirs(named) {
		s, err := job.OpenRead(job.Options{Dir: dir, Now: env.Now})
		switch {
		case err == nil:
			stores = append(stores, s)
		case !errors.Is(err, fs.ErrNotExist):
			failed = errors.Join(failed, err)
		}
	}
	if len(stores) > 0 {
		if failed != nil {
			env.Complain(failed)
		}
		return stores, nil
	}
	return nil, failed
}

// Close closes all stores.
func (s JobStores) Close() {
	for _, one := range s {
		_ = one.Close()
	}
}

// Find returns the store of the job with an id, or a name, and the whole id. The word last
// is the job that was submitted last, which a member of a group was not.
func (s JobStores) Find(id string) (*job.Store, string, error) {
	if id == "last" || job.IsName(id) {
		return s.findNamed(id)
	}
	for _, one := range s {
		full, err := one.Resolve(id)
		if !errors.Is(err, job.ErrNotFound) {
			return one, full, err
		}
	}
	return nil, "", fmt.Errorf("job %q: %w", id, job.ErrNotFound)
}

// Elsewhere is [job.Store.Elsewhere] in whichever store has the job.
func (s JobStores) Elsewhere(rec *job.Record) bool {
	one, _, err := s.Find(rec.ID)
	return err == nil && one.Elsewhere(rec)
}

// findNamed returns the last submitted job with a name, or of all for the word last.
func (s JobStores) findNamed(name string) (found *job.Store, id string, err error) {
	var failed error
	for _, one := range s {
		list, err := one.List(-1, job.BySubmit)
		failed = errors.Join(failed, err)
		isMember := func(rec *job.Record) bool {
			return slices.ContainsFunc(list.Records, func(group *job.Record) bool { return group.HasMember(rec) })
		}
		for _, rec := range list.Records {
			if (name == "last" || rec.Name == name) && rec.ID > id && (name != "last" || !isMember(rec)) {
				found, id = one, rec.ID
			}
		}
	}
	if found == nil {
		return nil, "", errors.Join(fmt.Errorf("job %q: %w", name, job.ErrNotFound), failed)
	}
	return found, id, nil
}

// List is [job.Store.List] for all stores.
func (s JobStores) List(n int, by job.Order) (*job.Listing, error) {
	all := &job.Listing{}
	var failed error
	for _, one := range s {
		list, err := one.List(n, by)
		all.Records = append(all.Records, list.Records...)
		all.Omitted += list.Omitted
		if all.First.IsZero() {
			all.First = list.First
		}
		failed = errors.Join(failed, err)
	}
	return all, failed
}

// UsualDuration returns how long jobs take on average: those that ended lately, and
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

// Usual returns how long jobs usually take, from those that have left the queue.
func Usual(s *job.Store, now time.Time) (time.Duration, error) {
	recs, err := s.Served(servedMost)
	return UsualDuration(recs, now), err
}

// servedMost is how many jobs are looked at for that.
const servedMost = 32

// startsIn estimates when a job at a place in the queue starts, where as many as
// most run at a time and each takes as long as jobs usually do; nil where that
// is unknown.
func startsIn(usual time.Duration, place, most int) *time.Duration {
	if usual <= 0 || place <= 0 || most <= 0 {
		return nil
	}
	return new((usual * time.Duration(place) / time.Duration(most)).Round(time.Millisecond))
}

// membersOf returns how far the members of a group are, or nil if its output cannot be
// read.
func membersOf(env *cli.Env, named string, rec *job.Record) *envelope.JobMembers {
	stores, err := OpenJobStores(env, named)
	if err != nil {
		return nil
	}
	defer stores.Close()
	s, _, err := stores.Find(rec.ID)
	if err != nil {
		return nil
	}
	ends, err := s.Ends(rec)
	if err != nil {
		return nil
	}
	defer ends.Close()
	return job.CountMembers(rec, ends)
}

// MembersText says in words how far the members of a group are.
func MembersText(m *envelope.JobMembers) string {
	parts := []string{fmt.Sprintf("%d of %d members ended", m.Total-m.Queued-m.Running, m.Total)}
	for _, each := range []struct {
		n    int
		what string
	}{{m.Failed, "failed"}, {m.Canceled, "canceled"}, {m.Lost, "lost"}} {
		if each.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", each.n, each.what))
		}
	}
	return strings.Join(parts, ", ")
}

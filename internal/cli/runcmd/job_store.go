package runcmd

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/job"
)

// openJobs opens the jobs of the first store that can be written.
func openJobs(w *cli.World, named string) (*job.Store, error) {
	a, warning, err := w.OpenFirst(artifact.Options{Now: w.Now, NoMaintenance: true}, named)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if warning != "" {
		w.Complain(errors.New(warning))
	}
	return job.Open(job.Options{Dir: a.Dir(), Now: w.Now})
}

// A JobShelf is the places where the user's jobs may be: the usual store, and
// the one that takes its place.
type JobShelf []*job.Store

// OpenShelf opens all places where there are jobs; none is no error. One that
// cannot be used is named on stderr where there is another.
func OpenShelf(w *cli.World, named string) (JobShelf, error) {
	var shelf JobShelf
	var failed error
	for _, dir := range w.StoreDirs(named) {
		s, err := job.OpenRead(job.Options{Dir: dir, Now: w.Now})
		switch {
		case err == nil:
			shelf = append(shelf, s)
		case !errors.Is(err, fs.ErrNotExist):
			failed = errors.Join(failed, err)
		}
	}
	if len(shelf) > 0 {
		if failed != nil {
			w.Complain(failed)
		}
		return shelf, nil
	}
	return nil, failed
}

// Close closes all stores.
func (s JobShelf) Close() {
	for _, one := range s {
		_ = one.Close()
	}
}

// Find is the store that has the job with an id, and the whole id.
func (s JobShelf) Find(id string) (*job.Store, string, error) {
	for _, one := range s {
		full, err := one.Resolve(id)
		if !errors.Is(err, job.ErrNotFound) {
			return one, full, err
		}
	}
	return nil, "", fmt.Errorf("job %q: %w", id, job.ErrNotFound)
}

// List is [job.Store.List] of each place.
func (s JobShelf) List(n int, by job.Order) (*job.Listing, error) {
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

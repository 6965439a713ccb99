package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/job"
)

// openJobs opens the jobs of the first store that can be written.
func (w *World) openJobs(named string) (*job.Store, error) {
	a, warning, err := w.openFirst(artifact.Options{Now: w.Now, Untended: true}, named)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if warning != "" {
		w.complain(errors.New(warning))
	}
	return job.Open(job.Options{Dir: a.Dir(), Now: w.Now})
}

// A jobShelf is the places where the user's jobs may be: the usual store, and
// the one that takes its place.
type jobShelf []*job.Store

// openShelf opens all places where there are jobs; none is no error. One that
// cannot be used is named on stderr where there is another.
func (w *World) openShelf(named string) (jobShelf, error) {
	var shelf jobShelf
	var failed error
	for _, dir := range w.storeDirs(named) {
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
			w.complain(failed)
		}
		return shelf, nil
	}
	return nil, failed
}

func (s jobShelf) Close() {
	for _, one := range s {
		_ = one.Close()
	}
}

// find is the store that has the job with an id, and the whole id.
func (s jobShelf) find(id string) (*job.Store, string, error) {
	for _, one := range s {
		full, err := one.Resolve(id)
		if !errors.Is(err, job.ErrNotFound) {
			return one, full, err
		}
	}
	return nil, "", fmt.Errorf("job %q: %w", id, job.ErrNotFound)
}

// list is the records of all jobs, in the order of their submit.
func (s jobShelf) list() ([]*job.Record, error) {
	var all []*job.Record
	var failed error
	for _, one := range s {
		list, err := one.List()
		all = append(all, list...)
		failed = errors.Join(failed, err)
	}
	return all, failed
}

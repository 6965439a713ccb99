package cli

import (
	"errors"

	"github.com/envwrap/envwrap/artifact"
)

// An Archive is the stores that artifact verbs read from: all places that may have the
// user's artifacts.
type Archive struct {
	artifact.Stores
	dirs    []string // where we looked, the best place first
	Refused error    // why an existing store is not among them
}

// OpenArchive opens for reading the store that was named, or the default and fallback
// stores. A store that cannot be used is reported on stderr if there is another.
func (c *Call) OpenArchive() (*Archive, error) {
	o := artifact.Options{Now: c.Now, Fetch: c.fetcher, MaxSize: c.fetchMost}
	if o.Fetch != nil {
		if err := c.ensureStore(c.Store()); err != nil {
			return nil, err
		}
	}
	dirs := c.StoreDirs(c.Store())
	stores, refused := artifact.OpenReadAll(o, dirs...)
	if err := c.Refused(len(stores), refused); err != nil {
		return nil, err
	}
	return &Archive{stores, dirs, refused}, nil
}

// Refused reports on stderr why places cannot be used if some others can, else it
// returns that error.
func (w *World) Refused(usable int, err error) error {
	if err == nil || usable == 0 {
		return err
	}
	w.Complain(err)
	return nil
}

// AsUsage turns an error about an invalid id into a [UsageError], and returns any other
// unchanged.
func AsUsage(err error) error {
	if errors.Is(err, artifact.ErrID) {
		return Usagef("%v", err)
	}
	return err
}

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
	stores, err := artifact.OpenReadAll(o, dirs...)
	if err != nil && len(stores) == 0 {
		return nil, err
	}
	if err != nil {
		c.Complain(err)
	}
	return &Archive{stores, dirs, err}, nil
}

// AsUsage turns an error about an invalid id into a [UsageError], and returns any other
// unchanged.
func AsUsage(err error) error {
	if errors.Is(err, artifact.ErrID) {
		return Usagef("%v", err)
	}
	return err
}

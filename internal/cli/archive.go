package cli

import (
	"errors"

	"github.com/envwrap/envwrap/artifact"
)

// An Archive is what the artifact verbs read from: all the places where the
// user's artifacts may lie.
type Archive struct {
	artifact.Stores
	dirs    []string // where we looked, the best place first
	Refused error    // why a store that is there is not among them
}

// OpenArchive opens for reading the store that was named, or the usual one and
// the one that takes its place. A store that cannot be used is reported on stderr
// where there is another.
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

// AsUsage turns the error of an id that is none into one of usage.
func AsUsage(err error) error {
	if errors.Is(err, artifact.ErrID) {
		return Usagef("%v", err)
	}
	return err
}

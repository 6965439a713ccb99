package cli

import (
	"errors"

	"github.com/envwrap/envwrap/artifact"
)

// An archive is what the artifact verbs read from: all the places where the
// user's artifacts may lie.
type archive struct {
	artifact.Stores
	dirs    []string // where we looked, the best place first
	refused error    // why a store that is there is not among them
}

// openArchive opens for reading the store that was named, or the usual one and
// the one that takes its place. A store that cannot be used is told on stderr
// where there is another.
func (w *World) openArchive(named string) (*archive, error) {
	o := artifact.Options{Now: w.Now, Fetch: w.fetcher}
	if o.Fetch != nil {
		if err := w.ensureStore(named); err != nil {
			return nil, err
		}
	}
	dirs := w.storeDirs(named)
	stores, err := artifact.OpenReadAll(o, dirs...)
	if err != nil && len(stores) == 0 {
		return nil, err
	}
	if err != nil {
		w.complain(err)
	}
	return &archive{stores, dirs, err}, nil
}

// asUsage turns the error of an id that is none into one of usage.
func asUsage(err error) error {
	if errors.Is(err, artifact.ErrID) {
		return usagef("%v", err)
	}
	return err
}

// archiveOption is the --store of the artifact verbs.
func archiveOption(dir *string) *option {
	return &option{
		name: "store", value: "DIR", def: "$XDG_STATE_HOME/envwrap",
		help: "the store to look in", takes: aDir, set: into(dir, text),
	}
}

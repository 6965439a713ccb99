package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/hints"
)

// StoreDirs is [session.Env.StoreDirs].
func (env *Env) StoreDirs(named string) []string { return env.Session().StoreDirs(named) }

// OpenFirst is [session.Env.OpenStore].
func (env *Env) OpenFirst(o artifact.Options, named string) (*artifact.Store, string, error) {
	return env.Session().OpenStore(o, named)
}

// StoreMaxOption returns the option --store-max of verbs that store something.
func StoreMaxOption(dst *int64, group string) *Option {
	return &Option{
		Name: "store-max", Value: "SIZE", Def: "none", Group: group, Key: NotInKey,
		Help: "most bytes of all that is stored; above it old artifacts go, then output is cut or refused", Set: Into(dst, Size),
	}
}

// SyncWords returns the values of --store-sync.
func SyncWords() []Word[artifact.Sync] {
	return []Word[artifact.Sync]{{"full", artifact.SyncFull}, {"data", artifact.SyncData}, {"off", artifact.SyncOff}}
}

// ReadCommand returns a function that returns the command line to print an artifact,
// which works from any directory.
func (env *Env) ReadCommand(store string) func(digest string) string {
	return func(digest string) string {
		if store == "" {
			return "envwrap artifact cat " + ShortID(digest)
		}
		return "envwrap artifact cat --store " + hints.Quote(env.Path(store)) + " " + ShortID(digest)
	}
}

// ShortID returns an id in a short form that verbs accept: of a digest the first
// digits, without sha256:.
func ShortID(id string) string {
	if !strings.HasPrefix(id, "sha256:") {
		return id
	}
	return envelope.ShortDigest(id)
}

// OutputError returns the usage error of an -o that cannot be written.
func OutputError(name string, err error) error {
	return &UsageError{
		Text: fmt.Sprintf("option --output: cannot write %q: %v", name, err),
		Hint: "Name a file in a directory that exists and can be written.",
	}
}

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

// ensureStore makes the store that fetched artifacts are kept in.
func (env *Env) ensureStore(named string) error {
	s, warning, err := env.OpenFirst(artifact.Options{Now: env.Now, NoMaintenance: true}, named)
	if err != nil {
		return fmt.Errorf("keep the fetched artifact: %w", err)
	}
	if warning != "" {
		env.Complain(errors.New(warning))
	}
	return s.Close()
}

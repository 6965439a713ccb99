package remoteconfig

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/companion"
)

// A Companion runs the companion program for a remote. It is safe for concurrent use.
type Companion struct {
	Program  func() (string, error) // its path
	Environ  []string
	Settings Settings

	// Absence, if not nil, remembers that the remote could not be reached, and refuses
	// calls then.
	Absence *Absence

	// Context, if not nil, returns the context of one call, which kills the companion
	// when it is done, and a function that releases it.
	Context func() (ctx context.Context, release func())
}

// Do runs one verb. The error has the companion's message, and wraps
// [artifact.ErrNotFound] if the remote does not have the object, or [ErrUnreached].
func (c *Companion) Do(verb string, words []string, in io.Reader, out io.Writer) error {
	if err := c.Settings.Check(); err != nil {
		return err
	}
	if err := c.Absence.check(c.Settings.URL); err != nil {
		return err
	}
	program, err := c.Program()
	if err != nil {
		return err
	}
	ctx, release := context.Background(), func() {}
	if c.Context != nil {
		ctx, release = c.Context()
	}
	defer release()
	call := companion.Call{
		Program: program, Args: append([]string{"remote", verb, c.Settings.Encode()}, words...),
		Environ: c.Environ, Stdin: in, Stdout: out, Linger: time.Second,
	}
	return c.ended(call.Run(ctx))
}

// ended returns what the end of the companion means.
func (c *Companion) ended(err error) error {
	exit, failed := errors.AsType[*companion.Exit](err)
	switch {
	case !failed:
	case exit.Status == companion.StatusNotFound:
		return fmt.Errorf("%w in %s", artifact.ErrNotFound, c.Settings.URL)
	case exit.Status == companion.StatusUnreached:
		c.Absence.note(c.Settings.URL)
		return unreached{err}
	}
	return err
}

// Fetch implements [artifact.Fetcher].
func (c *Companion) Fetch(digest string, w io.Writer) error {
	return c.Do("get", []string{"cas/" + strings.TrimPrefix(digest, "sha256:")}, nil, w)
}

// NoteCorrupt implements [artifact.CorruptNoter].
func (c *Companion) NoteCorrupt(digest string) {
	if len(c.Settings.Stores) > 0 {
		Corrupt{c.Settings.URL, c.Settings.Stores[0]}.Note(digest)
	}
}

// Get returns the entry of a remembered run.
func (c *Companion) Get(key string) ([]byte, error) {
	one := *c
	one.Settings.Limit = EntryLimit
	var text bytes.Buffer
	err := one.Do("get", []string{"ac/" + key}, nil, &text)
	return text.Bytes(), err
}

// Put stores the entry of a remembered run.
func (c *Companion) Put(key string, text []byte) error {
	return c.Do("put", []string{"ac/" + key}, bytes.NewReader(text), nil)
}

// Push copies artifacts from stores to the remote.
func (c *Companion) Push(stores, digests []string) error {
	one := *c
	one.Settings.Stores = stores
	return one.Do("push", digests, nil, nil)
}

// EntryLimit is the largest size of a remembered run's entry in bytes.
const EntryLimit = 9 << 20

package remoteconfig

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/shared/limitbuf"
)

// StatusNotFound is the exit status of the companion if the remote does not have an
// object.
const StatusNotFound = 3

// A Companion runs the companion program for a remote. It is safe for concurrent use.
type Companion struct {
	Program  func() (string, error) // its path
	Environ  []string
	Settings Settings

	// Context, if not nil, returns the context of one call, which kills the companion
	// when it is done, and a function that releases it.
	Context func() (ctx context.Context, release func())
}

// complaintLimit is the most that is kept of what the companion complains about, in
// bytes.
const complaintLimit = 4 << 10

// Do runs one verb. The error has the companion's message, and wraps
// [artifact.ErrNotFound] if the remote does not have the object.
func (c *Companion) Do(verb string, words []string, in io.Reader, out io.Writer) error {
	if err := c.Settings.Check(); err != nil {
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
	cmd := exec.CommandContext(ctx, program, append([]string{"remote", verb, c.Settings.Encode()}, words...)...)
	complaint := limitbuf.NewBuffer(complaintLimit)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Environ, in, out, complaint
	cmd.SysProcAttr, cmd.WaitDelay = Attributes(), time.Second
	err = cmd.Run()
	exit, ended := errors.AsType[*exec.ExitError](err)
	text := strings.TrimSpace(complaint.String())
	for _, prefix := range []string{"envwrap-net: ", "envwrap: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case ended && exit.ExitCode() == StatusNotFound:
		return fmt.Errorf("%w in %s", artifact.ErrNotFound, c.Settings.URL)
	case ended && text != "":
		return errors.New(text)
	}
	return fmt.Errorf("run %q: %w", program, err)
}

// Fetch implements [artifact.Fetcher].
func (c *Companion) Fetch(digest string, w io.Writer) error {
	return c.Do("get", []string{"cas/" + strings.TrimPrefix(digest, "sha256:")}, nil, w)
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

package envelopecmd

import (
	"errors"
	"io"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/redact"
)

// checks is what an envelope is checked for. With --strict the store is opened
// for reading; done closes it.
func checks(c *cli.Call, o *validateOptions) (checks envelope.ValidateOptions, done func(), err error) {
	checks.Strict = o.strict
	if !o.strict {
		return checks, func() {}, nil
	}
	a, err := c.OpenArchive(o.store)
	if err != nil {
		return checks, nil, err
	}
	masker := redact.New(redact.Options{Values: redact.EnvValues(c.Environ)})
	checks.Mask = func(doc []byte) []byte {
		masked, _ := masker.Bytes(doc)
		return masked
	}
	checks.Artifact = func(digest string) envelope.ArtifactState { return artifactState(a, digest) }
	return checks, a.Close, nil
}

// artifactState reads an artifact and compares it with its digest.
func artifactState(a *cli.Archive, digest string) envelope.ArtifactState {
	o, err := a.Get(digest)
	if err == nil {
		_, err = io.Copy(io.Discard, o)
		_ = o.Close() // it was read only
	}
	switch {
	case err == nil:
		return envelope.ArtifactWhole
	case errors.Is(err, artifact.ErrNotFound):
		return envelope.ArtifactMissing
	}
	return envelope.ArtifactCorrupt
}

package artifactcmd

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/hints"
)

func artifactPinVerb(*cli.Env) *cli.Verb {
	var last time.Duration
	return &cli.Verb{
		Name:    "pin",
		Args:    "ID...",
		Takes:   cli.AnArtifact,
		Summary: "pin artifacts, so that gc keeps them",
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact pin sha256:2cf24dba\nenvwrap artifact pin --for 720h 2cf24dba",
		Options: []*cli.Option{
			{Name: "for", Value: "DURATION", Def: "for ever", NoEnv: true, Help: "how long to keep them", Set: cli.Into(&last, cli.Duration)},
		},
		Run: eachArtifact(func(c *cli.Call, a *cli.Archive, id string) error {
			s, digest, err := a.Locate(id)
			if err != nil {
				return err
			}
			var until time.Time
			if last > 0 {
				until = c.Now().Add(last)
			}
			if _, err := s.Pin(digest, artifact.DefaultOwner, until); err != nil {
				return err
			}
			return printDigest(c, digestView{Digest: digest, Owner: artifact.DefaultOwner, Until: endOf(until)})
		}),
	}
}

// A digestView is the artifact that a verb has changed, in JSON.
type digestView struct {
	Digest string `json:"digest"`
	Owner  string `json:"owner,omitempty"` // of a pin
	Until  string `json:"until,omitempty"` // of a pin; for ever where it is missing
}

// printDigest prints the artifact that a verb has changed.
func printDigest(c *cli.Call, v digestView) error {
	return c.Answer(v, func(b *strings.Builder) { b.WriteString(v.Digest + "\n") })
}

// endOf spells the end of a pin; nothing where it has none.
func endOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return cli.Stamp(t)
}

func artifactUnpinVerb(*cli.Env) *cli.Verb {
	owner := artifact.DefaultOwner
	return &cli.Verb{
		Name:    "unpin",
		Args:    "ID...",
		Takes:   cli.AnArtifact,
		Summary: "unpin artifacts, so that gc may remove them",
		Text:    "Jobs and remembered runs have pins of their own: artifact stat shows their owners, --owner names one.",
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact unpin sha256:2cf24dba",
		Options: []*cli.Option{
			{Name: "owner", Value: "NAME", Def: owner, NoEnv: true, Help: "name of who pins", Set: cli.Into(&owner, cli.Text)},
		},
		Run: eachArtifact(func(c *cli.Call, a *cli.Archive, id string) error {
			done := false
			for _, s := range a.Stores {
				one, err := s.Unpin(id, owner)
				if err != nil {
					return err
				}
				done = done || one
			}
			if !done {
				return withUnpinHint(fmt.Errorf("unpin artifact %q: it has no pin of %q", id, owner), c, a, id)
			}
			if !c.JSON() {
				return nil
			}
			digest, err := a.Resolve(id)
			if err != nil {
				digest = id // a pin may outlive its artifact
			}
			return c.AnswerJSON(digestView{Digest: digest, Owner: owner})
		}),
	}
}

// withUnpinHint returns err with a line for each owner of a pin on an artifact: the
// command that removes that pin.
func withUnpinHint(err error, c *cli.Call, a *cli.Archive, id string) error {
	digest, notFound := a.Resolve(id)
	if notFound != nil {
		return err
	}
	store := ""
	if named := c.Store(); named != "" {
		store = "--store " + hints.Quote(c.Path(named)) + " "
	}
	for _, s := range a.Stores {
		pins, _ := s.Pins() // the hint is worth no second error
		for _, p := range pins {
			if p.Digest == digest {
				err = fmt.Errorf("%w\n`envwrap artifact unpin %s--owner %s %s` removes the pin of %s", err, store, p.Owner, cli.ShortID(digest), p.Owner)
			}
		}
	}
	return err
}

func artifactRmVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "rm",
		Args:    "ID...",
		Takes:   cli.AnArtifact,
		Summary: "remove artifacts at once, whatever their age",
		Text:    "A pinned artifact stays: unpin it first.",
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact rm sha256:2cf24dba",
		Run: eachArtifact(func(c *cli.Call, a *cli.Archive, id string) error {
			digest, err := a.Resolve(id)
			if err != nil {
				return err
			}
			for _, s := range a.Stores {
				if _, err := s.Resolve(digest); err != nil {
					continue
				}
				if _, err := s.Remove(digest); errors.Is(err, artifact.ErrPinned) {
					return withUnpinHint(err, c, a, digest)
				} else if err != nil {
					return err
				}
			}
			return printDigest(c, digestView{Digest: digest})
		}),
	}
}

package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
)

func artifactPinVerb(*World) *verb {
	var store string
	var asJSON bool
	var last time.Duration
	return &verb{
		name:    "pin",
		args:    "ID...",
		takes:   anArtifact,
		summary: "keep artifacts from the collector",
		example: "envwrap artifact pin sha256:2cf24dba\nenvwrap artifact pin --for 720h 2cf24dba",
		options: []*option{
			archiveOption(&store),
			jsonOption(&asJSON),
			{name: "for", value: "DURATION", def: "for ever", noEnv: true, help: "how long", set: into(&last, duration)},
		},
		run: eachArtifact(&store, func(_ context.Context, c *call, a *archive, id string) error {
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
			return c.about(asJSON, digestView{Digest: digest, Owner: artifact.DefaultOwner, Until: endOf(until)})
		}),
	}
}

// A digestView is the artifact that something was done with, in JSON.
type digestView struct {
	Digest string `json:"digest"`
	Owner  string `json:"owner,omitempty"` // of a pin
	Until  string `json:"until,omitempty"` // of a pin; for ever where it is missing
}

// about names the artifact that something was done with.
func (c *call) about(asJSON bool, v digestView) error {
	return c.answer(asJSON, v, func(b *strings.Builder) { b.WriteString(v.Digest + "\n") })
}

// endOf spells the end of a pin; nothing where it has none.
func endOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return stamp(t)
}

func artifactUnpinVerb(*World) *verb {
	var store string
	var asJSON bool
	owner := artifact.DefaultOwner
	return &verb{
		name:    "unpin",
		args:    "ID...",
		takes:   anArtifact,
		summary: "let the collector have artifacts again",
		text:    "Jobs and remembered runs have pins of their own, which --owner names as artifact stat does.",
		example: "envwrap artifact unpin sha256:2cf24dba",
		options: []*option{
			archiveOption(&store),
			jsonOption(&asJSON),
			{name: "owner", value: "NAME", def: owner, noEnv: true, help: "whose pin", set: into(&owner, text)},
		},
		run: eachArtifact(&store, func(_ context.Context, c *call, a *archive, id string) error {
			done := false
			for _, s := range a.Stores {
				one, err := s.Unpin(id, owner)
				if err != nil {
					return err
				}
				done = done || one
			}
			if !done {
				return fmt.Errorf("unpin artifact %q: it has no pin of %q", id, owner)
			}
			if !asJSON {
				return nil
			}
			digest, err := a.Resolve(id)
			if err != nil {
				return err
			}
			return c.answerJSON(digestView{Digest: digest, Owner: owner})
		}),
	}
}

func artifactRmVerb(*World) *verb {
	var store string
	var asJSON bool
	return &verb{
		name:    "rm",
		args:    "ID...",
		takes:   anArtifact,
		summary: "remove artifacts at once, whatever their age",
		text:    "A pinned artifact stays: unpin it first.",
		example: "envwrap artifact rm sha256:2cf24dba",
		options: []*option{archiveOption(&store), jsonOption(&asJSON)},
		run: eachArtifact(&store, func(_ context.Context, c *call, a *archive, id string) error {
			digest, err := a.Resolve(id)
			if err != nil {
				return err
			}
			for _, s := range a.Stores {
				if _, err := s.Resolve(digest); err != nil {
					continue
				}
				if _, err := s.Remove(digest); err != nil {
					return err
				}
			}
			return c.about(asJSON, digestView{Digest: digest})
		}),
	}
}

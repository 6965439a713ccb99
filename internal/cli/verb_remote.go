package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/sharing"
)

// remoteVerb leads to the verbs about where artifacts are shared.
func remoteVerb(*World) *verb {
	return &verb{
		name:    "remote",
		args:    "VERB",
		summary: "look at the place where artifacts are shared with other machines",
		text: `A remote is an S3 bucket, or an HTTP server in the layout of Bazel's HTTP cache.
It stands in your own configuration, or in --remote:

  [remote]
  url = "s3://team-artifacts/envwrap"

S3 credentials are those of the AWS tools. For HTTP they are a token file, the
variable ENVWRAP_REMOTE_TOKEN, or ~/.netrc.`,
		example: "envwrap remote check\nenvwrap artifact push last",
		verbs:   []row{{"ls", remoteLsVerb}, {"check", remoteCheckVerb}},
	}
}

func remoteLsVerb(*World) *verb {
	s := &sharing.Settings{}
	var asJSON bool
	return &verb{
		name:    "ls",
		summary: "show the remote that is configured",
		text:    "Nothing is sent. No secret is shown.",
		example: "envwrap remote ls",
		options: append(remoteOptions(s), jsonOption(&asJSON)),
		run: func(_ context.Context, c *call) error {
			if err := c.noWords(); err != nil {
				return err
			}
			type view struct {
				URL       string `json:"url"`
				TokenFile string `json:"token_file,omitempty"`
				Endpoint  string `json:"endpoint,omitempty"`
				Region    string `json:"region,omitempty"`
				Profile   string `json:"profile,omitempty"`
			}
			remotes := []view{}
			if s.URL != "" {
				remotes = append(remotes, view{s.URL, s.TokenFile, s.Endpoint, s.Region, s.Profile})
			}
			return c.answer(asJSON, map[string]any{"remotes": remotes}, func(b *strings.Builder) {
				for _, v := range remotes {
					fmt.Fprintln(b, visible(v.URL))
				}
			})
		},
	}
}

func remoteCheckVerb(*World) *verb {
	s := &sharing.Settings{}
	var asJSON bool
	return &verb{
		name:    "check",
		summary: "try the remote: reach, clock, rights, a round trip, speed",
		text: `One line for each, and status 1 where one fails. It leaves an object of 4 MiB
and an empty one there, always the same ones.`,
		example: "envwrap remote check\nenvwrap remote check --remote https://cache.example/team",
		options: append(remoteOptions(s), jsonOption(&asJSON)),
		run: func(_ context.Context, c *call) error {
			if err := c.noWords(); err != nil {
				return err
			}
			s.JSON = asJSON
			return c.becomeRemote("check", s)
		},
	}
}

// becomeRemote makes the companion take envwrap's place for a verb of a remote.
func (c *call) becomeRemote(verb string, s *sharing.Settings, words ...string) error {
	if err := s.Check(); err != nil {
		return usagef("%v", err)
	}
	return c.becomeCompanion(append([]string{"remote", verb, s.Encode()}, words...))
}

func artifactPushVerb(*World) *verb {
	s := &sharing.Settings{}
	var store string
	var asJSON bool
	return &verb{
		name:    "push",
		args:    "ID...",
		takes:   anArtifact,
		summary: "send artifacts to the remote",
		text: `Eight at a time. What the remote has already is not sent. A transfer that breaks
off is tried again, and a large one to S3 goes on where it was cut, also by the next
call. The status is 1 where one could not be sent.`,
		example: "envwrap artifact push last\nenvwrap artifact push --remote s3://team/envwrap 2cf24dba",
		options: append([]*option{archiveOption(&store), jsonOption(&asJSON)}, remoteOptions(s)...),
		run: func(_ context.Context, c *call) error {
			digests, err := c.storedHere(store, c.args())
			if err != nil {
				return err
			}
			s.Stores, s.JSON, s.Progress = c.storeDirs(store), asJSON, true
			return c.becomeRemote("push", s, digests...)
		},
	}
}

// storedHere are the digests of ids, all of which are in a store of this machine.
func (c *call) storedHere(store string, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, usagef("an ID is missing")
	}
	a, err := c.openArchive(store)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	var digests []string
	for _, id := range ids {
		digest, err := a.Resolve(id)
		if err != nil {
			return nil, asUsage(err)
		}
		if !slices.Contains(digests, digest) {
			digests = append(digests, digest)
		}
	}
	return digests, nil
}

func artifactPullVerb(*World) *verb {
	s := &sharing.Settings{}
	var store string
	var asJSON bool
	return &verb{
		name:    "pull",
		args:    "ID...",
		takes:   anArtifact,
		summary: "fetch artifacts from the remote",
		text: `An ID has all of its 64 digits. Eight at a time; what breaks off goes on where it was
cut. Bytes that do not match their digest are not kept. The status is 1 where one
could not be fetched.`,
		example: "envwrap artifact pull sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
		options: append([]*option{
			archiveOption(&store),
			jsonOption(&asJSON),
			{name: "max-artifact", value: "SIZE", def: "1GiB", help: "most bytes of one artifact", set: into(&s.Limit, size)},
		}, remoteOptions(s)...),
		run: func(_ context.Context, c *call) error {
			digests, err := wholeDigests(c.args())
			if err != nil {
				return err
			}
			s.Stores, s.JSON, s.Progress = c.storeDirs(store), asJSON, true
			return c.becomeRemote("pull", s, digests...)
		},
	}
}

// wholeDigests are the digests that ids spell in full: a remote finds nothing by a
// part of them.
func wholeDigests(ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, usagef("an ID is missing")
	}
	var digests []string
	for _, id := range ids {
		hex := strings.ToLower(strings.TrimPrefix(id, "sha256:"))
		if len(hex) != 64 || strings.Trim(hex, "0123456789abcdef") != "" {
			return nil, usagef("%q: a remote finds artifacts by all of the 64 digits", id)
		}
		if digest := "sha256:" + hex; !slices.Contains(digests, digest) {
			digests = append(digests, digest)
		}
	}
	return digests, nil
}

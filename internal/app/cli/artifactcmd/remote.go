package artifactcmd

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// RemoteVerb returns the group of verbs about the remote with which artifacts are
// shared.
func RemoteVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "remote",
		Args:    "VERB",
		Summary: "show or check the remote that shares artifacts",
		Text: `A remote is an S3 bucket, or an HTTP server in the layout of Bazel's HTTP cache.
It is in your own configuration, or in --remote:

  [remote]
  url = "s3://team-artifacts/envwrap"

S3 uses the credentials of the AWS tools; HTTP uses a token file, the variable
ENVWRAP_REMOTE_TOKEN, or ~/.netrc.`,
		Example: "envwrap remote check\nenvwrap artifact push last",
		Verbs:   []cli.Row{{Name: "ls", Make: remoteLsVerb}, {Name: "check", Make: remoteCheckVerb}},
	}
}

func remoteLsVerb(*cli.Env) *cli.Verb {
	s := &remoteconfig.Settings{}
	return &cli.Verb{
		Name:    "ls",
		Summary: "show the remote that is configured",
		Text:    "Nothing is sent. No secret is shown.",
		Has:     cli.HasJSON,
		Example: "envwrap remote ls",
		Options: cli.RemoteOptions(s),
		Run: func(_ context.Context, c *cli.Call) error {
			type view struct {
				URL       string `json:"url"`
				TokenFile string `json:"token_file,omitempty"`
				CAFile    string `json:"ca_file,omitempty"`
				Endpoint  string `json:"endpoint,omitempty"`
				Region    string `json:"region,omitempty"`
				Profile   string `json:"profile,omitempty"`
			}
			remotes := []view{}
			if s.URL != "" {
				remotes = append(remotes, view{s.URL, s.TokenFile, s.CAFile, s.Endpoint, s.Region, s.Profile})
			}
			return c.Answer(map[string]any{"remotes": remotes}, func(b *strings.Builder) {
				for _, v := range remotes {
					fmt.Fprintln(b, term.Visible(v.URL))
				}
			})
		},
	}
}

func remoteCheckVerb(*cli.Env) *cli.Verb {
	s := &remoteconfig.Settings{}
	return &cli.Verb{
		Name:    "check",
		Summary: "try the remote: reach, clock, rights, a round trip, speed, runs",
		Text: `Prints a line for each check. The status is 1 if one fails. Three objects stay on the
remote, one of 4 MiB, an empty one, and one below ac/, which later checks use again.`,
		Has:     cli.HasJSON,
		Example: "envwrap remote check\nenvwrap remote check --remote https://cache.example/team",
		Options: cli.RemoteOptions(s),
		Run: func(_ context.Context, c *cli.Call) error {
			s.JSON = c.JSON()
			return becomeRemote(c, "check", s)
		},
	}
}

// becomeRemote makes the companion take envwrap's place for a verb of a remote.
func becomeRemote(c *cli.Call, verb string, s *remoteconfig.Settings, words ...string) error {
	if err := s.Check(); err != nil {
		return cli.Usagef("%v", err)
	}
	return c.BecomeCompanion(append([]string{"remote", verb, s.Encode()}, words...))
}

func artifactPushVerb(*cli.Env) *cli.Verb {
	s := &remoteconfig.Settings{}
	return &cli.Verb{
		Name:    "push",
		Args:    "ID...",
		Takes:   cli.AnArtifact,
		Summary: "send artifacts to the remote",
		Text: `Sends eight at a time, and only those that the remote lacks. A transfer that breaks
off is tried again; a large one to S3 goes on where it was cut, also with the next
call. An object that was corrupt when it was last fetched is replaced; with --verify
all that the remote has are read and compared. The status is 1 if one could not be
sent.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact push last\nenvwrap artifact push --remote s3://team/envwrap 2cf24dba\nenvwrap artifact push --verify last",
		Options: append([]*cli.Option{
			{Name: "verify", Help: "read what the remote has, and replace what is corrupt", Set: cli.Into(&s.Verify, cli.Boolean)},
		}, cli.RemoteOptions(s)...),
		Run: func(_ context.Context, c *cli.Call) error {
			digests, err := storedHere(c, c.Operands())
			if err != nil {
				return err
			}
			s.Stores, s.JSON, s.Progress = c.StoreDirs(c.Store()), c.JSON(), true
			return becomeRemote(c, "push", s, digests...)
		},
	}
}

// storedHere returns the digests of ids, all of which are in a store of this machine.
func storedHere(c *cli.Call, ids []string) ([]string, error) {
	a, err := c.OpenArchive()
	if err != nil {
		return nil, err
	}
	defer a.Close()
	var digests []string
	for _, id := range ids {
		digest, err := a.Resolve(id)
		if err != nil {
			return nil, cli.AsUsage(err)
		}
		if !slices.Contains(digests, digest) {
			digests = append(digests, digest)
		}
	}
	return digests, nil
}

func artifactPullVerb(*cli.Env) *cli.Verb {
	s := &remoteconfig.Settings{}
	return &cli.Verb{
		Name:    "pull",
		Args:    "ID...",
		Takes:   cli.AnArtifact,
		Summary: "fetch artifacts from the remote",
		Text: `An ID has to have all of its 64 digits. Fetches eight at a time; a transfer that
breaks off goes on where it was cut. Bytes that do not match their digest are not
kept; an artifact that is corrupt here is replaced. The status is 1 if one could not
be fetched.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact pull $(cat digests)",
		Options: append([]*cli.Option{
			{Name: "max-artifact", Value: "SIZE", Def: "1GiB", Help: "most bytes of one artifact", Set: cli.Into(&s.Limit, cli.Size)},
			cli.StoreMaxOption(&s.StoreMax, ""),
		}, cli.RemoteOptions(s)...),
		Run: func(_ context.Context, c *cli.Call) error {
			digests, err := wholeDigests(c.Operands())
			if err != nil {
				return err
			}
			s.Stores, s.JSON, s.Progress = c.StoreDirs(c.Store()), c.JSON(), true
			return becomeRemote(c, "pull", s, digests...)
		},
	}
}

// wholeDigests returns the digests that ids spell in full: a remote finds nothing by a
// part of them.
func wholeDigests(ids []string) ([]string, error) {
	var digests []string
	for _, id := range ids {
		hex := strings.ToLower(strings.TrimPrefix(id, "sha256:"))
		if len(hex) != 64 || strings.Trim(hex, "0123456789abcdef") != "" {
			return nil, cli.Usagef("%q: a remote finds artifacts by all of the 64 digits", id)
		}
		if digest := "sha256:" + hex; !slices.Contains(digests, digest) {
			digests = append(digests, digest)
		}
	}
	return digests, nil
}

package cli

import (
	"context"

	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// RemoteOptions say which remote is used. All of them are keys of [remote] in the
// user's configuration: url, token-file, ca-file, endpoint, region, profile.
func RemoteOptions(s *remoteconfig.Settings) []*Option {
	const group = "Remote"
	return []*Option{
		{Name: "remote", Value: "URL", Group: group, Help: "s3://BUCKET/PREFIX, or https://HOST/PATH of a Bazel cache", Set: Into(&s.URL, remoteURL), Key: NotInKey, InJob: ViewOnly},
		{Name: "remote-token-file", Value: "FILE", Def: "$" + remoteconfig.TokenVariable + ", else ~/.netrc", Group: group, Help: "file with a bearer token, or user:password", Takes: AFile, Set: Into(&s.TokenFile, Text), Key: NotInKey, InJob: ViewOnly},
		{Name: "remote-ca-file", Value: "FILE", Def: "the system's", Group: group, Help: "certificates (PEM) of a private authority to trust, too", Takes: AFile, Set: Into(&s.CAFile, Text), Key: NotInKey, InJob: ViewOnly},
		{Name: "remote-endpoint", Value: "URL", Def: "AWS's", Group: group, Help: "the S3 service", Set: Into(&s.Endpoint, Text), Key: NotInKey, InJob: ViewOnly},
		{Name: "remote-region", Value: "NAME", Def: "as for the AWS tools", Group: group, Help: "region of the bucket", Set: Into(&s.Region, Text), Key: NotInKey, InJob: ViewOnly},
		{Name: "remote-profile", Value: "NAME", Def: "as for the AWS tools", Group: group, Help: "whose credentials are used", Set: Into(&s.Profile, Text), Key: NotInKey, InJob: ViewOnly},
	}
}

// remoteURL returns the value of --remote.
func remoteURL(v string) (string, error) {
	return v, (&remoteconfig.Settings{URL: v}).Check()
}

// WithRemoteFetch adds the options of a remote to a verb that reads artifacts, so that it
// fetches missing ones.
func WithRemoteFetch(make func(*Env) *Verb) func(*Env) *Verb {
	return func(env *Env) *Verb {
		v := make(env)
		s := &remoteconfig.Settings{}
		var offline bool
		v.Options = append(v.Options, RemoteOptions(s)...)
		v.Options = append(v.Options, StoreMaxOption(&s.StoreMax, "Remote"), &Option{Name: "offline", Group: "Remote", Help: "do not fetch missing artifacts from the remote", Set: Into(&offline, Boolean)})
		run := v.Run
		v.Run = func(ctx context.Context, c *Call) error {
			if s.URL != "" && !offline {
				s.Stores = c.StoreDirs(c.Store())
				remote := c.CompanionFor(s)
				c.fetcher, c.fetchMost = remote, s.StoreMax
				if term.Redraws(c.Stderr, c.Lookup) {
					c.fetcher = &shownFetcher{remote, c.Env, fetchLineEvery}
				}
			}
			return run(ctx, c)
		}
		return v
	}
}

// CompanionFor returns the companion for a remote.
func (env *Env) CompanionFor(s *remoteconfig.Settings) *remoteconfig.Companion {
	return &remoteconfig.Companion{Program: env.Companion, Environ: env.Environ, Settings: *s}
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/sharing"
)

// remoteOptions say which remote is used. All of them are keys of [remote] in the
// user's configuration: url, token-file, endpoint, region, profile.
func remoteOptions(s *sharing.Settings) []*option {
	const group = "Remote"
	return []*option{
		{name: "remote", value: "URL", group: group, help: "s3://BUCKET/PREFIX, or https://HOST/PATH of a Bazel cache", set: into(&s.URL, remoteURL), inJob: looksOnly},
		{name: "remote-token-file", value: "FILE", def: "$" + sharing.TokenVariable + ", else ~/.netrc", group: group, help: "file with a bearer token, or user:password", takes: aFile, set: into(&s.TokenFile, text), inJob: looksOnly},
		{name: "remote-endpoint", value: "URL", def: "AWS's", group: group, help: "the S3 service", set: into(&s.Endpoint, text), inJob: looksOnly},
		{name: "remote-region", value: "NAME", def: "as for the AWS tools", group: group, help: "region of the bucket", set: into(&s.Region, text), inJob: looksOnly},
		{name: "remote-profile", value: "NAME", def: "as for the AWS tools", group: group, help: "whose credentials are used", set: into(&s.Profile, text), inJob: looksOnly},
	}
}

// sharingOptions are those of a run whose output goes elsewhere.
func (o *runOptions) sharingOptions() []*option {
	push := &option{name: "push", group: "Remote", help: "send stored output to the remote before the envelope is printed", set: into(&o.push, boolean)}
	return append([]*option{push}, remoteOptions(&o.remote)...)
}

// readAnywhere is the command that shows an artifact on machines that have to fetch
// it first, by all of its digits.
func (r *runner) readAnywhere(digest string) string {
	return strings.Replace(r.readCommand(r.o.store)(digest), envelope.ShortDigest(digest), digest, 1)
}

// pushPatience is how long a run waits for a remote that does not answer.
const pushPatience = 15 * time.Second

// push sends what a run has stored.
func (r *runner) push(stores, digests []string) error {
	c := r.companionFor(&r.o.remote)
	c.Settings.Stores, c.Settings.Patience = stores, pushPatience
	return c.Do("push", digests, nil, io.Discard)
}

// remoteURL is the value of --remote.
func remoteURL(v string) (string, error) {
	return v, (&sharing.Settings{URL: v}).Check()
}

// remoteTable is the table of a configuration that has the options of a remote.
const remoteTable = "remote"

// spreadRemote makes options of the table [remote]: url is --remote, and every other
// key --remote-KEY.
func (f *configFile) spreadRemote() error {
	table, ok := f.doc[remoteTable].(map[string]any)
	if !ok {
		return nil
	}
	delete(f.doc, remoteTable)
	keys := f.keys[:0]
	for _, name := range f.keys {
		if name != remoteTable {
			keys = append(keys, name)
		}
	}
	f.keys = keys
	for _, key := range slices.Sorted(maps.Keys(table)) {
		name := remoteTable + "-" + key
		if key == "url" {
			name = remoteTable
		}
		if _, twice := f.doc[name]; twice {
			return usagef("%s: %q is set in [%s] and beside it", f.at(remoteTable), key, remoteTable)
		}
		f.doc[name], f.keys = table[key], append(f.keys, name)
	}
	return nil
}

// usersOwn reports whether only the user's own configuration may have a key: where
// commands and data go, and whose word about them is believed.
func usersOwn(key string) bool {
	for _, table := range userTables {
		if key == table || strings.HasPrefix(key, table+"-") {
			return true
		}
	}
	return false
}

// fetching gives a verb that reads artifacts the options of a remote, from which it
// gets what is missing here.
func fetching(make func(*World) *verb) func(*World) *verb {
	return func(w *World) *verb {
		v := make(w)
		s := &sharing.Settings{}
		var offline bool
		v.options = append(v.options, remoteOptions(s)...)
		v.options = append(v.options, &option{name: "offline", group: "Remote", help: "ask no remote for what is missing here", set: into(&offline, boolean)})
		run := v.run
		v.run = func(ctx context.Context, c *call) error {
			if s.URL != "" && !offline {
				c.fetcher = c.companionFor(s)
			}
			return run(ctx, c)
		}
		return v
	}
}

// companionFor is the companion for a remote.
func (w *World) companionFor(s *sharing.Settings) *sharing.Companion {
	return &sharing.Companion{Program: w.companion, Environ: w.Environ, Settings: *s}
}

// ensureStore makes the store that fetched artifacts are kept in.
func (w *World) ensureStore(named string) error {
	s, warning, err := w.openFirst(artifact.Options{Now: w.Now, Untended: true}, named)
	if err != nil {
		return fmt.Errorf("keep what is fetched: %w", err)
	}
	if warning != "" {
		w.complain(errors.New(warning))
	}
	return s.Close()
}

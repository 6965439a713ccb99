package runcmd

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// shared returns where the run is remembered for other machines; nil is nowhere.
func (r *Runner) shared() (*session.Shared, error) {
	o := &r.O.sharing
	if !o.remote {
		return nil, nil
	}
	if err := r.O.remote.Check(); err != nil {
		return nil, cli.Usagef("--cache-remote: %v", err)
	}
	s := &session.Shared{Remote: r.pushing(), Trusted: slices.Clone(o.trusted)}
	if o.key != "" {
		text, err := readPrivate(r.Env, r.Path(o.key))
		if errors.Is(err, safefs.ErrRefused) { // runs that others sign with a key of theirs would be believed
			r.Complain(fmt.Errorf("--cache-key %q is not believed, and nothing is signed. %w", o.key, err))
			if len(s.Trusted) == 0 {
				return nil, nil
			}
			return s, nil
		}
		if err == nil {
			s.Key, err = cache.ParsePrivate(string(text))
		}
		if err != nil {
			return nil, cli.Usagef("--cache-key %q: %v", o.key, err)
		}
		own, _ := s.Key.Public().(ed25519.PublicKey)
		if slices.ContainsFunc(r.O.Cache.Revoked, func(k ed25519.PublicKey) bool { return k.Equal(own) }) {
			return nil, &cli.UsageError{Text: fmt.Sprintf("--cache-key %q: the key is among revoked-keys", o.key), Hint: "Make another one with `envwrap cache keygen FILE`."}
		}
		s.Trusted = append(s.Trusted, own)
	}
	if len(s.Trusted) == 0 {
		return nil, &cli.UsageError{Text: "--cache-remote: there is no key whose entries could be believed", Hint: "Make one with `envwrap cache keygen`, or put those of others into trusted-keys."}
	}
	return s, nil
}

// readPrivate reads a file that must be unreadable for other users. The error is
// [safefs.ErrRefused] where others can change it.
func readPrivate(env *cli.Env, path string) ([]byte, error) {
	const most = 4 << 10
	info, err := os.Stat(path)
	if err == nil {
		if strict := safefs.StrictModes(path); errors.Is(strict, safefs.ErrRefused) {
			err = strict
		}
	}
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		err = fmt.Errorf("others may read it: chmod 600 %s", path)
	}
	if err != nil {
		return nil, err
	}
	return env.ReadNamed(path, most)
}

// checkCaching finds an option of remembered runs on a line where nothing asks for
// one. In a variable or a file it waits for a line that does; --cache 0 is an
// answer, too.
func checkCaching(c *cli.Call, ttl time.Duration) error {
	if ttl > 0 || len(c.Option("cache").Given) > 0 {
		return nil
	}
	for _, o := range c.Verb.Options {
		if o.Group == cacheGroup && len(o.Given) > 0 {
			return &cli.UsageError{Text: "--" + o.Name + " needs --cache", Hint: "Say how old an answer may be, as in --cache 10m."}
		}
	}
	return nil
}

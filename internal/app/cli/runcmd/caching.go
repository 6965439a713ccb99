package runcmd

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// cacheSharing are the options of runs that are remembered for other machines, too.
type cacheSharing struct {
	remote  bool
	key     string // file of the private key
	trusted []ed25519.PublicKey
}

// cacheGroup is the heading of the options of remembered runs.
const cacheGroup = "Remembered runs"

func (o *RunOptions) cacheOptions() []*cli.Option {
	const group = cacheGroup
	return []*cli.Option{
		{
			Name: "cache", Value: "TTL", Def: "none", Group: group, Key: cli.NotInKey,
			Help: "answer from memory if the same command ran within TTL; else run it and remember it", Set: cli.Into(&o.Cache.TTL, cli.Duration),
		},
		{
			Name: "cache-input", Value: "FILE", Many: true, Separator: "\n", Group: group, Key: cli.InCall,
			Help: "file that the command reads: a file, a directory, or a pattern (*, ?, [a-z], {a,b}, ** for any depth)", Takes: cli.AFile, Set: cli.Each(inputName(&o.Cache.Inputs)),
		},
		{
			Name: "cache-env", Value: "NAME[,...]", Many: true, Group: group, Key: cli.InCall,
			Help: "variables that the result depends on", Takes: cli.AVariable, Set: cli.Each(namedVariables(&o.Cache.Env)),
		},
		{
			Name: "cache-stale", Value: "DURATION", Def: "none", Group: group, Key: cli.NotInKey,
			Help: "for this long after TTL answer from memory, and run the command again in the background", Set: cli.Into(&o.Cache.Stale, cli.Duration),
		},
		{
			Name: "cache-failures", Group: group, Key: cli.NotInKey,
			Help: "also remember runs that failed", Set: cli.Into(&o.Cache.Failures, cli.Boolean),
		},
		{
			Name: "cache-remote", Group: group, Key: cli.NotInKey,
			Help: "share remembered runs with other machines through --remote, signed; used only if the key is trusted", Set: cli.Into(&o.sharing.remote, cli.Boolean),
		},
		{
			Name: "cache-key", Value: "FILE", Group: group, Key: cli.NotInKey,
			Help: "private key that signs shared runs (envwrap cache keygen); without it they are only read", Takes: cli.AFile, Set: cli.Into(&o.sharing.key, cli.Text),
			InJob: cli.LooksOnly,
		},
		{
			Name: "trusted-keys", Value: "KEY[,...]", Many: true, Separator: ",", Group: group, Key: cli.NotInKey,
			Help: "public keys whose shared runs are used, in addition to that of --cache-key", Set: cli.Each(publicKeys(&o.sharing.trusted)),
			InJob: cli.LooksOnly,
		},
	}
}

// publicKeys adds public keys to a list: KEY[,KEY...].
func publicKeys(dst *[]ed25519.PublicKey) func(string) error {
	return func(s string) error {
		for text := range strings.SplitSeq(s, ",") {
			key, err := cache.ParsePublic(text)
			if err != nil {
				return cli.BadValue(text, "public key", "`envwrap cache keygen` prints one: ed25519: and 43 letters and digits.")
			}
			*dst = append(*dst, key)
		}
		return nil
	}
}

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
		text, err := readPrivate(r.World, r.Path(o.key))
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
		s.Trusted = append(s.Trusted, own)
	}
	if len(s.Trusted) == 0 {
		return nil, &cli.UsageError{Text: "--cache-remote: there is no key whose entries could be believed", Hint: "Make one with `envwrap cache keygen`, or put those of others into trusted-keys."}
	}
	return s, nil
}

// readPrivate reads a file that nobody else may read. The error is
// [safefs.ErrRefused] where others can change it.
func readPrivate(w *cli.World, path string) ([]byte, error) {
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
	return w.ReadNamed(path, most)
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

// inputName adds the name of a file, or a pattern, to a list.
func inputName(dst *[]string) func(string) error {
	return func(s string) error {
		if s == "" {
			return cli.Usagef("the value is empty")
		}
		if cache.BadPattern(s) {
			return cli.BadValue(s, "file or pattern", "Stars, question marks, [classes] and {alternatives} are read; a backslash takes their meaning away.")
		}
		*dst = append(*dst, s)
		return nil
	}
}

// namedVariables adds the names of variables to a list: NAME[,NAME...]. What was
// given is not repeated in an error: after an equals sign it may be a secret.
func namedVariables(dst *[]string) func(string) error {
	return func(s string) error {
		for name := range strings.SplitSeq(s, ",") {
			if name = strings.TrimSpace(name); name == "" || strings.ContainsAny(name, "=\x00") {
				return &cli.UsageError{Text: "the value is not the name of a variable", Hint: "Write the names alone, as in --cache-env GOFLAGS,CGO_ENABLED."}
			}
			*dst = append(*dst, name)
		}
		return nil
	}
}

package runcmd

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/wrap"
)

// readAnywhere returns the command that shows an artifact on machines that have to fetch
// it first, by all of its digits.
func (r *Runner) readAnywhere(digest string) string {
	return strings.Replace(r.ReadCommand(r.O.Store)(digest), envelope.ShortDigest(digest), digest, 1)
}

// A run waits runAnswer for a remote's first answer, and runPatience where it has answered
// and stops to.
const (
	runAnswer   = 900 * time.Millisecond
	runPatience = 15 * time.Second
)

// pushing returns the companion of a run, which has less patience than a person.
func (r *Runner) pushing() *remoteconfig.Companion {
	c := r.CompanionFor(&r.O.remote)
	c.Settings.Patience, c.Settings.Answer = runPatience, runAnswer
	if dirs := r.StoreDirs(r.O.Store); len(dirs) > 0 {
		c.Absence = &remoteconfig.Absence{Dir: dirs[0], Now: r.Now}
	}
	c.Context = func() (context.Context, func()) { return r.untilSignal(context.Background()) }
	return c
}

// untilSignal returns a context that a signal which asks envwrap to end ends. The
// signal is left for what follows: a command that is about to start ends at once. The
// caller calls release.
func (r *Runner) untilSignal(ctx context.Context) (_ context.Context, release func()) {
	signals := r.cmd.Signals
	if signals == nil {
		signals = r.signals
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-r.gate.closing():
				cancel(errSignal)
				return
			case sig := <-signals:
				if wrap.Cancels(sig) {
					select {
					case r.signals <- sig: // before anything goes on
					default:
						raise(sig)
					}
					cancel(errSignal)
					return
				}
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// raise sends a signal to this process once more.
func raise(sig os.Signal) {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Signal(sig)
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

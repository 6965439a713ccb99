package runcmd

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/job"
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

// push sends artifacts to the remote. It fails without a remote also if there are none.
func (r *Runner) push(stores, digests []string) error {
	err := r.O.remote.Check()
	if err == nil && len(digests) > 0 {
		err = r.pushing().Push(stores, digests)
	}
	return err
}

// jobWarnings returns what does not hold for a run that is a job: --push without a remote, and
// --cache on a runner.
func (r *Runner) jobWarnings() (texts []string) {
	if r.O.push {
		if err := r.O.remote.Check(); err != nil {
			texts = append(texts, "not pushed: "+err.Error())
		}
	}
	if r.O.Cache.TTL > 0 && r.O.on != "" {
		texts = append(texts, notCached)
	}
	return texts
}

// notCached is the warning about --cache with --on: the key of a run has this machine's files.
const notCached = "--cache: a run on a runner is not remembered"

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
				cancel(farend.ErrSignal)
				return
			case sig := <-signals:
				if wrap.Cancels(sig) {
					select {
					case r.signals <- sig: // before anything goes on
					default:
						raise(sig)
					}
					cancel(farend.ErrSignal)
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
		return nil, &cli.UsageError{Text: "--cache-remote: there is no key whose entries could be believed", Hint: "Make one with `envwrap cache keygen` and put the lines that it prints into your config.toml, above its tables, or put the keys of others into trusted-keys there."}
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

// A publishedJob is the remote's record of a job that an engine holds, so that another
// machine of its user can ask the engine about it. It names the runner, whose words come
// from the configuration of the machine that asks, and no id of the engine: that is
// found by the name, which is made of FarID.
type publishedJob struct {
	Version int      `json:"version"` // publishedVersion
	ID      string   `json:"id"`
	Name    string   `json:"name,omitempty"`
	Runner  string   `json:"runner"`
	FarID   string   `json:"far_id"`
	Command string   `json:"command"`
	Tool    string   `json:"tool"`
	Argv    []string `json:"argv"` // masked
	TraceID string   `json:"trace_id"`
	Starts  int      `json:"starts"`

	Array *job.Array `json:"array,omitempty"` // of a group; masked
	Store string     `json:"store,omitempty"` // the store that has the job's files; "" if the engine brings its output
}

// believable reports whether p may be the record of the job with an id or name.
func (p *publishedJob) believable(word string) bool {
	if p.Version != publishedVersion || !job.IsID(p.ID) || !job.IsID(p.FarID) || p.Name != "" && !job.IsName(p.Name) || word != p.ID && word != p.Name || len(p.Argv) == 0 {
		return false
	}
	a := p.Array
	if a == nil {
		return true
	}
	if a.Members <= 0 || a.Members > membersMost || a.First < 0 || a.Parallel <= 0 {
		return false
	}
	n := 0
	for range a.Numbers() {
		if n++; n > a.Members {
			break
		}
	}
	return n == a.Members
}

const (
	publishedVersion = 1
	publishedMost    = 1 << 20 // bytes
)

// publishedKey returns the key of a job's entry in the remote, by its id or its name.
func publishedKey(word string) string {
	sum := sha256.Sum256([]byte("envwrap job\n" + word))
	return hex.EncodeToString(sum[:])
}

// engineName returns the unique name of an engine's job.
func engineName(farID string) string { return "envwrap-" + strings.ToLower(farID) }

// publish sends the record of a job to the remote, if --push was given. A failure is a
// warning on stderr.
func (s *submission) publish(row *cli.RunnerRow, rec *job.Record) {
	if !s.O.push || s.O.remote.URL == "" {
		return
	}
	store := ""
	if !row.Engine.Apart() {
		store = wrap.Mask(s.cmd.Redactor).Text(s.store.Dir())
	}
	p := publishedJob{publishedVersion, rec.ID, rec.Name, rec.Far.Runner, rec.Far.ID, rec.Command, rec.Tool, rec.Argv, rec.TraceID, rec.Far.Engine.Starts, rec.Array, store}
	text, err := json.Marshal(p)
	remote := s.pushing()
	for _, word := range []string{rec.ID, rec.Name} {
		if err == nil && word != "" {
			err = remote.Put(publishedKey(word), text)
		}
	}
	if err != nil {
		s.Complain(fmt.Errorf("other machines cannot find job %s: %w", rec.ID, err))
	}
}

// adopt makes a record here of a job that was published in the remote.
func (o *JobOptions) adopt(env *cli.Env, word string) error {
	c := env.CompanionFor(&o.remote)
	c.Settings.Patience, c.Settings.Answer = runPatience, runAnswer
	if dirs := env.StoreDirs(o.Store); len(dirs) > 0 {
		c.Absence = &remoteconfig.Absence{Dir: dirs[0], Now: env.Now}
	}
	text, err := c.Get(publishedKey(word))
	if err != nil && !errors.Is(err, artifact.ErrNotFound) {
		return &farend.UnknownError{Outcome: envelope.Outcome{
			Kind: envelope.Failure, Code: envelope.ERUNTIME, Retryable: errors.Is(err, remoteconfig.ErrUnreached), ClassifiedBy: envelope.ByEnvwrap,
			Message: env.Masked(fmt.Sprintf("job %q is not known here, and the remote cannot be asked: %v", word, err)), Hint: "`envwrap remote check` says what is wrong.",
		}}
	}
	if err != nil {
		return err
	}
	var p publishedJob
	if len(text) > publishedMost || json.Unmarshal(text, &p) != nil || !p.believable(word) {
		return fmt.Errorf("what %s has is no record of this job, and is not believed", o.remote.URL)
	}
	row, err := env.Runner(p.Runner)
	if err != nil {
		return err
	}
	if p.Store != "" { // opened only if the user names it
		return fmt.Errorf("its files are in the store of the machine that has submitted it: if this machine sees that, add --store %s", hints.Quote(p.Store))
	}
	if row.Engine == nil || !row.Engine.Apart() {
		return fmt.Errorf("runner %q of this machine has no engine that brings the output of job %s", p.Runner, p.ID)
	}
	rec := job.Record{
		Name: p.Name, Command: p.Command, Tool: p.Tool, Argv: p.Argv, TraceID: p.TraceID, Dir: env.Directory(), Environ: []string{},
		View:  job.View{Format: envelope.Dialects()[0].Name(), ExitCode: "child", Budget: BudgetAuto, InlineLimit: adoptedInline},
		Array: p.Array, Far: &job.Far{Runner: p.Runner, ID: p.FarID, Engine: &job.EngineJob{Name: engineName(p.FarID), Starts: p.Starts, Adopted: true}},
	}
	rec.MaskTexts(env.Mask())
	s, err := OpenJobs(env, o.Store)
	if err != nil {
		return err
	}
	defer s.Close()
	v, _, err := job.Hold(job.Options{Dir: s.Dir(), Now: env.Now}, &job.Draft{ID: p.ID, Record: rec})
	switch {
	case errors.Is(err, job.ErrTaken): // by another process, meanwhile
		return nil
	case err != nil:
		return err
	}
	if p.Array != nil {
		err = v.MakeMembers()
	}
	v.Leave("")
	return errors.Join(err, v.Close())
}

// adoptedInline is the inline limit of a job that was submitted elsewhere, in bytes.
const adoptedInline = 32 << 10

// Stores opens the stores that may have the jobs of words. A job of another machine that
// none of them has, and the remote has, is adopted before. The error is a [farend.UnknownError] if the
// remote cannot be asked for one that none of them has.
func (o *JobOptions) Stores(env *cli.Env, words []string) (JobStores, error) {
	stores, err := OpenJobStores(env, o.Store)
	if err != nil || o.remote.URL == "" {
		return stores, err
	}
	adopted := false
	for _, word := range words {
		_, _, err := stores.Find(word)
		if !errors.Is(err, job.ErrNotFound) || !job.IsID(word) && !job.IsName(word) {
			continue
		}
		err = o.adopt(env, word)
		_, unasked := errors.AsType[*farend.UnknownError](err)
		switch {
		case unasked:
			stores.Close()
			return nil, err
		case err == nil:
			adopted = true
		case !errors.Is(err, artifact.ErrNotFound):
			env.Complain(fmt.Errorf("look for job %q in the remote: %w", word, err))
		}
	}
	if !adopted {
		return stores, nil
	}
	stores.Close()
	return OpenJobStores(env, o.Store)
}

package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cache"
	"github.com/envwrap/envwrap/wrap"
)

// runRemembered answers from what is remembered, or runs the command and
// remembers it.
func (s *Session) runRemembered(ctx context.Context) (*envelope.Result, error) {
	call, why := s.cacheCall()
	switch {
	case why != "" && s.refreshKey() != "":
		return s.givenUp(nil), nil
	case why != "":
		return s.unremembered(ctx, why)
	}
	m := &cachedRun{Session: s, call: call}
	defer m.close()
	if s.refreshKey() != "" {
		return m.refresh(ctx)
	}
	if result := m.remembered(); result != nil {
		return result, nil
	}
	if s.stdinChanges() {
		return s.runRemembered(ctx)
	}
	if s.Options.Shared != nil {
		var result *envelope.Result
		if result, why = m.fromShared(); result != nil {
			return result, nil
		}
	}
	result, err := m.run(ctx)
	if err == nil && why != "" {
		s.note(result, "remote cache: "+why)
	}
	return result, err
}

// Remembered returns the answer of a run that is remembered; nil where the command
// has to be run.
func (s *Session) Remembered() *envelope.Result {
	if s.Options.Cache.TTL == 0 {
		return nil
	}
	call, why := s.cacheCall()
	if why != "" {
		return nil
	}
	m := &cachedRun{Session: s, call: call}
	defer m.close()
	return m.remembered()
}

// unremembered runs the command and says why it is not remembered.
func (s *Session) unremembered(ctx context.Context, why string) (*envelope.Result, error) {
	result, err := s.runCommand(ctx)
	if err == nil && (result.Outcome.OK() || s.Options.Cache.Failures) {
		s.note(result, "not remembered: "+why)
	}
	return result, err
}

// note adds a warning to a record.
func (s *Session) note(result *envelope.Result, text string) {
	if result.Exec != nil {
		result = result.Exec
	}
	text, _ = s.Command.Redactor.String(text)
	if !slices.Contains(result.Warnings, text) {
		result.Warnings = append(result.Warnings, text)
	}
}

// A cachedRun is one run that may be remembered.
type cachedRun struct {
	*Session
	call   *cache.Call
	places []*place     // where runs are remembered, the best first
	target *cache.Cache // where this run is to be; nil before writable
	here   *place       // of the target; nil before writable
}

// A place is a store and its cache, with the key that the call has there.
type place struct {
	store   *artifact.Store
	cache   *cache.Cache
	key     cache.Key
	parts   *cache.Parts
	ours    bool   // the store is for us to close
	warning string // says why it is not the usual place
}

func (m *cachedRun) close() {
	for _, p := range m.places {
		if p.ours {
			p.close()
		}
	}
	if m.target != nil {
		_ = m.target.Close()
	}
}

// close gives the cache and the store back.
func (p *place) close() {
	if p.cache != nil {
		_ = p.cache.Close()
	}
	_ = p.store.Close()
}

// OpenCache opens the cache of a store with open: cache.Open or cache.OpenRead.
func (w *World) OpenCache(s *artifact.Store, sync artifact.Sync, open func(cache.Options) (*cache.Cache, error)) (*cache.Cache, error) {
	return open(cache.Options{Store: s.Dir(), Now: w.Now, Locks: artifact.HasLocks(s.Dir()), Sync: sync == artifact.SyncFull})
}

// look opens the caches that are there, and finds the call's key in each. One
// that cannot be used is passed over: a miss says why, where it matters.
func (m *cachedRun) look() error {
	defer m.dropKeyless()
	for _, dir := range m.StoreDirs(m.Options.Store) {
		store, err := artifact.OpenRead(artifact.Options{Dir: dir, Now: m.Now, NoMaintenance: true})
		if err != nil {
			continue
		}
		p := &place{store: store, ours: true}
		m.places = append(m.places, p)
		if p.cache, err = m.OpenCache(store, m.Options.StoreSync, cache.OpenRead); err != nil {
			continue
		}
		if p.key, p.parts, err = p.cache.Key(m.call); err != nil {
			return err
		}
	}
	return nil
}

// dropKeyless forgets the places for which there is no key: they have no cache, or
// an input could not be read.
func (m *cachedRun) dropKeyless() {
	m.places = slices.DeleteFunc(m.places, func(p *place) bool {
		if p.key == "" {
			p.close()
		}
		return p.key == ""
	})
}

// remembered is the answer of a cache, nil where none has one.
func (m *cachedRun) remembered() *envelope.Result {
	if m.look() != nil {
		return nil // run says why
	}
	for _, p := range m.places {
		e := p.cache.Get(p.key)
		switch {
		case e == nil:
		case e.Fresh(m.Now(), m.Options.Cache.TTL):
			if replayed := m.replayEntry(p, e, false); replayed != nil {
				return m.answer(p, e, replayed, false)
			}
		case m.Options.Cache.Stale > 0 && e.FreshBut(m.Now(), m.Options.Cache.TTL, m.Options.Cache.Stale):
			if result := m.staleAnswer(p, e); result != nil {
				return result
			}
		}
	}
	return nil
}

// replayEntry makes the record of an entry again; nil where it does not answer this call. A failure
// answers where failures are wanted, or where we waited for that very run.
func (m *cachedRun) replayEntry(p *place, e *cache.Entry, waited bool) *wrap.Replayed {
	replayed, err := m.replay(p, e)
	if err != nil || !replayed.Result.Outcome.OK() && !waited && !m.Options.Cache.Failures {
		return nil
	}
	for _, digest := range e.Artifacts() { // what is named again has its grace again
		if err := p.store.Renew(digest); errors.Is(err, artifact.ErrNotFound) {
			return nil
		}
	}
	return replayed
}

func (m *cachedRun) replay(p *place, e *cache.Entry) (*wrap.Replayed, error) {
	return wrap.Replay(m.Command, &e.Recording, func(digest string) (io.ReadCloser, error) { return p.store.Get(digest) })
}

// answer shows a replayed run, and marks its result as remembered.
func (m *cachedRun) answer(p *place, e *cache.Entry, replayed *wrap.Replayed, stale bool) *envelope.Result {
	replayed.Show()
	result := replayed.Result
	age, _ := e.Age(m.Now())
	result.Source, result.CacheKey, result.CacheAge, result.Stale = "cache", string(p.key), age, stale
	return result
}

// writable is the place where the run is remembered: the cache of the store
// that takes this run's artifacts.
func (m *cachedRun) writable() (*place, error) {
	if m.here != nil {
		return m.here, nil
	}
	p, err := m.openWritable()
	if err == nil {
		m.here = p
	}
	return p, err
}

func (m *cachedRun) openWritable() (*place, error) {
	store, warning, err := m.Command.Store()
	if err != nil {
		return nil, err
	}
	c, err := m.OpenCache(store, m.Options.StoreSync, cache.Open)
	if err != nil {
		return nil, err
	}
	m.target = c
	for _, p := range m.places {
		if p.store.Dir() == store.Dir() {
			return &place{store: store, cache: c, key: p.key, parts: p.parts, warning: warning}, nil
		}
	}
	p := &place{store: store, cache: c, warning: warning}
	p.key, p.parts, err = c.Key(m.call)
	return p, err
}

// run runs the command, or waits for the same run that is on elsewhere.
func (m *cachedRun) run(ctx context.Context) (*envelope.Result, error) {
	p, err := m.writable()
	if err != nil {
		return m.unremembered(ctx, err.Error())
	}
	if !p.cache.Locks() || m.around(p) {
		return m.runAt(ctx, p, nil)
	}
	turn, result := m.await(ctx, p)
	if result != nil {
		return result, nil
	}
	return m.runAt(ctx, p, turn)
}

// runAt runs the command and remembers it. The turn, where there is one, is
// ended, and those who wait get the result.
func (m *cachedRun) runAt(ctx context.Context, p *place, turn *cache.Turn) (*envelope.Result, error) {
	if turn != nil {
		m.hold(p)
	}
	m.Command.Recording = new(wrap.Recording)
	idle := m.Command.Stdin.Kind() == wrap.StdinIdle
	result, err := m.runCommand(ctx)
	var e *cache.Entry
	if err == nil && m.Command.Recording.Whole {
		var why string
		if why = m.changed(p, idle); why == "" {
			e = m.entry(p, result)
			why = m.keep(p, e, result)
		}
		if why != "" {
			m.note(result, "not remembered: "+why)
		}
		for _, name := range p.parts.Barren {
			m.note(result, fmt.Sprintf("--cache-input %q led to no file", name))
		}
	}
	switch {
	case turn != nil && e != nil:
		turn.Share(e)
	case turn != nil:
		turn.Leave()
	}
	return result, err
}

// changed says what changed while the command ran, so that nobody knows what it
// has seen; "" where nothing did.
func (m *cachedRun) changed(p *place, idle bool) string {
	if idle && m.Command.Stdin.Kind() != wrap.StdinIdle {
		return "somebody wrote to the pipe that it reads; give it a file with --stdin, or --stdin null"
	}
	key, parts, err := p.cache.Key(m.call)
	switch {
	case err != nil:
		return err.Error()
	case key == p.key:
		return ""
	}
	for _, c := range cache.Diff(p.parts, parts) {
		return c.String() + " while it ran"
	}
	return "an input changed while it ran"
}

// entry is what there is to keep of the run.
func (m *cachedRun) entry(p *place, result *envelope.Result) *cache.Entry {
	argv, _ := m.Command.Redactor.Args(m.Command.Argv)
	o := &m.Options.Cache
	return &cache.Entry{
		Key: p.key, Parts: p.parts, Argv: argv, Dir: m.call.Mask(m.call.Dir),
		Outcome: string(result.Outcome.Kind), Failed: !result.Outcome.OK(),
		Kept: m.Command.Recording.Ended, TTL: o.TTL, Stale: min(o.Stale, math.MaxInt64-o.TTL), Recording: *m.Command.Recording,
	}
}

// keep puts an entry into the cache, and says why it could not. What the entry
// names is pinned first.
func (m *cachedRun) keep(p *place, e *cache.Entry, result *envelope.Result) string {
	if e.Failed && !m.Options.Cache.Failures {
		return ""
	}
	if why := m.pinAndPut(p, e); why != "" {
		return why
	}
	if p.warning != "" {
		m.note(result, p.warning)
	}
	if m.Options.Shared != nil && m.Options.Shared.Key != nil {
		if err := m.share(p, e); err != nil {
			m.note(result, "not shared: "+err.Error())
		}
	}
	p.cache.Tidy(func(gone *cache.Entry) { Release(p.store, gone, e) })
	return ""
}

// pinAndPut pins what an entry names, and keeps it.
func (m *cachedRun) pinAndPut(p *place, e *cache.Entry) string {
	before := p.cache.Get(p.key)
	for _, digest := range e.Artifacts() {
		if _, err := p.store.Pin(digest, e.Key.Owner(), e.Ends()); err != nil {
			return err.Error()
		}
	}
	if before != nil {
		e.Replaced = before.Kept
	}
	if err := p.cache.Put(e); err != nil {
		Release(p.store, e, before)
		return err.Error()
	}
	Release(p.store, before, e)
	return ""
}

// Release gives the artifacts of an entry back to the store's collector, but for
// those that another entry of the key holds. Both entries may be nil.
func Release(store *artifact.Store, e, but *cache.Entry) {
	if e == nil {
		return
	}
	for _, digest := range e.Artifacts() {
		if but == nil || but.Key != e.Key || !slices.Contains(but.Artifacts(), digest) {
			_, _ = store.Unpin(digest, e.Key.Owner()) // a pin that stays ends by itself
		}
	}
}

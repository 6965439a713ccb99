package cli

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

// obtain makes the record of the run: from what is remembered, from the same
// run that is on elsewhere, or by running the command.
func (r *runner) obtain(ctx context.Context) (*envelope.Result, error) {
	if r.o.cache.ttl == 0 {
		return r.policy().Run(ctx, r.cmd)
	}
	call, why := r.cacheCall()
	switch {
	case why != "" && r.refreshKey() != "":
		return r.givenUp(nil), nil
	case why != "":
		return r.unremembered(ctx, why)
	}
	m := &recall{runner: r, of: call}
	defer m.close()
	if r.refreshKey() != "" {
		return m.refresh(ctx)
	}
	if result := m.remembered(); result != nil {
		return result, nil
	}
	if r.stirs() {
		return r.obtain(ctx)
	}
	return m.run(ctx)
}

// rememberedBefore is the answer to a run that would become a job; nil where it has to
// be made.
func (r *runner) rememberedBefore() *envelope.Result {
	if r.o.cache.ttl == 0 {
		return nil
	}
	early, cmd := *r, *r.cmd
	early.cmd = &cmd
	if early.complete() != nil {
		return nil
	}
	defer early.closeStdin()
	defer early.closeStore()
	call, why := early.cacheCall()
	if why != "" {
		return nil
	}
	m := &recall{runner: &early, of: call}
	defer m.close()
	return m.remembered()
}

// unremembered runs the command and says why it is not remembered.
func (r *runner) unremembered(ctx context.Context, why string) (*envelope.Result, error) {
	result, err := r.policy().Run(ctx, r.cmd)
	if err == nil && (result.Outcome.OK() || r.o.cache.failures) {
		r.note(result, "not remembered: "+why)
	}
	return result, err
}

// note adds a warning to a record.
func (r *runner) note(result *envelope.Result, text string) {
	if result.Exec != nil {
		result = result.Exec
	}
	text, _ = r.cmd.Redactor.String(text)
	if !slices.Contains(result.Warnings, text) {
		result.Warnings = append(result.Warnings, text)
	}
}

// A recall is one run that may be remembered.
type recall struct {
	*runner
	of     *cache.Call
	places []*place     // where runs are remembered, the best first
	target *cache.Cache // where this run is to be; nil before writable
}

// A place is a store and its cache, with the key that the call has there.
type place struct {
	store *artifact.Store
	cache *cache.Cache
	key   cache.Key
	parts *cache.Parts
	ours  bool   // the store is for us to close
	told  string // a warning: it is not the usual place
}

func (m *recall) close() {
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

// cacheAt opens the cache of a store.
func (w *World) cacheAt(s *artifact.Store, sync artifact.Sync, open func(cache.Options) (*cache.Cache, error)) (*cache.Cache, error) {
	return open(cache.Options{Store: s.Dir(), Now: w.Now, Locks: artifact.HasLocks(s.Dir()), Sync: sync == artifact.SyncFull})
}

// look opens the caches that are there, and finds the call's key in each. One
// that cannot be used is passed over: a miss tells why, where it matters.
func (m *recall) look() error {
	defer m.dropKeyless()
	for _, dir := range m.storeDirs(m.o.store) {
		store, err := artifact.OpenRead(artifact.Options{Dir: dir, Now: m.Now, Untended: true})
		if err != nil {
			continue
		}
		p := &place{store: store, ours: true}
		m.places = append(m.places, p)
		if p.cache, err = m.cacheAt(store, m.o.storeSync, cache.OpenRead); err != nil {
			continue
		}
		if p.key, p.parts, err = p.cache.Key(m.of); err != nil {
			return err
		}
	}
	return nil
}

// dropKeyless forgets the places for which there is no key: they have no cache, or
// an input could not be read.
func (m *recall) dropKeyless() {
	m.places = slices.DeleteFunc(m.places, func(p *place) bool {
		if p.key == "" {
			p.close()
		}
		return p.key == ""
	})
}

// remembered is the answer of a cache, nil where none has one.
func (m *recall) remembered() *envelope.Result {
	if m.look() != nil {
		return nil // told by run
	}
	for _, p := range m.places {
		e := p.cache.Get(p.key)
		switch {
		case e == nil:
		case e.Fresh(m.Now(), m.o.cache.ttl):
			if told := m.retell(p, e, false); told != nil {
				return m.answer(p, e, told, false)
			}
		case m.o.cache.stale > 0 && e.FreshBut(m.Now(), m.o.cache.ttl, m.o.cache.stale):
			if result := m.staleAnswer(p, e); result != nil {
				return result
			}
		}
	}
	return nil
}

// retell tells an entry again; nil where it does not answer this call. A failure
// answers where failures are wanted, or where we waited for that very run.
func (m *recall) retell(p *place, e *cache.Entry, waited bool) *wrap.Replayed {
	told, err := m.replay(p, e)
	if err != nil || !told.Result.Outcome.OK() && !waited && !m.o.cache.failures {
		return nil
	}
	for _, digest := range e.Artifacts() { // what is named again has its grace again
		if err := p.store.Renew(digest); errors.Is(err, artifact.ErrNotFound) {
			return nil
		}
	}
	return told
}

func (m *recall) replay(p *place, e *cache.Entry) (*wrap.Replayed, error) {
	return wrap.Replay(m.cmd, &e.Tape, func(digest string) (io.ReadCloser, error) { return p.store.Get(digest) })
}

// answer shows what was told, and says that it was remembered.
func (m *recall) answer(p *place, e *cache.Entry, told *wrap.Replayed, stale bool) *envelope.Result {
	told.Show()
	result := told.Result
	age, _ := e.Age(m.Now())
	result.Source, result.CacheKey, result.CacheAge, result.Stale = "cache", string(p.key), age, stale
	return result
}

// writable is the place where the run is remembered: the cache of the store
// that takes this run's artifacts.
func (m *recall) writable() (*place, error) {
	store, told, err := m.cmd.Store()
	if err != nil {
		return nil, err
	}
	c, err := m.cacheAt(store, m.o.storeSync, cache.Open)
	if err != nil {
		return nil, err
	}
	m.target = c
	for _, p := range m.places {
		if p.store.Dir() == store.Dir() {
			return &place{store: store, cache: c, key: p.key, parts: p.parts, told: told}, nil
		}
	}
	p := &place{store: store, cache: c, told: told}
	p.key, p.parts, err = c.Key(m.of)
	return p, err
}

// run runs the command, or waits for the same run that is on elsewhere.
func (m *recall) run(ctx context.Context) (*envelope.Result, error) {
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
func (m *recall) runAt(ctx context.Context, p *place, turn *cache.Turn) (*envelope.Result, error) {
	if turn != nil {
		m.hold(p)
	}
	m.cmd.Tape = new(wrap.Tape)
	idle := m.cmd.Stdin.Feed() == wrap.FeedIdle
	result, err := m.policy().Run(ctx, m.cmd)
	var e *cache.Entry
	if err == nil && m.cmd.Tape.Whole {
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
func (m *recall) changed(p *place, idle bool) string {
	if idle && m.cmd.Stdin.Feed() != wrap.FeedIdle {
		return "somebody wrote to the pipe that it reads; give it a file with --stdin, or --stdin null"
	}
	key, parts, err := p.cache.Key(m.of)
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
func (m *recall) entry(p *place, result *envelope.Result) *cache.Entry {
	argv, _ := m.cmd.Redactor.Args(m.cmd.Argv)
	o := &m.o.cache
	return &cache.Entry{
		Key: p.key, Parts: p.parts, Argv: argv, Dir: m.of.Mask(m.of.Dir),
		Outcome: string(result.Outcome.Kind), Failed: !result.Outcome.OK(),
		Kept: m.cmd.Tape.Ended, TTL: o.ttl, Stale: min(o.stale, math.MaxInt64-o.ttl), Tape: *m.cmd.Tape,
	}
}

// keep puts an entry into the cache, and says why it could not. What the entry
// names is pinned first.
func (m *recall) keep(p *place, e *cache.Entry, result *envelope.Result) string {
	if e.Failed && !m.o.cache.failures {
		return ""
	}
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
		p.release(e, before)
		return err.Error()
	}
	p.release(before, e)
	if p.told != "" {
		m.note(result, p.told)
	}
	p.cache.Tidy(func(gone *cache.Entry) { p.release(gone, e) })
	return ""
}

// release gives the artifacts of an entry back to the collector, but for those
// that another entry of the key holds.
func (p *place) release(e, but *cache.Entry) {
	if e == nil {
		return
	}
	for _, digest := range e.Artifacts() {
		if but == nil || but.Key != e.Key || !slices.Contains(but.Artifacts(), digest) {
			_, _ = p.store.Unpin(digest, e.Key.Owner()) // a pin that stays ends by itself
		}
	}
}

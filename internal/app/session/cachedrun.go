package session

import (
	"errors"
	"io"
	"slices"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/wrap"
)

// A cachedRun is one run that may be remembered.
type cachedRun struct {
	*Session
	call   *cache.Call
	stores []*cacheStore // where runs are remembered, the best first
	target *cache.Cache  // where this run is to be; nil before writable
	here   *cacheStore   // of the target; nil before writable
}

// A cacheStore is a store and its cache, with the key that the call has there.
type cacheStore struct {
	store   *artifact.Store
	cache   *cache.Cache
	key     cache.Key
	parts   *cache.Parts
	ours    bool   // the store is for us to close
	warning string // says why it is not the usual place
}

func (m *cachedRun) close() {
	for _, p := range m.stores {
		if p.ours {
			p.close()
		}
	}
	if m.target != nil {
		_ = m.target.Close()
	}
}

// close closes the cache, and the store if it is its own.
func (p *cacheStore) close() {
	if p.cache != nil {
		_ = p.cache.Close()
	}
	_ = p.store.Close()
}

// OpenCache opens the cache of a store with open: cache.Open or cache.OpenRead.
func (env *Env) OpenCache(s *artifact.Store, sync artifact.Sync, open func(cache.Options) (*cache.Cache, error)) (*cache.Cache, error) {
	return open(cache.Options{Store: s.Dir(), Now: env.Now, Locks: artifact.HasLocks(s.Dir()), Sync: sync == artifact.SyncFull})
}

// openExisting opens the caches that exist, and computes the call's key in each. It skips one
// that cannot be used; a later miss says why.
func (m *cachedRun) openExisting() error {
	defer m.dropKeyless()
	for _, dir := range m.StoreDirs(m.Options.Store) {
		store, err := artifact.OpenRead(artifact.Options{Dir: dir, Now: m.Now, NoMaintenance: true})
		if err != nil {
			continue
		}
		p := &cacheStore{store: store, ours: true}
		m.stores = append(m.stores, p)
		if p.cache, err = m.OpenCache(store, m.Options.StoreSync, cache.OpenRead); err != nil {
			continue
		}
		if p.key, p.parts, err = p.cache.Key(m.call); err != nil {
			return err
		}
	}
	return nil
}

// dropKeyless removes the stores for which there is no key, because they have no cache
// or an input cannot be read.
func (m *cachedRun) dropKeyless() {
	m.stores = slices.DeleteFunc(m.stores, func(p *cacheStore) bool {
		if p.key == "" {
			p.close()
		}
		return p.key == ""
	})
}

// writable returns the store where the run is remembered: the cache of the store
// that takes this run's artifacts.
func (m *cachedRun) writable() (*cacheStore, error) {
	if m.here != nil {
		return m.here, nil
	}
	p, err := m.openWritable()
	if err == nil {
		m.here = p
	}
	return p, err
}

func (m *cachedRun) openWritable() (*cacheStore, error) {
	store, warning, err := m.Command.Store()
	if err != nil {
		return nil, err
	}
	c, err := m.OpenCache(store, m.Options.StoreSync, cache.Open)
	if err != nil {
		return nil, err
	}
	m.target = c
	for _, p := range m.stores {
		if p.store.Dir() == store.Dir() {
			return &cacheStore{store: store, cache: c, key: p.key, parts: p.parts, warning: warning}, nil
		}
	}
	p := &cacheStore{store: store, cache: c, warning: warning}
	p.key, p.parts, err = c.Key(m.call)
	return p, err
}

// replayEntry replays an entry, or returns nil if it does not answer this call. The
// entry of a failure answers only if failures are remembered, or if this process waited
// for that very run.
func (m *cachedRun) replayEntry(p *cacheStore, e *cache.Entry, waited bool) *wrap.Replayed {
	replayed, err := m.replay(p, e)
	if err != nil || !replayed.Result.Outcome.OK() && !waited && !m.Options.Cache.Failures {
		return nil
	}
	for _, digest := range e.Artifacts() { // a named artifact has its grace again
		if err := p.store.Renew(digest); errors.Is(err, artifact.ErrNotFound) {
			return nil
		}
	}
	return replayed
}

func (m *cachedRun) replay(p *cacheStore, e *cache.Entry) (*wrap.Replayed, error) {
	if err := e.RevokedBy(m.Options.Cache.Revoked); err != nil {
		return nil, err
	}
	return wrap.Replay(m.Command, &e.Recording, func(digest string) (io.ReadCloser, error) { return p.store.Get(digest) })
}

// answer shows a replayed run, and marks its result as remembered.
func (m *cachedRun) answer(p *cacheStore, e *cache.Entry, replayed *wrap.Replayed, stale bool) *envelope.Result {
	replayed.Show()
	result := replayed.Result
	age, _ := e.Age(m.Now())
	result.Source, result.CacheKey, result.CacheAge, result.Stale = "cache", string(p.key), age, stale
	return result
}

// pinAndPut pins the artifacts of an entry, and puts it into the cache.
func (m *cachedRun) pinAndPut(p *cacheStore, e *cache.Entry) string {
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

// Release unpins the artifacts of e, except those of but, another entry with its key.
// Both entries may be nil.
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

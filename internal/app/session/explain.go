package session

import (
	"time"

	"github.com/envwrap/envwrap/internal/app/cache"
)

// An Explanation says whether a remembered run would be used, and why.
type Explanation struct {
	Result  string         // hit, stale, miss, never
	Changes []cache.Change // why it is a miss; of a hit, why it had been one
	Why     string         // the reason if it is not in Changes
	Key     cache.Key
	Known   bool          // a run with this key is remembered
	Age     time.Duration // of that run
	Left    time.Duration // until it is no longer fresh
	Remote  string        // for a miss: what other machines remember; "" if no remote is asked
	Nearest *cache.Entry  // the entry that Changes refer to; nil if no entry is similar
}

// Explain looks for a remembered run as Run would, then for similar ones, without
// running anything.
func (s *Session) Explain() (*Explanation, error) {
	x, m, err := s.explain()
	if m != nil {
		defer m.close()
	}
	if err == nil && x.Result == "miss" && s.Options.Shared != nil {
		x.Remote = m.explainShared()
	}
	return x, err
}

func (s *Session) explain() (*Explanation, *cachedRun, error) {
	s.stdinChanges()
	call, why := s.cacheCall()
	if why != "" {
		return &Explanation{Result: "never", Why: why}, nil, nil
	}
	m := &cachedRun{Session: s, call: call}
	if err := m.openExisting(); err != nil {
		return &Explanation{Result: "never", Why: err.Error()}, m, nil //nolint:nilerr // that it is not remembered is the answer
	}
	for _, p := range m.stores {
		if e := p.cache.Get(p.key); e != nil {
			x, err := m.explainEntry(p, e)
			return x, m, err
		}
	}
	none := &Explanation{Result: "miss", Changes: []cache.Change{{Part: "never-run"}}}
	for _, p := range m.stores {
		entries, err := p.cache.All()
		if err != nil {
			return nil, m, err
		}
		if near, changes := cache.Nearest(entries, p.parts, s.Now().Add(time.Hour)); near != nil {
			return &Explanation{Result: "miss", Key: p.key, Changes: changes, Nearest: near}, m, nil
		}
		none.Key = p.key
	}
	return none, m, nil
}

// explainEntry explains a run that is remembered under the key of this call.
func (m *cachedRun) explainEntry(p *cacheStore, e *cache.Entry) (*Explanation, error) {
	now, o := m.Now(), &m.Options.Cache
	age, _ := e.Age(now)
	x := &Explanation{Result: "hit", Key: p.key, Known: true, Age: age, Left: max(min(o.TTL, e.TTL)-age, 0)}
	switch {
	case e.Fresh(now, o.TTL) && m.replayEntry(p, e, false) == nil:
		x.Result, x.Why = "miss", m.unusableReason(p, e)
		return x, nil
	case e.Fresh(now, o.TTL):
	case o.Stale > 0 && e.FreshBut(now, o.TTL, o.Stale):
		x.Result = "stale"
	default:
		x.Result, x.Changes = "miss", []cache.Change{{Part: "expired"}}
		return x, nil
	}
	if !e.Replaced.IsZero() {
		x.Changes = []cache.Change{{Part: "expired"}}
		return x, nil
	}
	entries, err := p.cache.All()
	if err != nil {
		return nil, err
	}
	if x.Nearest, x.Changes = cache.Nearest(entries, p.parts, e.Kept); x.Nearest == nil {
		x.Changes = []cache.Change{{Part: "never-run"}}
	}
	return x, nil
}

// unusableReason returns why a fresh entry cannot answer this call, or "".
func (m *cachedRun) unusableReason(p *cacheStore, e *cache.Entry) string {
	replayed, err := m.replay(p, e)
	switch {
	case err != nil:
		return err.Error()
	case !replayed.Result.Outcome.OK():
		return "it failed, and --cache-failures was not given"
	}
	return ""
}

package session

import (
	"errors"
	"fmt"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cache"
)

// keyDigits returns the 64 digits of a key.
func keyDigits(k cache.Key) string { return string(k)[len("sha256:"):] }

// sharedEntry returns the checked entry of the remote for the call, or nil.
func (m *cachedRun) sharedEntry(p *cacheStore) (*cache.Entry, error) {
	key, err := p.cache.SharedKey(m.call, m.Command.Workspace)
	if err != nil {
		return nil, err
	}
	text, err := m.Options.Shared.Remote.Get(keyDigits(key))
	switch {
	case errors.Is(err, artifact.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	e, err := cache.OpenSigned(text, key, m.Options.Shared.Trusted, m.Now())
	if err == nil {
		err = e.RevokedBy(m.Options.Cache.Revoked)
	}
	if err != nil {
		return nil, fmt.Errorf("the entry of this run was not used: %w", err)
	}
	return e, nil
}

// fromShared returns the result that another machine remembers, and stores it here as if
// it had been run here. If it is not used, why is for the record of the run that
// follows.
func (m *cachedRun) fromShared() (result *envelope.Result, why string) {
	p, err := m.writable()
	if err != nil {
		return nil, "" // the run says why
	}
	e, err := m.sharedEntry(p)
	if err != nil {
		return nil, err.Error()
	}
	if e == nil || e.Failed && !m.Options.Cache.Failures || !e.Fresh(m.Now(), m.Options.Cache.TTL) {
		return nil, ""
	}
	for _, digest := range e.Artifacts() {
		o, err := p.store.Get(digest) // fetches it if it is missing here
		if err != nil {
			return nil, "the output of its entry was not used: " + err.Error()
		}
		_ = o.Close()
	}
	e.Key, e.Parts = p.key, p.parts
	if why := m.pinAndPut(p, e); why != "" {
		return nil, why
	}
	replayed := m.replayEntry(p, e, false)
	if replayed == nil {
		return nil, "its entry cannot be replayed"
	}
	return m.answer(p, e, replayed, false), ""
}

// share sends a run's entry to the remote, after the artifacts that it names.
func (m *cachedRun) share(p *cacheStore, e *cache.Entry) error {
	shared := m.Options.Shared
	key, err := p.cache.SharedKey(m.call, m.Command.Workspace)
	if err != nil {
		return err
	}
	bare := *e
	bare.Key, bare.Dir = key, ""
	text, err := bare.Sign(shared.Key)
	if err != nil {
		return err
	}
	if digests := e.Artifacts(); len(digests) > 0 {
		if err := shared.Remote.Push([]string{p.store.Dir()}, digests); err != nil {
			return err
		}
	}
	return shared.Remote.Put(keyDigits(key), text)
}

// explainShared says whether the remote has a good entry for the call.
func (m *cachedRun) explainShared() string {
	p, err := m.writable() // the first store may not be there yet
	if err != nil {
		return err.Error()
	}
	e, err := m.sharedEntry(p)
	switch {
	case err != nil:
		return err.Error()
	case e == nil:
		return "it has no entry of this run"
	case e.Failed && !m.Options.Cache.Failures:
		return "its entry is of a run that failed, and --cache-failures was not given"
	case !e.Fresh(m.Now(), m.Options.Cache.TTL):
		return "its entry is older than --cache allows"
	}
	return "its entry is good: the run would be answered from it"
}

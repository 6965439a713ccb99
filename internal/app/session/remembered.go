package session

import (
	"context"
	"fmt"
	"math"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/wrap"
)

// runRemembered returns the remembered result, or runs the command and remembers it.
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

// Remembered returns the result from a remembered run, or nil if the command has to be
// run.
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

// unremembered runs the command and adds a warning why it is not remembered.
func (s *Session) unremembered(ctx context.Context, why string) (*envelope.Result, error) {
	result, err := s.runCommand(ctx)
	if err == nil && (result.Outcome.OK() || s.Options.Cache.Failures) {
		s.note(result, "not remembered: "+why)
	}
	return result, err
}

// remembered returns the answer of the first cache that has one, or nil.
func (m *cachedRun) remembered() *envelope.Result {
	if m.openExisting() != nil {
		return nil // run says why
	}
	for _, p := range m.stores {
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

// run runs the command, or waits for another process that is running the same.
func (m *cachedRun) run(ctx context.Context) (*envelope.Result, error) {
	p, err := m.writable()
	if err != nil {
		return m.unremembered(ctx, err.Error())
	}
	if m.isNestedRun(p) {
		return m.runAt(ctx, p, nil)
	}
	var lock *cache.Lock
	if p.cache.Locks() {
		var result *envelope.Result
		if lock, result = m.await(ctx, p); result != nil {
			return result, nil
		}
	}
	lease, result := m.acquireLease(ctx, p)
	if result != nil {
		if lock != nil {
			lock.Release()
		}
		return result, nil
	}
	defer lease.release()
	return m.runAt(ctx, p, lock)
}

// runAt runs the command and remembers it. It releases lock, which may be nil, and hands
// the result to the processes that wait for it.
func (m *cachedRun) runAt(ctx context.Context, p *cacheStore, lock *cache.Lock) (*envelope.Result, error) {
	if lock != nil {
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
		for _, name := range p.parts.Unmatched {
			m.note(result, fmt.Sprintf("--cache-input %q matches no file", name))
		}
	}
	switch {
	case lock != nil && e != nil:
		lock.Share(e)
	case lock != nil:
		lock.Release()
	}
	return result, err
}

// changed returns the input that changed while the command ran, so that envwrap cannot
// know which one it saw, or "".
func (m *cachedRun) changed(p *cacheStore, idle bool) string {
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

// entry returns the entry of the run.
func (m *cachedRun) entry(p *cacheStore, result *envelope.Result) *cache.Entry {
	o := &m.Options.Cache
	e := &cache.Entry{
		Key: p.key, Parts: p.parts, Argv: m.Command.Argv, Dir: m.call.Dir,
		Outcome: string(result.Outcome.Kind), Failed: !result.Outcome.OK(),
		Kept: m.Command.Recording.Ended, TTL: o.TTL, Stale: min(o.Stale, math.MaxInt64-o.TTL), Recording: *m.Command.Recording,
	}
	e.MaskTexts(wrap.Mask(m.Command.Redactor))
	return e
}

// keep puts an entry into the cache, after it has pinned the artifacts that the entry
// names. It returns why it could not, or "".
func (m *cachedRun) keep(p *cacheStore, e *cache.Entry, result *envelope.Result) string {
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

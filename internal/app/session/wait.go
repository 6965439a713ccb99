package session

import (
	"context"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/wrap"
)

// waitLongest bounds the time between two looks at who is running.
const waitLongest = 25 * time.Millisecond

// await waits until this process has the lock, or another has made the run. If it
// returns neither, the command runs beside the other one: nobody waits longer than the
// command's own time limit.
func (m *cachedRun) await(ctx context.Context, p *cacheStore) (*cache.Lock, *envelope.Result) {
	lock, err := p.cache.Lock(p.key)
	if err != nil {
		return nil, nil
	}
	var over <-chan time.Time
	if m.Options.Timeout > 0 {
		over = time.After(m.Options.Timeout)
	}
	for pause := time.Millisecond; ; pause = min(2*pause, waitLongest) {
		state, shared, err := lock.Try()
		switch {
		case err != nil:
			lock.Release()
			return nil, nil
		case state == cache.Mine:
			return m.begin(p, lock)
		case state == cache.Shared:
			if replayed := m.replayEntry(p, shared, true); replayed != nil {
				lock.Release()
				return nil, m.answer(p, shared, replayed, false)
			}
			lock.Release() // it does not answer this call
			if lock, err = p.cache.Lock(p.key); err != nil {
				return nil, nil
			}
		}
		select {
		case <-over:
			lock.Release()
			return nil, nil
		case <-ctx.Done():
			lock.Release()
			return nil, m.givenUp(nil)
		case sig := <-m.Command.Signals:
			if number, ends := endsWait(sig); ends {
				lock.Release()
				return nil, m.givenUp(&number)
			}
		case <-time.After(pause):
		}
	}
}

// begin looks for the entry again after the lock was taken: the run may have been made
// since the last look.
func (m *cachedRun) begin(p *cacheStore, lock *cache.Lock) (*cache.Lock, *envelope.Result) {
	e := p.cache.Get(p.key)
	if e == nil || !e.Fresh(m.Now(), m.Options.Cache.TTL) {
		return lock, nil
	}
	replayed := m.replayEntry(p, e, false)
	if replayed == nil {
		return lock, nil
	}
	lock.Release()
	return nil, m.answer(p, e, replayed, false)
}

// heldVariable lists the keys that the envwraps around a command run now. A run
// of one of these would wait for itself.
const heldVariable = "ENVWRAP_CACHE_HELD"

// isNestedRun reports whether an outer envwrap runs the same command and waits for this
// process, which must not wait for the outer one's lock.
func (m *cachedRun) isNestedRun(p *cacheStore) bool {
	held, _ := m.Lookup(heldVariable)
	return slices.Contains(strings.Split(held, ","), string(p.key))
}

// hold tells the command, in heldVariable, which keys are being run around it.
func (m *cachedRun) hold(p *cacheStore) {
	held, ok := m.Lookup(heldVariable)
	if ok {
		held += ","
	}
	m.Command.Env = SetAll(m.Command.Env, heldVariable+"="+held+string(p.key))
}

// endsWait reports whether a signal ends the wait, and returns its number.
func endsWait(sig os.Signal) (int, bool) {
	n, ok := sig.(syscall.Signal)
	return int(n), ok && wrap.Cancels(sig)
}

// givenUp returns the record of a wait that a signal ended.
func (s *Session) givenUp(signal *int) *envelope.Result {
	result := s.Refused(envelope.Outcome{
		Kind: envelope.Canceled, Code: envelope.ECANCELED, ClassifiedBy: envelope.ByEnvwrap,
		Message: "envwrap was told to stop while it waited for the same run",
		Hint:    "Run it again if it is still wanted; the run that it waited for goes on.",
	})
	const afterSignal = 128
	result.ExitStatus = afterSignal
	if signal != nil {
		result.ExitStatus += *signal
	}
	return result
}

package session

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cache"
)

// Times between two questions to the remote while another machine runs the same.
const (
	leaseFirst   = 250 * time.Millisecond
	leaseLongest = 4 * time.Second
)

// A runLease keeps several machines from making the same run at once.
type runLease struct {
	run    *cachedRun
	key    cache.Key // of the shared run
	holder string
	held   bool
}

// acquireLease waits while another machine runs the same command, as long as its lease holds
// and no longer than the command's own time limit, and returns the result that it has
// shared. Else it takes the lease, if entries are signed here. Two machines that ask at the
// same moment may both take it; then both run. A remote that fails is no reason not to run.
func (m *cachedRun) acquireLease(ctx context.Context, p *cacheStore) (*runLease, *envelope.Result) {
	l := &runLease{run: m, holder: rand.Text()}
	if m.Options.Shared == nil {
		return l, nil
	}
	var err error
	if l.key, err = p.cache.SharedKey(m.call, m.Command.Workspace); err != nil {
		return l, nil // the run says why
	}
	var over <-chan time.Time
	if m.Options.Timeout > 0 {
		over = time.After(m.Options.Timeout)
	}
	for pause := leaseFirst; ; pause = min(2*pause, leaseLongest) {
		other, err := l.other()
		if err == nil && !other {
			other, err = l.take()
		}
		if err != nil || !other {
			return l, nil
		}
		select {
		case <-over:
			return l, nil
		case <-ctx.Done():
			return l, m.givenUp(nil)
		case sig := <-m.Command.Signals:
			if number, ends := endsWait(sig); ends {
				return l, m.givenUp(&number)
			}
		case <-time.After(pause):
		}
		if result, _ := m.fromShared(); result != nil {
			return l, result
		}
	}
}

// other reports whether another machine has the lease.
func (l *runLease) other() (bool, error) {
	shared := l.run.Options.Shared
	text, err := shared.Remote.Get(keyDigits(cache.LeaseKey(l.key)))
	switch {
	case errors.Is(err, artifact.ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	}
	found, err := cache.OpenLease(text, l.key, shared.Trusted, l.run.Now())
	return err == nil && found.Holder != l.holder, nil
}

// take takes the lease, and reports whether another machine has taken it since.
func (l *runLease) take() (other bool, err error) {
	if l.run.Options.Shared.Key == nil {
		return false, nil
	}
	if err := l.put(l.run.Now().Add(cache.LeaseTime)); err != nil {
		return false, err
	}
	other, err = l.other()
	l.held = err == nil && !other
	return other, err
}

// put stores a lease that ends at a time.
func (l *runLease) put(until time.Time) error {
	shared := l.run.Options.Shared
	lease := cache.Lease{Key: l.key, Holder: l.holder, Until: until}
	text, err := lease.Sign(shared.Key)
	if err != nil {
		return err
	}
	return shared.Remote.Put(keyDigits(cache.LeaseKey(l.key)), text)
}

// release ends the lease.
func (l *runLease) release() {
	if l.held {
		_ = l.put(l.run.Now()) // if that fails, it ends by itself
	}
}

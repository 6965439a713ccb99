package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/wrap"
)

const refreshDescriptor = 3

// staleAnswer returns the result of an older run, and has the command run again in the
// background, unless another process is running it.
// It returns nil if the older one does not answer this call, or no new one can be
// started.
func (m *cachedRun) staleAnswer(p *cacheStore, e *cache.Entry) *envelope.Result {
	replayed := m.replayEntry(p, e, false)
	if replayed == nil || !p.cache.Locks() {
		return nil
	}
	lock, err := p.cache.Lock(p.key)
	if err != nil {
		return nil
	}
	state, shared, err := lock.Try()
	switch {
	case err != nil:
		lock.Release()
		return nil
	case state == cache.Mine:
		lock, result := m.begin(p, lock)
		if result != nil {
			return result // it was made anew since we looked
		}
		if err := m.beginRefresh(p, lock); err != nil {
			lock.Release()
			return nil
		}
		lock.HandOver()
		return m.answer(p, e, replayed, true)
	case state == cache.Shared:
		lock.Release()
		e, replayed = shared, m.replayEntry(p, shared, false)
	default: // another makes it anew
		lock.Release()
		return m.answer(p, e, replayed, true)
	}
	if replayed == nil {
		return nil
	}
	return m.answer(p, e, replayed, false)
}

// beginRefresh starts an envwrap that runs the command again, in a session of its own,
// with the lock.
func (m *cachedRun) beginRefresh(p *cacheStore, lock *cache.Lock) error {
	if m.Program == nil || m.Options.Refresh == nil {
		return errors.New("no run can be begun in the background")
	}
	self, err := m.Program()
	if err != nil {
		return err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	stdin := null
	if in := m.Command.Stdin; in.Mode != wrap.StdinFile && (in.Kind() == wrap.StdinRegular || in.Kind() == wrap.StdinIdle) {
		stdin = in.File
	}
	word := string(p.key)
	if m.Command.Merge {
		word += " merge"
	}
	args, environ := m.Options.Refresh(p.store.Dir())
	process, err := os.StartProcess(self, args, &os.ProcAttr{
		Env:   SetAll(environ, refreshVariable+"="+word),
		Files: []*os.File{stdin, null, null, lock.File()},
		Sys:   ownSession(),
	})
	if err != nil {
		return fmt.Errorf("begin a run in the background: %w", err)
	}
	return process.Release()
}

// Refreshing returns the key of the remembered run that this process was started to
// refresh, and whether that merges the streams; "" if it was started for anything else.
func (env *Env) Refreshing() (key cache.Key, merge bool) {
	word, _ := env.Lookup(refreshVariable)
	first, rest, _ := strings.Cut(word, " ")
	return cache.Key(first), rest == "merge"
}

func (env *Env) refreshKey() cache.Key {
	key, _ := env.Refreshing()
	return key
}

// refresh runs the command again. If the key has changed since, because an input has, it
// does nothing: the next call is a miss.
func (m *cachedRun) refresh(ctx context.Context) (*envelope.Result, error) {
	p, err := m.writable()
	if err != nil {
		return m.unremembered(ctx, err.Error())
	}
	lock := p.cache.Adopt(m.refreshKey(), lockFile(refreshDescriptor))
	if p.key != m.refreshKey() {
		lock.Release()
		return m.givenUp(nil), nil
	}
	return m.runAt(ctx, p, lock)
}

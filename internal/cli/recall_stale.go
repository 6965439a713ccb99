package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cache"
	"github.com/envwrap/envwrap/wrap"
)

// refreshVariable tells an envwrap that it was begun in the background to make a
// remembered run anew: the key, and the word merge where the streams are one.
// It has the key's lock on descriptor 3.
const refreshVariable = "ENVWRAP_CACHE_REFRESH"

const refreshDescriptor = 3

// staleAnswer is what is known of an older run, while a new one is begun; nil
// where the older one does not answer, or no new one can be begun.
func (m *recall) staleAnswer(p *place, e *cache.Entry) *envelope.Result {
	told := m.retell(p, e, false)
	if told == nil || !p.cache.Locks() {
		return nil
	}
	turn, err := p.cache.Turn(p.key)
	if err != nil {
		return nil
	}
	state, shared, err := turn.Try()
	switch {
	case err != nil:
		turn.Leave()
		return nil
	case state == cache.Mine:
		if now := p.cache.Get(p.key); now != nil && now.Fresh(m.Now(), m.o.cache.ttl) {
			turn.Leave() // it was made anew since we looked
			e, told = now, m.retell(p, now, false)
			break
		}
		if err := m.beginRefresh(p.key, turn); err != nil {
			turn.Leave()
			return nil
		}
		turn.HandOver()
		return m.answer(p, e, told, true)
	case state == cache.Shared:
		turn.Leave()
		e, told = shared, m.retell(p, shared, false)
	default: // another makes it anew
		turn.Leave()
		return m.answer(p, e, told, true)
	}
	if told == nil {
		return nil
	}
	return m.answer(p, e, told, false)
}

// beginRefresh starts an envwrap that makes the run anew, in a session of its
// own, with the turn's lock.
func (m *recall) beginRefresh(key cache.Key, turn *cache.Turn) error {
	if m.Executable == nil {
		return errors.New("find this program: the system does not say where it is")
	}
	self, err := m.Executable()
	if err != nil {
		return err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	stdin := null
	if f := m.cmd.Stdin.Feed(); f == wrap.FeedFile || f == wrap.FeedIdle {
		stdin = m.Stdin
	}
	word := string(key)
	if m.cmd.Merge {
		word += " merge"
	}
	args := append([]string{"envwrap"}, m.Args[min(1, len(m.Args)):]...)
	proc, err := os.StartProcess(self, args, &os.ProcAttr{
		Env:   setAll(append([]string(nil), m.Environ...), refreshVariable+"="+word),
		Files: []*os.File{stdin, null, null, turn.File()},
		Sys:   ownSession(),
	})
	if err != nil {
		return fmt.Errorf("begin a run in the background: %w", err)
	}
	return proc.Release()
}

// refreshKey is the key that this process was begun to make anew; "" where it
// was begun by anybody else.
func (w *World) refreshKey() cache.Key {
	word, _ := w.lookup(refreshVariable)
	key, _, _ := strings.Cut(word, " ")
	return cache.Key(key)
}

// settleRefresh keeps a run in the background from showing anything.
func (r *runner) settleRefresh() {
	if r.refreshKey() == "" {
		return
	}
	word, _ := r.lookup(refreshVariable)
	_, merge, _ := strings.Cut(word, " ")
	r.o.output, r.o.tee, r.o.emit = "", false, emitAlways
	r.o.merge = r.o.merge || merge == "merge"
}

// refresh makes a run anew. Where the key is another by now, since an input has
// changed, nothing is to be done: the next call is a miss.
func (m *recall) refresh(ctx context.Context) (*envelope.Result, error) {
	m.cmd.Env = unset(m.cmd.Env, refreshVariable)
	p, err := m.writable()
	if err != nil {
		return m.unremembered(ctx, err.Error())
	}
	turn := p.cache.Adopt(m.refreshKey(), lockFile(refreshDescriptor))
	if p.key != m.refreshKey() {
		turn.Leave()
		return m.givenUp(nil), nil
	}
	return m.runAt(ctx, p, turn)
}

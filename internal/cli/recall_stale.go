package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
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
		if err := m.beginRefresh(p, turn); err != nil {
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
func (m *recall) beginRefresh(p *place, turn *cache.Turn) error {
	self, err := m.program()
	if err != nil {
		return err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	stdin := null
	if in := m.cmd.Stdin; in.Mode != wrap.StdinFile && (in.Feed() == wrap.FeedFile || in.Feed() == wrap.FeedIdle) {
		stdin = in.File
	}
	word := string(p.key)
	if m.cmd.Merge {
		word += " merge"
	}
	proc, err := os.StartProcess(self, m.refreshArgs(p.store.Dir()), &os.ProcAttr{
		Env:   setAll(m.call.option("env").inVariable(slices.Clone(m.Environ)), refreshVariable+"="+word),
		Files: []*os.File{stdin, null, null, turn.File()},
		Sys:   ownSession(),
	})
	if err != nil {
		return fmt.Errorf("begin a run in the background: %w", err)
	}
	return proc.Release()
}

// refreshArgs is the command line of that envwrap: the run's options as they
// were given, wherever they were given, but for those that show something.
func (m *recall) refreshArgs(store string) []string {
	args := []string{"envwrap", "run", "--store=" + store}
	for _, known := range backgroundOptions(defaultRunOptions()) {
		if slices.Contains([]string{"store", "output", "env"}, known.name) {
			continue
		}
		for _, value := range m.call.option(known.name).given {
			args = append(args, "--"+known.name+"="+value)
		}
	}
	return append(append(args, "--"), m.cmd.Argv...)
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

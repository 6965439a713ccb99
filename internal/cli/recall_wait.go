package cli

import (
	"context"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cache"
	"github.com/envwrap/envwrap/wrap"
)

// waitLongest bounds the time between two looks at who is running.
const waitLongest = 25 * time.Millisecond

// await waits until the run is ours to make, or another has made it. Without
// turn and result the waiting was in vain, and the command is run beside the
// other: nobody waits longer than the time that the command has.
func (m *recall) await(ctx context.Context, p *place) (*cache.Turn, *envelope.Result) {
	turn, err := p.cache.Turn(p.key)
	if err != nil {
		return nil, nil
	}
	var over <-chan time.Time
	if m.o.timeout > 0 {
		over = time.After(m.o.timeout)
	}
	for pause := time.Millisecond; ; pause = min(2*pause, waitLongest) {
		state, shared, err := turn.Try()
		switch {
		case err != nil:
			turn.Leave()
			return nil, nil
		case state == cache.Mine:
			return m.begin(p, turn)
		case state == cache.Shared:
			if told := m.retell(p, shared, true); told != nil {
				turn.Leave()
				return nil, m.answer(p, shared, told, false)
			}
			turn.Leave() // it does not answer this call
			if turn, err = p.cache.Turn(p.key); err != nil {
				return nil, nil
			}
		}
		select {
		case <-over:
			turn.Leave()
			return nil, nil
		case <-ctx.Done():
			turn.Leave()
			return nil, m.givenUp(nil)
		case sig := <-m.cmd.Signals:
			if number, ends := endsWait(sig); ends {
				turn.Leave()
				return nil, m.givenUp(&number)
			}
		case <-time.After(pause):
		}
	}
}

// begin looks once more before the run is made: it may have been made between
// our look and our turn.
func (m *recall) begin(p *place, turn *cache.Turn) (*cache.Turn, *envelope.Result) {
	e := p.cache.Get(p.key)
	if e == nil || !e.Fresh(m.Now(), m.o.cache.ttl) {
		return turn, nil
	}
	told := m.retell(p, e, false)
	if told == nil {
		return turn, nil
	}
	turn.Leave()
	return nil, m.answer(p, e, told, false)
}

// heldVariable lists the keys that the envwraps around a command run now. A run
// of one of these would wait for itself.
const heldVariable = "ENVWRAP_CACHE_HELD"

// around reports whether an envwrap above us runs the same, and waits for us.
func (m *recall) around(p *place) bool {
	held, _ := m.lookup(heldVariable)
	return slices.Contains(strings.Split(held, ","), string(p.key))
}

// hold tells the command which keys are run around it.
func (m *recall) hold(p *place) {
	held, ok := m.lookup(heldVariable)
	if ok {
		held += ","
	}
	m.cmd.Env = setAll(m.cmd.Env, heldVariable+"="+held+string(p.key))
}

// endsWait reports whether a signal ends the waiting, and its number.
func endsWait(sig os.Signal) (int, bool) {
	for _, ending := range endingSignals() {
		if n, ok := sig.(syscall.Signal); ok && sig == ending {
			return int(n), true
		}
	}
	return 0, false
}

// givenUp is the record of a wait that envwrap was told to end.
func (r *runner) givenUp(signal *int) *envelope.Result {
	result := wrap.Refused(r.cmd, envelope.Outcome{
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

package blackbox

import (
	"os"
	"sync"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// A job that is canceled at any moment of its start ends, and with it all that it
// had started.
func TestCancelDuringStart(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var jobs sync.WaitGroup
	for i := range matrix.Times(6, 30) {
		id := b.submit("setsid sleep 301.25 & sleep 301.25")
		for range i * 1000 { // a little later each time
			_ = os.Getpid()
		}
		jobs.Go(func() {
			if out, status := b.call("job", "cancel", id); status != 0 {
				t.Errorf("cancel ended with %d: %s", status, out)
			}
			if res, status := b.wait(id); res.Outcome.Code != envelope.ECANCELED || status != 143 {
				t.Errorf("%+v, status %d", res.Outcome, status)
			}
		})
	}
	jobs.Wait()
	b.until("all is gone", func() bool { return len(carrying("301.25")) == 0 })
	b.nothingLeft()
}

// Cancel reaches what left the session, and what ignores SIGTERM.
func TestCancelReachesTheWholeTree(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.submit(`setsid sh -c 'trap "" TERM; echo one; while :; do sleep 302.5; done' &
		(setsid setsid sleep 302.5 &)
		trap "" TERM; echo two; while :; do sleep 302.5; done`)
	b.printed(id, "one")
	b.printed(id, "two")
	supervisor, child := b.pids(id)
	if _, status := b.call("job", "cancel", id); status != 0 {
		t.Errorf("cancel ended with %d", status)
	}
	for _, pid := range append(carrying("302.5"), supervisor, child) {
		b.gone(pid)
	}
	if b.state(id) != "canceled" {
		t.Errorf("state %s", b.state(id))
	}
}

// A supervisor that was stopped cannot keep its job from being canceled.
func TestCancelOfAStoppedSupervisor(t *testing.T) {
	b := newBench(t)
	id := b.submit("echo begun; sleep 303.5")
	b.printed(id, "begun")
	supervisor, child := b.pids(id)
	if err := syscall.Kill(supervisor, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if _, status := b.call("job", "cancel", id); status != 0 {
		t.Errorf("cancel ended with %d", status)
	}
	b.gone(supervisor)
	b.gone(child)
	if b.state(id) != "canceled" {
		t.Errorf("state %s", b.state(id))
	}
}

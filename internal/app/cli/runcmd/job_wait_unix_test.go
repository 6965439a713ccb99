//go:build unix

package runcmd

import (
	"errors"
	"testing"

	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/job"
)

// Who waits for a job that an engine holds is told its end, or that its runner cannot say; of
// any other job it is told what the store says.
func TestAwaitEngine(t *testing.T) {
	t.Parallel()
	p := newPodJob(t, nil) // whose runner is in no configuration
	other := errors.New("damaged")
	for _, c := range []struct {
		rec   *job.Record
		fault error
	}{{p.rec, other}, {p.rec, nil}, {&job.Record{ID: "J"}, job.ErrElsewhere}, {p.rec, job.ErrElsewhere}} {
		if now, err := AwaitEngine(t.Context(), p.Env, p.store, c.rec, c.fault); now != c.rec || !errors.Is(err, c.fault) || (err != nil) != (c.fault != nil) {
			t.Errorf("%v of %s: %+v, %v", c.fault, c.rec.ID, now, err)
		}
	}
	follows, stop := SettleLater(t.Context(), p.Env, p.store, p.rec.ID)
	<-follows.Done() // nobody follows what has no end
	stop()
	follows, stop = SettleLater(t.Context(), p.Env, p.store, "01ZZZZZZZZZZZZZZZZZZZZZZZZ")
	if follows.Err() != nil {
		t.Error("of another job")
	}
	stop()
	if err := p.store.PutShared(p.rec.ID, engine.Envelope, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if now, err := AwaitEngine(t.Context(), p.Env, p.store, p.rec, job.ErrElsewhere); err != nil || !now.State.Over() {
		t.Errorf("%+v, %v", now, err)
	}
}

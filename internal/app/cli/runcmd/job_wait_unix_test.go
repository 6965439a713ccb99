//go:build unix

package runcmd

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
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

// The record of a run in the foreground goes when its answer is out, and stays where somebody
// will ask for it: the answer could not be written, or does not say how the run ended.
func TestEndRecord(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Runner)
		fault  error
		want   string
	}{
		"printed":        {func(*Runner) {}, nil, "gone"},
		"not printed":    {func(*Runner) {}, errors.New("full"), "over"},
		"unsettled":      {func(r *Runner) { r.unsettled, r.cut = true, "it is Sunday" }, nil, "elsewhere"},
		"of a job":       {func(r *Runner) { r.recorded = false }, nil, "running"},
		"unsettled, too": {func(r *Runner) { r.unsettled = true }, errors.New("full"), "elsewhere"},
	} {
		t.Run(name, func(t *testing.T) {
			env := askedRunner(t)
			v := begunJob(t, env, job.Far{Runner: "far", ID: "J"})
			r := &Runner{Env: env, super: v, recorded: true}
			c.change(r)
			if !r.recorded {
				defer v.Close()
			}
			s, err := job.Open(job.Options{Dir: v.Store().Dir(), Now: env.Now})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			id := v.Record().ID
			r.endRecord(&envelope.Result{Command: "exec/make", Tool: "make", Outcome: envelope.Outcome{Kind: envelope.Success, ExitCode: new(0)}}, c.fault)
			got, rec := "gone", (*job.Record)(nil)
			if rec, err = s.Get(id); err == nil {
				switch {
				case rec.State.Over():
					got = "over"
				case s.Elsewhere(rec):
					got = "elsewhere"
				default:
					got = "running"
				}
			}
			if got != c.want || got == "elsewhere" && rec.Far.Cut != r.cut {
				t.Errorf("%s, %+v, %v", got, rec, err)
			}
		})
	}
}

// A run waits as a job where --wait says so, and stays in the foreground where there can be
// none, unless the line depends on that job.
func TestWaits(t *testing.T) {
	for name, c := range map[string]struct {
		wait          time.Duration
		mark          string
		broken, bytes bool
		want, fault   bool
		warned        bool
	}{
		"no wait":           {},
		"a wait":            {wait: time.Second, want: true},
		"bytes":             {wait: time.Second, bytes: true},
		"no store":          {wait: time.Second, broken: true, warned: true},
		"no store, a mark":  {wait: time.Second, mark: "M", broken: true, fault: true},
		"a mark in a store": {wait: time.Second, mark: "M", want: true},
	} {
		env := askedRunner(t)
		o := DefaultRunOptions()
		o.wait, o.ifMark, o.Store = c.wait, c.mark, env.Path("state/own")
		if c.broken {
			o.Store = env.Path("far")
		}
		call := &cli.Call{Env: env, Verb: &cli.Verb{Options: o.Table()}}
		r := &Runner{Env: env, Call: call, O: o, bytes: c.bytes, cmd: &wrap.Command{}}
		got, err := r.waits()
		if got != c.want || (err != nil) != c.fault || (len(r.cmd.Warnings) > 0) != c.warned || (r.jobs != nil) != c.want {
			t.Errorf("%s: %t, %v, %q", name, got, err, r.cmd.Warnings)
		}
		if r.jobs != nil {
			_ = r.jobs.Close()
		}
	}
}

// Of a group's members that did not end well the first are named, once it is over.
func TestCountMembers(t *testing.T) {
	t.Parallel()
	const most = envelope.FirstFailedMost
	p := newPodJob(t, &job.Array{First: 1, Members: most + 2, Parallel: 2})
	for state, want := range map[job.State]envelope.JobMembers{
		job.Queued: {Queued: most + 2}, job.Running: {Queued: most + 2}, job.Canceled: {Canceled: most + 2}, job.Lost: {Lost: most + 2},
	} {
		rec := *p.rec
		rec.State = state
		ends, err := p.store.Ends(&rec)
		if err != nil {
			t.Fatal(err)
		}
		m := CountMembers(&rec, ends)
		ends.Close()
		first := m.First
		m.First, want.Total = nil, most+2
		if !reflect.DeepEqual(*m, want) || state.Over() != (len(first) == most && first[most-1] == most) || !state.Over() && first != nil {
			t.Errorf("%s: %+v, %v", state, m, first)
		}
	}
}

// A job is elsewhere if a store has it, and no envwrap here is with it.
func TestStoresElsewhere(t *testing.T) {
	env := askedRunner(t)
	v := begunJob(t, env, job.Far{Runner: "far", ID: "J"})
	defer v.Close()
	stores := JobStores{v.Store()}
	if stores.Elsewhere(v.Record()) || (JobStores{}).Elsewhere(v.Record()) {
		t.Error("before it is left")
	}
	if v.Leave(""); !stores.Elsewhere(v.Record()) {
		t.Error("after it was left")
	}
}

//go:build unix

package runcmd

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

// heldJob returns a job that an engine holds whose runner is in no configuration.
func heldJob(t *testing.T) (*cli.Env, *job.Store, *job.Record) {
	t.Helper()
	env := askedRunner(t)
	store := env.Path("store")
	if err := os.Mkdir(store, 0o700); err != nil {
		t.Fatal(err)
	}
	syscall.ForkLock.RLock() // a process that starts meanwhile would have the job's lock, too
	defer syscall.ForkLock.RUnlock()
	v, _, err := job.Hold(job.Options{Dir: store, Now: env.Now}, &job.Draft{Record: job.Record{
		Command: "exec/make", Tool: "make", Argv: []string{"make"}, Far: &job.Far{Runner: "kube", Engine: &job.EngineJob{Name: "envwrap-x", ID: "1"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	v.Leave("")
	rec, err := v.Store().Get(v.Record().ID)
	if err != nil {
		t.Fatal(err)
	}
	return env, v.Store(), rec
}

// Who waits for a job that an engine holds is told its end, or that its runner cannot say; of
// any other job it is told what the store says.
func TestAwaitEngine(t *testing.T) {
	t.Parallel()
	env, store, rec := heldJob(t) // whose runner is in no configuration
	other := errors.New("damaged")
	for _, c := range []struct {
		rec   *job.Record
		fault error
	}{{rec, other}, {rec, nil}, {&job.Record{ID: "J"}, job.ErrElsewhere}, {rec, job.ErrElsewhere}} {
		if now, err := AwaitEngine(t.Context(), env, store, c.rec, c.fault); now != c.rec || !errors.Is(err, c.fault) || (err != nil) != (c.fault != nil) {
			t.Errorf("%v of %s: %+v, %v", c.fault, c.rec.ID, now, err)
		}
	}
	follows, stop := SettleLater(t.Context(), env, store, rec.ID)
	<-follows.Done() // nobody follows what has no end
	stop()
	follows, stop = SettleLater(t.Context(), env, store, "01ZZZZZZZZZZZZZZZZZZZZZZZZ")
	if follows.Err() != nil {
		t.Error("of another job")
	}
	stop()
	if err := store.PutShared(rec.ID, engine.Envelope, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if now, err := AwaitEngine(t.Context(), env, store, rec, job.ErrElsewhere); err != nil || !now.State.Over() {
		t.Errorf("%+v, %v", now, err)
	}
}

// What a member of a group has left with its runner is asked for: its end is known, or its job is
// named.
func TestMemberJobsAreAsked(t *testing.T) {
	t.Parallel()
	env, store, rec := heldJob(t)
	group := &job.Record{ID: "01", Argv: rec.Argv, TraceID: rec.TraceID, Array: &job.Array{First: 1, Members: 2, Options: []string{"--on=kube"}}}
	for _, over := range []bool{false, true} {
		own, err := MemberJobs(t.Context(), env, store, group, []int{1, 2}, farend.AskState)
		if len(own) != 1 || own[1] == nil || own[1].State.Over() != over || (err == nil) != over || err != nil && !strings.Contains(err.Error(), "member 1 of group 01, which has job "+rec.ID) {
			t.Errorf("%t: %+v, %v", over, own, err)
		}
		if err := store.PutShared(rec.ID, engine.Envelope, []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
}

// The last job that somebody has submitted is the group, not a job that a member of it has with
// its runner.
func TestLastIsNoMember(t *testing.T) {
	t.Parallel()
	for option, last := range map[string]int{"--on=kube": 0, "--jobs=2": 1} {
		env := askedRunner(t)
		o := job.Options{Dir: env.Path("store"), Now: env.Now}
		made := job.Record{Command: "exec/make", Tool: "make", Argv: []string{"make"}, TraceID: "0af7651916cd43dd8448eb211c80319c"}
		group, member := made, made
		group.Far, group.Array = &job.Far{Runner: "far"}, &job.Array{First: 1, Members: 2, Options: []string{option}}
		member.Far = &job.Far{Runner: "kube", Engine: &job.EngineJob{Name: "envwrap-x", ID: "1"}}
		if err := os.Mkdir(o.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		first, err := job.Begin(o, &job.Draft{Record: group})
		if err != nil {
			t.Fatal(err)
		}
		defer first.Close()
		second, _, err := job.Hold(o, &job.Draft{Record: member})
		if err != nil {
			t.Fatal(err)
		}
		defer second.Close()
		want := []string{first.Record().ID, second.Record().ID}[last]
		if _, id, err := (JobStores{first.Store()}).Find("last"); id != want || err != nil {
			t.Errorf("%s: %s of %s, %v", option, id, want, err)
		}
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

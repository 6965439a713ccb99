//go:build unix

package job

import (
	"errors"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

const chosen = "01ARZ3NDEKTSV4RRFFQ69G5FAV"

// chosenDraft is a job under an id that its submitter chose.
func chosenDraft(s *Store) *Draft {
	d := draft(s, "true")
	d.ID = chosen
	return d
}

// A job that was asked for before it came is refused for two weeks, and whoever asks
// again learns that it came.
func TestRefuse(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	first, err := s.Refuse(chosen, "")
	check(t, err)
	if first.Asked.IsZero() || !first.Came.IsZero() {
		t.Errorf("asked: %+v", first)
	}
	if _, err := s.Submit(chosenDraft(s)); !errors.Is(err, ErrRefused) {
		t.Errorf("submit: %v", err)
	}
	if _, err := s.Get(chosen); !errors.Is(err, ErrNotFound) {
		t.Errorf("get: %v", err)
	}
	_, err = s.Cleanup(Policy{})
	check(t, err)
	again, err := s.Refuse(chosen, "")
	if err != nil || again.Came.IsZero() || !again.Asked.Equal(first.Asked) {
		t.Errorf("asked again: %+v, %v", again, err)
	}
	s.now = func() time.Time { return time.Now().Add(Retain + time.Hour) }
	check(t, s.Expire())
	sub := submit(t, s, chosenDraft(s))
	if await(t, s, sub.Record.ID).State != OK {
		t.Error("two weeks later it does not run")
	}
	if _, err := s.Refuse(chosen, ""); !errors.Is(err, ErrTaken) {
		t.Errorf("a job that is there is refused: %v", err)
	}
	if _, err := s.Refuse("x", ""); err == nil {
		t.Error("what is no id is refused")
	}
}

// A refusal that comes while a job is submitted waits until the job is there.
func TestRefuseMeanwhile(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	for i := range 3 {
		d := chosenDraft(s)
		d.ID = chosen[:len(chosen)-1] + string(rune('0'+i))
		done := make(chan error)
		go func() {
			_, err := s.Submit(d)
			done <- err
		}()
		for !s.root.isDir(d.ID) {
			runtime.Gosched()
		}
		if _, err := s.Refuse(d.ID, ""); !errors.Is(err, ErrTaken) {
			t.Errorf("refuse: %v", err)
		}
		check(t, <-done)
	}
}

// A mark binds a submit and a refusal to the store that has it. It goes before the jobs
// that came after it, so that none of them is taken for one that never was.
func TestMark(t *testing.T) {
	t.Parallel()
	const mark = "01ARZ3NDEKTSV4RRFFQ69G5FAA"
	s := newStore(t)
	d := chosenDraft(s)
	d.Mark = mark
	if _, err := s.Submit(d); !errors.Is(err, ErrNoMark) {
		t.Errorf("submit: %v", err)
	}
	if _, err := s.Refuse(chosen, mark); !errors.Is(err, ErrNoMark) {
		t.Errorf("refuse: %v", err)
	}
	if s.Mark("x") == nil || s.HasMark("x") {
		t.Error("what is no id is a mark")
	}
	check(t, s.Mark(mark), s.Mark(mark))
	submit(t, s, d)
	await(t, s, chosen)
	_, err := s.Cleanup(Policy{Old: time.Hour})
	check(t, err)
	if !s.HasMark(mark) {
		t.Error("the mark went before its time")
	}
	_, err = s.Cleanup(Policy{DryRun: true})
	check(t, err)
	if !s.HasMark(mark) {
		t.Error("the mark went though nothing was to be done")
	}
	_, err = s.Cleanup(Policy{})
	check(t, err)
	if _, err := s.Refuse(chosen, mark); !errors.Is(err, ErrNoMark) {
		t.Errorf("the job was removed, and: %v", err)
	}
}

// What is known of a runner is kept for as long as its mark is there, for each runner.
func TestRunnerMark(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	row := []string{"far", "ssh", "build1"}
	if got := s.RunnerMark(row); got != (RunnerMark{}) {
		t.Errorf("nothing is known: %+v", got)
	}
	want := RunnerMark{Mark: chosen, Since: s.now().Round(0), Missed: 1}
	check(t, s.SetRunnerMark(row, want))
	if got := s.RunnerMark(row); got.Mark != want.Mark || got.Missed != 1 || !got.Since.Equal(want.Since) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := s.RunnerMark([]string{"far", "sshbuild1"}); got.Mark != "" {
		t.Errorf("another runner: %+v", got)
	}
	s.now = func() time.Time { return time.Now().Add(Retain) }
	if got := s.RunnerMark(row); got.Mark != "" {
		t.Errorf("two weeks later: %+v", got)
	}
}

// The record says that a job runs before its command does.
func TestAwaitRecords(t *testing.T) {
	s := newStore(t)
	v := superviseInside(t, s, 0)
	if turn, err := v.Await(nil); !turn || err != nil {
		t.Fatal(turn, err)
	}
	rec, err := s.records.load(v.rec.ID)
	if err != nil || rec.State != Running || rec.Started.IsZero() {
		t.Fatalf("%+v, %v", rec, err)
	}
	if out := rec.lostResult(false).Outcome; out.Message != "sh: the job was lost while it ran" {
		t.Errorf("%+v", out)
	}
	blocked := superviseInside(t, s, 0)
	check(t, os.MkdirAll(s.root.Name()+"/"+blocked.rec.ID+"/"+recordFile+".new/x", 0o700))
	if turn, err := blocked.Await(nil); turn || err == nil {
		t.Errorf("it cannot be recorded: %t, %v", turn, err)
	}
	check(t, os.RemoveAll(s.root.Name()+"/"+blocked.rec.ID+"/"+recordFile+".new"))
}

// handedOver is a job that runs elsewhere and has lost its supervisor.
func handedOver(t *testing.T, s *Store) *Record {
	t.Helper()
	d := draft(s, "true")
	d.Record.Far = &Far{Runner: "far", ID: chosen}
	v, err := Begin(Options{Dir: s.dir, Now: time.Now}, d)
	check(t, err)
	rec, err := s.Get(v.rec.ID)
	check(t, err)
	if s.Elsewhere(rec) || rec.State != Running || rec.Far.State != HandedOver || rec.Far.At.IsZero() {
		t.Fatalf("begun: %+v", rec)
	}
	if _, err := s.Conclude(rec.ID, &envelope.Result{}); err != nil {
		t.Fatal(err)
	}
	v.Leave()
	check(t, v.Close())
	return rec
}

// A job that was handed over is not lost with its supervisor: only the far end knows.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	rec := handedOver(t, s)
	id := rec.ID
	if now, err := s.Wait(t.Context(), id); !errors.Is(err, ErrElsewhere) || now.State != Running || !s.Elsewhere(now) {
		t.Errorf("wait: %+v, %v", now, err)
	}
	if _, err := s.Cancel(t.Context(), id); !errors.Is(err, ErrElsewhere) {
		t.Errorf("cancel: %v", err)
	}
	if _, err := s.Follow(t.Context(), id, -1, nil); !errors.Is(err, ErrElsewhere) {
		t.Errorf("follow: %v", err)
	}
	if c, err := s.Cleanup(Policy{}); err != nil || len(c.Stuck) > 0 {
		t.Errorf("cleanup: %+v, %v", c, err)
	}
	if list, err := s.List(-1, BySubmit); err != nil || len(list.Records) != 1 || list.Records[0].State != Running {
		t.Errorf("list: %+v, %v", list, err)
	}
	res := &envelope.Result{Command: "exec/sh", Outcome: envelope.Outcome{ExitCode: new(0)}, Started: time.Now(), Ended: time.Now()}
	for range 2 {
		if now, err := s.Conclude(id, res); err != nil || now.State != OK || s.Elsewhere(now) {
			t.Errorf("conclude: %+v, %v", now, err)
		}
		res.Outcome.Code = envelope.ERUNTIME // a second answer changes nothing
	}
}

// After two weeks nobody knows any more what became of it.
func TestElsewhereForgotten(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	rec := handedOver(t, s)
	s.now = func() time.Time { return time.Now().Add(Retain + time.Hour) }
	now, err := s.Get(rec.ID)
	if err != nil || now.State != Lost || now.Outcome.Retryable || now.Outcome.Message != `sh: whether it ran on runner "far" is not known` {
		t.Errorf("%+v, %v", now, err)
	}
}

// A supervisor that cannot record the handing over says so, and a run in the foreground
// leaves nothing.
func TestHandOver(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	v := superviseInside(t, s, 0)
	check(t, v.HandOver(Far{Runner: "far", ID: chosen}))
	if rec, err := s.records.load(v.rec.ID); err != nil || !rec.handedOver() || rec.State != Running {
		t.Errorf("%+v, %v", rec, err)
	}
	check(t, os.MkdirAll(s.root.Name()+"/"+v.rec.ID+"/"+recordFile+".new/x", 0o700))
	if err := v.HandOver(Far{Runner: "far", ID: chosen}); err == nil {
		t.Error("it cannot be recorded, and nobody says so")
	}
	check(t, os.RemoveAll(s.root.Name()+"/"+v.rec.ID+"/"+recordFile+".new"))
	d := draft(s, "true")
	d.Record.Far = &Far{Runner: "far", ID: chosen}
	f, err := Begin(Options{Dir: s.dir, Now: time.Now}, d)
	check(t, err)
	f.Forget()
	check(t, f.Close())
	if _, err := s.Get(f.rec.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("it is still there: %v", err)
	}
}

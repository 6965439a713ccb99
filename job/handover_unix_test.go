//go:build unix

package job

import (
	"errors"
	"os"
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
	v.Leave("no route")
	check(t, v.Close())
	rec, err = s.Get(v.rec.ID)
	check(t, err)
	if rec.Far.Cut != "no route" || rec.State != Running {
		t.Errorf("left: %+v", rec)
	}
	return rec
}

// A job that was handed over is not lost with its supervisor: only the far end knows.
func TestElsewhere(t *testing.T) {
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

// After two weeks nobody knows any more what became of it. Like the other tests of jobs that
// nobody supervises it runs alone: what another starts has the lock for a moment.
func TestElsewhereForgotten(t *testing.T) {
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

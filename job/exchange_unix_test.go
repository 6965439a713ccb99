//go:build unix

package job

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// inEngine makes a job that an engine holds, and that this process supervises no more.
func inEngine(t *testing.T, s *Store) *Record {
	t.Helper()
	d := draft(s, "true")
	d.Record.Far = &Far{Runner: "far", Engine: &EngineJob{Name: "x"}}
	v, _, err := Hold(Options{Dir: s.dir, Now: time.Now}, d)
	check(t, err)
	v.Leave("")
	check(t, v.Close())
	rec, err := s.Get(v.rec.ID)
	check(t, err)
	return rec
}

// A job that no engine holds is not held.
func TestHoldNeedsEngine(t *testing.T) {
	s := newStore(t)
	if _, _, err := Hold(Options{Dir: s.dir, Now: time.Now}, draft(s, "true")); err == nil {
		t.Error("held")
	}
}

// The engine's id is recorded until the job is over.
func TestSetEngineID(t *testing.T) {
	s := newStore(t)
	rec := inEngine(t, s)
	for _, id := range []string{"12", "13"} {
		check(t, s.SetEngineID(rec.ID, id))
		if got, err := s.Get(rec.ID); err != nil || got.Far.Engine.ID != id {
			t.Errorf("got %+v, %v; want %s", got.Far.Engine, err, id)
		}
	}
	_, err := s.Conclude(rec.ID, &envelope.Result{})
	check(t, err)
	check(t, s.SetEngineID(rec.ID, "14"))
	if got, err := s.Get(rec.ID); err != nil || got.Far.Engine.ID != "13" {
		t.Errorf("of a job that is over: %+v, %v", got.Far.Engine, err)
	}
	if err := s.SetEngineID("01AAAAAAAAAAAAAAAAAAAAAAAA", "1"); err == nil {
		t.Error("a job that is missing has an id")
	}
}

// The first to make the file of the start decides: a script, which starts the command, or a
// refusal.
func TestStartOrRefusal(t *testing.T) {
	s := newStore(t)
	at := time.Date(2026, 11, 27, 8, 0, 0, 0, time.UTC)
	started, refused := inEngine(t, s), inEngine(t, s)
	for i := range 2 { // the first word counts
		check(t, s.MarkStarted(started.ID, at.Add(time.Duration(i)*time.Hour)))
		if ok, err := s.RefuseStart(started.ID); ok || err != nil {
			t.Errorf("refused after the start: %t, %v", ok, err)
		}
		if ok, err := s.RefuseStart(refused.ID); !ok || err != nil {
			t.Errorf("not refused: %t, %v", ok, err)
		}
		check(t, s.MarkStarted(refused.ID, at))
	}
	if got, ok := s.StartedThere(started.ID); !ok || !got.Equal(at) {
		t.Errorf("started: %v, %t", got, ok)
	}
	if got, ok := s.StartedThere(refused.ID); ok {
		t.Errorf("started in spite of the refusal: %v", got)
	}
	for id, want := range map[string]State{started.ID: Running, refused.ID: Queued} {
		if rec, err := s.Get(id); err != nil || rec.State != want {
			t.Errorf("%+v, %v; want %s", rec, err, want)
		}
		_, err := s.Conclude(id, &envelope.Result{})
		check(t, err)
	}
	if err := s.MarkStarted(chosen, at); err == nil {
		t.Error("a job that does not exist has started")
	}
	if ok, err := s.RefuseStart(chosen); ok || err == nil {
		t.Errorf("a job that does not exist: %t, %v", ok, err)
	}
}

// What the far side has shown becomes an artifact where the result has none, and all of it is
// there, or the run was lost.
func TestKeepShared(t *testing.T) {
	const shown = "so far\n"
	for name, c := range map[string]struct {
		lost      bool
		result    envelope.Result
		kept, cut bool
	}{
		"whole":           {false, envelope.Result{Stdout: envelope.Stream{Bytes: int64(len(shown))}}, true, false},
		"a part":          {false, envelope.Result{Stdout: envelope.Stream{Bytes: 1 << 20}}, false, false},
		"lost":            {true, envelope.Result{}, true, true},
		"kept already":    {true, envelope.Result{Stdout: envelope.Stream{Artifact: "sha256:1"}}, false, false},
		"another's words": {true, envelope.Result{Exec: &envelope.Result{}}, false, false},
	} {
		s := newStore(t)
		rec := inEngine(t, s)
		check(t, s.MarkStarted(rec.ID, time.Now()), s.PutShared(rec.ID, stdoutFile, []byte(shown)))
		if !c.lost {
			check(t, s.PutShared(rec.ID, envelopeFile, nil))
		}
		_, err := s.Conclude(rec.ID, &c.result)
		check(t, err)
		out := c.result.Stdout
		if kept := out.Bytes == int64(len(shown)) && out.Artifact != ""; kept != c.kept || out.Truncated != c.cut || c.result.Stderr.Artifact != "" || c.result.Stderr.Truncated {
			t.Errorf("%s: %+v", name, c.result.Stdout)
		}
	}
}

// The end of a job that only its engine knows is not made up, and a record that cannot be
// read, or written, is an error.
func TestEngineFaults(t *testing.T) {
	s := newStore(t)
	rec := inEngine(t, s)
	if got, err := s.canceled(rec.ID, nil); !errors.Is(err, ErrElsewhere) || got.ID != rec.ID {
		t.Errorf("canceled: %+v, %v", got, err)
	}
	if _, err := s.canceled(chosen, nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("canceled, and it is missing: %v", err)
	}
	full := rec.ID + "/" + recordFile + ".new/full"
	check(t, os.MkdirAll(s.Path(full), 0o700))
	if err := s.SetEngineID(rec.ID, "12"); err == nil {
		t.Error("the engine's id is written")
	}
	if _, err := s.Conclude(rec.ID, &envelope.Result{}); err == nil {
		t.Error("the end is written")
	}
	check(t, os.RemoveAll(s.Path(rec.ID+"/"+recordFile+".new")), s.PutShared(rec.ID, recordFile, []byte("{")))
	if err := s.SetEngineID(rec.ID, "12"); !errors.Is(err, ErrDamaged) {
		t.Errorf("the engine's id: %v", err)
	}
	if _, err := s.Conclude(rec.ID, &envelope.Result{}); !errors.Is(err, ErrDamaged) {
		t.Errorf("the end: %v", err)
	}
	check(t, os.RemoveAll(s.Path(rec.ID)))
}

// Output that cannot be read leaves the result as it is.
func TestConcludeWithoutOutput(t *testing.T) {
	s := newStore(t)
	rec := leftGroup(t, s)
	check(t, s.root.Mkdir(rec.ID+"/"+stdoutFile, 0o700))
	res := envelope.Result{Stdout: envelope.Stream{Text: "kept"}}
	_, err := s.Conclude(rec.ID, &res)
	check(t, err)
	if res.Stdout.Text != "kept" {
		t.Errorf("%+v", res.Stdout)
	}
}

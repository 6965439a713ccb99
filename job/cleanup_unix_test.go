//go:build unix

package job

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// Cleanup forgets what is old, with its pins, and what never became a job; what
// is not over stays.
func TestCleanup(t *testing.T) {
	s := newStore(t)
	d := draft(s, "cat")
	open := gate(t, d)
	defer open()
	running := submit(t, s, d).Record.ID
	old := await(t, s, submit(t, s, draft(s, "echo old")).Record.ID).ID
	for _, dir := range []string{"00000000000000000000000000", "notajob"} {
		if err := s.root.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if c, err := s.Cleanup(Policy{Old: time.Hour}); err != nil || len(c.Old) > 0 || len(c.Stuck) > 0 {
		t.Errorf("nothing is old: %+v, %v", c, err)
	}
	if s.has("00000000000000000000000000", ".") {
		t.Error("what never became a job is still there")
	}
	if c, err := s.Cleanup(Policy{DryRun: true}); err != nil || !slices.Equal(c.Old, []string{old}) {
		t.Errorf("dry run: %+v, %v", c, err)
	}
	if _, err := s.Get(old); err != nil {
		t.Errorf("after a dry run: %v", err)
	}
	if c, err := s.Cleanup(Policy{}); err != nil || !slices.Equal(c.Old, []string{old}) || c.Oldest <= 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := s.Get(old); !errors.Is(err, ErrNotFound) || len(pinned(t, s)) > 0 {
		t.Errorf("%v, pins %v", err, pinned(t, s))
	}
	if rec, err := s.Get(running); err != nil || rec.State.Over() {
		t.Errorf("%+v, %v", rec, err)
	}
}

// Jobs are forgotten by themselves when their time is over, and no sooner.
func TestExpire(t *testing.T) {
	s := newStore(t)
	begin := time.Now()
	s.now = func() time.Time { return begin.Add(-Retain - time.Hour) }
	id := submit(t, s, draft(s, "true")).Record.ID
	s.now = func() time.Time { return begin }
	rec := await(t, s, id)
	if err := s.Expire(); err != nil || !s.has(id, recordFile) {
		t.Errorf("it has just ended: %v", err)
	}
	rec.Ended = begin.Add(-Retain - time.Minute)
	data, err := encode(rec)
	if err == nil {
		err = s.put(id, recordFile, data)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Expire(); err != nil || s.has(id, recordFile) {
		t.Errorf("its time is over: %v", err)
	}
}

// A record of a later version, and one that is damaged, is told as such, and
// hides no other job.
func TestUnreadableRecords(t *testing.T) {
	s := newStore(t)
	sound := await(t, s, submit(t, s, draft(s, "true")).Record.ID).ID
	for id, text := range map[string]string{
		"00000000000000000000000001": `{"version":2}`,
		"00000000000000000000000002": `{"version":`,
		"00000000000000000000000003": ``,
	} {
		if err := s.root.Mkdir(id, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := s.write(id+"/"+recordFile, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Get(id); err == nil || errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", text, err)
		}
		t.Cleanup(func() { _ = s.root.RemoveAll(id) })
	}
	if _, err := s.Cleanup(Policy{Old: time.Hour}); err == nil { // the one of version 2
		t.Error("cleanup tells nothing")
	}
	for id, want := range map[string]bool{"00000000000000000000000001": true, "00000000000000000000000002": false, "00000000000000000000000003": false} {
		if s.has(id, recordFile) != want {
			t.Errorf("after a cleanup %s is there: %v", id, !want)
		}
	}
	list, err := s.List()
	if len(list) != 1 || list[0].ID != sound || err == nil {
		t.Errorf("%v, %v", list, err)
	}
}

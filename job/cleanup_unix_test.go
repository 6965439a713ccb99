//go:build unix

package job

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Cleanup forgets what is old, with its pins, and what never became a job; what
// is not over stays.
func TestCleanup(t *testing.T) {
	s := newStore(t)
	sub, _ := submitGated(t, s, draft(s, "cat"))
	old := finished(t, s, "echo old").ID
	for _, dir := range []string{"00000000000000000000000000", "notajob"} {
		if err := s.root.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if c, err := s.Cleanup(Policy{Old: time.Hour}); err != nil || len(c.Old) > 0 || len(c.Stuck) > 0 {
		t.Errorf("nothing is old: %+v, %v", c, err)
	}
	if s.root.has("00000000000000000000000000", ".") {
		t.Error("what never became a job is still there")
	}
	if c, err := s.Cleanup(Policy{DryRun: true}); err != nil || !slices.Equal(c.Old, []string{old}) {
		t.Errorf("dry run: %+v, %v", c, err)
	}
	if _, err := s.Get(old); err != nil {
		t.Errorf("after a dry run: %v", err)
	}
	if c, err := s.Cleanup(Policy{}); err != nil || !slices.Equal(c.Old, []string{old}) || c.Removed != 1 || c.Oldest <= 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := s.Get(old); !errors.Is(err, ErrNotFound) || len(pinned(t, s)) > 0 {
		t.Errorf("%v, pins %v", err, pinned(t, s))
	}
	if rec, err := s.Get(sub.Record.ID); err != nil || rec.State.Over() {
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
	if err := s.Expire(); err != nil || !s.root.has(id, recordFile) {
		t.Errorf("it has just ended: %v", err)
	}
	rec.Ended = begin.Add(-Retain - time.Minute)
	if err := s.root.put(id, recordFile, rec); err != nil {
		t.Fatal(err)
	}
	if err := s.Expire(); err != nil || s.root.has(id, recordFile) {
		t.Errorf("its time is over: %v", err)
	}
}

// A record of a later version, and one that is damaged, is reported and hides no other
// job; other directories are not jobs. A cleanup removes the damaged ones in time.
func TestUnreadableRecords(t *testing.T) {
	s := newStore(t)
	sound := finished(t, s, "true").ID
	name := func(n int) string { return fmt.Sprintf("%026d", n) }
	const later = 0 // the one that a later envwrap has written
	texts := []string{`{"version":2}`, `{"version":`, ``, `null`, `[]`, `{"state":"queued"}`, `{"version":1,"state":"asleep","outcome":{}}`, `{"version":1,"state":"ok"}`}
	for i, text := range texts {
		check(t, s.root.Mkdir(name(i), 0o700), s.root.write(name(i)+"/"+recordFile, []byte(text)))
	}
	n := len(texts)
	check(t,
		s.root.Mkdir(name(n), 0o700), s.root.Mkdir(name(n)+"/"+recordFile, 0o700),
		s.root.Mkdir(name(n+1), 0o700), s.root.Symlink("/etc/hostname", name(n+1)+"/"+recordFile),
		s.root.Symlink("/etc", name(n+2)), s.root.touch(name(n+3)),
	)
	for i := range n + 2 {
		if _, err := s.Get(name(i)); err == nil || errors.Is(err, ErrNotFound) || errors.Is(err, ErrDamaged) == (i == later) {
			t.Errorf("%d: %v", i, err)
		}
	}
	for i := n + 2; i < n+4; i++ {
		if _, err := s.Get(name(i)); !errors.Is(err, ErrNotFound) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if list, err := s.List(-1, BySubmit); len(list.Records) != 1 || list.Records[0].ID != sound || err == nil {
		t.Errorf("%v, %v", list, err)
	}
	for range 2 {
		if _, err := s.Cleanup(Policy{Old: time.Hour}); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("cleanup does not tell of the later one alone: %v", err)
		}
	}
	for i := range n + 2 {
		if _, err := s.root.Lstat(name(i)); (err == nil) != (i == later) {
			t.Errorf("after a cleanup %d is there: %v", i, i != later)
		}
	}
	check(t, s.root.RemoveAll(name(later)))
}

func check(tb testing.TB, errs ...error) {
	tb.Helper()
	if err := errors.Join(errs...); err != nil {
		tb.Fatal(err)
	}
}

// A lost job is reported even if its record cannot be written. A cleanup does not claim
// what it could not do.
func TestLostWhereNothingCanBeWritten(t *testing.T) {
	s := newStore(t)
	id, _ := running(t, s, draft(s, "cat"))
	for _, name := range []string{recordFile, resultFile} { // in the place of what is written
		check(t, os.MkdirAll(filepath.Join(s.root.Name(), id, name+".new", "full"), 0o700))
	}
	s.records.supervisor(id).kill()
	for range 2 {
		if rec := await(t, s, id); rec.State != Lost || rec.Outcome.ExitStatus != statusLost {
			t.Errorf("%+v", rec)
		}
		if res, err := s.Result(id); err != nil || res.ExitStatus != statusLost {
			t.Errorf("%+v, %v", res, err)
		}
	}
	if c, err := s.Cleanup(Policy{Old: time.Hour}); err != nil || !slices.Equal(c.Stuck, []string{id}) || c.Settled != 0 || c.Removed != 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := s.Cleanup(Policy{}); err != nil || c.Settled != 0 || c.Removed != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

// A clock that was set back keeps no job for ever, and makes no time less than
// nothing.
func TestClockSetBack(t *testing.T) {
	s := newStore(t)
	rec := finished(t, s, "true")
	rec.Started, rec.Ended = rec.Ended.Add(48*time.Hour), rec.Ended.Add(47*time.Hour)
	if rec.Elapsed(time.Now()) != 0 {
		t.Errorf("it took %v", rec.Elapsed(time.Now()))
	}
	check(t, s.root.put(rec.ID, recordFile, rec))
	if c, err := s.Cleanup(Policy{}); err != nil || !slices.Equal(c.Old, []string{rec.ID}) || c.Oldest != 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

// Cleanup removes files that belong to no job, but not in a dry run. It removes an old job
// that cannot be read without an error.
func TestCleanupSweeps(t *testing.T) {
	s := newStore(t)
	const same = sameDir + "/0123"
	const damaged = "00000000000000000000000001"
	if err := s.root.Mkdir(sameDir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
	check(t, s.root.write(same, []byte("00000000000000000000000000")), s.root.Mkdir(damaged, 0o700), s.root.write(damaged+"/"+recordFile, []byte("{")))
	if c, err := s.Cleanup(Policy{DryRun: true}); err != nil || !slices.Equal(c.Old, []string{damaged}) || c.Removed != 0 {
		t.Errorf("dry run: %+v, %v", c, err)
	}
	if !s.root.has(sameDir, "0123") || !s.root.has(damaged, recordFile) {
		t.Error("a dry run has removed something")
	}
	s.now = func() time.Time { return time.Unix(0, 0).Add(time.Minute) } // its id is of 1970
	if c, err := s.Cleanup(Policy{Old: time.Hour}); !errors.Is(err, ErrDamaged) || len(c.Old) > 0 || !s.root.has(damaged, recordFile) {
		t.Errorf("before it is old: %+v, %v", c, err)
	}
	if s.root.has(sameDir, "0123") {
		t.Error("what belongs to no job is still there")
	}
	s.now = time.Now
	if c, err := s.Cleanup(Policy{Old: time.Hour}); err != nil || c.Removed != 1 || s.root.has(damaged, ".") {
		t.Errorf("when it is old: %+v, %v", c, err)
	}
}

// A damaged record, and none, is nobody's reason to remove a job that lives.
func TestCleanupLeavesTheLiving(t *testing.T) {
	s := newStore(t)
	id, _ := running(t, s, draft(s, "cat"))
	sound, err := s.root.read(id + "/" + recordFile)
	check(t, err, s.PutShared(id, recordFile, []byte("{")))
	if c, err := s.Cleanup(Policy{}); !errors.Is(err, ErrDamaged) || len(c.Old) > 0 || !s.root.has(id, recordFile) {
		t.Errorf("damaged: %+v, %v", c, err)
	}
	check(t, s.root.Remove(id+"/"+recordFile))
	if c, err := s.Cleanup(Policy{}); err != nil || len(c.Old) > 0 || !s.root.has(id, lockFile) {
		t.Errorf("without a record: %+v, %v", c, err)
	}
	check(t, s.PutShared(id, recordFile, sound))
}

// What a killed submit left goes if nobody has its lock, and not in a dry run. What cannot be
// removed is reported.
func TestCleanupIncomplete(t *testing.T) {
	s := newStore(t)
	check(t, s.root.Mkdir(chosen, 0o700))
	if c, err := s.Cleanup(Policy{DryRun: true}); err != nil || !s.root.isDir(chosen) || len(c.Old) > 0 {
		t.Errorf("a dry run: %+v, %v", c, err)
	}
	check(t, os.MkdirAll(s.Path(chosen)+"/"+lockFile+"/full", 0o700))
	if c, err := s.Cleanup(Policy{}); err == nil || !s.root.isDir(chosen) {
		t.Errorf("a lock that cannot be looked at: %+v, %v", c, err)
	}
	check(t, os.RemoveAll(s.Path(chosen)))
	same := s.Path(sameDir) + "/0"
	check(t, os.MkdirAll(same+"/full", 0o700))
	if _, err := s.Cleanup(Policy{}); err == nil {
		t.Error("a key that cannot be removed")
	}
	check(t, os.RemoveAll(same))
	if _, err := s.Cleanup(Policy{}); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
}

// A job that was removed while others are listed is no fault of the list.
func TestListWithoutRemoved(t *testing.T) {
	s := newStore(t)
	if rec, err := s.currentOrNil(chosen, nil); rec != nil || err != nil {
		t.Errorf("%+v, %v", rec, err)
	}
	check(t, s.root.Mkdir(chosen, 0o700), s.PutShared(chosen, recordFile, []byte("{")))
	if rec, err := s.currentOrNil(chosen, nil); rec != nil || !errors.Is(err, ErrDamaged) {
		t.Errorf("damaged: %+v, %v", rec, err)
	}
}

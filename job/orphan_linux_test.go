package job

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// orphan submits a job whose locks this process holds, too, and kills its supervisor:
// nobody that lives has the locks then, and still they are taken.
func orphan(t *testing.T, s *Store, d *Draft) (id string) {
	t.Helper()
	p, _, err := s.admit(d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	id = p.rec.ID
	if err := d.Launch.spawn(append(supervisorArgs(), d.Launch.Args(id)...), p.lock, p.turn); err != nil {
		t.Fatal(err)
	}
	for !s.records.orphaned(id) { // it has to say which process it is before it can be killed
		s.records.supervisor(id).kill()
		<-time.After(time.Millisecond)
	}
	return id
}

// A lock that outlives its supervisor does not make the job live for ever: not for
// those who wait for it, follow it, cancel it or submit it again.
func TestLockOutlivesSupervisor(t *testing.T) {
	ctx := t.Context()
	for name, end := range map[string]func(s *Store, id string) (*Record, error){
		"wait": func(s *Store, id string) (*Record, error) { return s.Wait(ctx, id) },
		"follow": func(s *Store, id string) (*Record, error) {
			return s.Follow(ctx, id, 0, func(Stream, []byte) error { return nil })
		},
		"cancel": func(s *Store, id string) (*Record, error) { return s.Cancel(ctx, id) },
		"submit": func(s *Store, id string) (*Record, error) {
			if sub := submit(t, s, draftWithIdentity(s, "true", "same")); sub.Existing {
				return nil, errors.New("the dead job was found again")
			}
			return s.Get(id)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			d := draftWithIdentity(s, "cat", "same")
			gate(t, d)
			id := orphan(t, s, d)
			if rec, err := end(s, id); err != nil || rec.State != Lost && rec.State != Canceled {
				t.Errorf("%+v, %v", rec, err)
			}
			if held, err := s.root.held(id + "/" + lockFile); !held || err != nil {
				t.Errorf("the lock is free, so nothing was tried: %v", err)
			}
		})
	}
}

// Neither a dead job in the queue nor one in a slot keeps the others waiting, though
// their locks are held.
func TestLockOutlivesSupervisorInQueue(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	orphan(t, s, draftWithMaxJobs(s, "cat", 1)) // in the only slot
	running, open := submitGated(t, s, draftWithMaxJobs(s, "cat", 1))
	waiting := orphan(t, s, draftWithMaxJobs(s, "true", 1))
	last := submit(t, s, draftWithMaxJobs(s, "true", 1))
	if queue, err := s.Queue(); running.Position != 0 || !slices.Equal(queue, []string{waiting, last.Record.ID}) || err != nil {
		t.Errorf("position %d, queue %v, %v", running.Position, queue, err)
	}
	open()
	if rec := await(t, s, last.Record.ID); rec.State != OK {
		t.Errorf("%+v", rec)
	}
}

// A cleanup records the end of a job whose supervisor is dead, and counts it.
func TestCleanupSettles(t *testing.T) {
	s := newStore(t)
	d := draft(s, "cat")
	gate(t, d)
	id := orphan(t, s, d)
	if c, err := s.Cleanup(Policy{Old: time.Hour}); err != nil || !slices.Equal(c.Stuck, []string{id}) || c.Settled != 1 || c.Removed != 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if rec, err := s.records.load(id); err != nil || rec.State != Lost {
		t.Errorf("%+v, %v", rec, err)
	}
}

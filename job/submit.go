package job

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"github.com/envwrap/envwrap/internal/platform/filelock"
)

// A Draft describes a job to submit.
type Draft struct {
	// ID is a ULID that the caller chose, so that a second Submit of the same job fails
	// with ErrTaken. If it is "" Submit makes one.
	ID string
	// Record has the fields that the caller sets: Command to RequestID, Limits and
	// View, all of them masked. Submit fills in the others.
	Record Record
	// MaxJobs is how many jobs may run at a time, including this one, which waits in
	// the queue for its turn. With 0 it starts at once.
	MaxJobs int
	// Identity, if not nil, decides whether two jobs are the same: if a job with the same
	// Identity is queued or runs, Submit returns that one. It may contain secrets: only
	// a keyed digest of it is stored.
	Identity []string
	// Mark, if not "", is a mark that the store must have, or else Submit fails with
	// ErrNoMark: so the start is bound to one store. See [Store.Mark].
	Mark string
	// Confirm, if not nil, is asked once the job is on disk, right before its supervisor
	// is started. If it returns false there will be no job, and Submit fails.
	Confirm func() bool
	Launch  Launch
}

// A Submission is the result of [Store.Submit].
type Submission struct {
	Record   Record
	Position int  // in the queue, from 1; 0 if it runs or is about to
	Existing bool // a job with the same Identity is queued or runs
}

// Submit adds a job and starts its supervisor. When it returns, the record is on disk,
// so that the job is found whatever is killed then. It does not wait for the command to
// start; a failure to start is the job's outcome. After an error there is no job.
func (s *Store) Submit(d *Draft) (*Submission, error) {
	sub, err := s.submit(d)
	if err != nil {
		return nil, fmt.Errorf("submit a job: %w", err)
	}
	return sub, nil
}

func (s *Store) submit(d *Draft) (*Submission, error) {
	p, existing, err := s.admit(d)
	if err != nil || existing != nil {
		return existing, err
	}
	defer p.close()
	if d.Confirm != nil && !d.Confirm() {
		p.remove()
		return nil, errors.New("its caller took it back")
	}
	if err := d.Launch.spawn(append(supervisorArgs(), d.Launch.Args(p.rec.ID)...), p.lock, p.turn); err != nil {
		p.remove()
		return nil, fmt.Errorf("start its supervisor: %w", err)
	}
	return &Submission{Record: p.rec, Position: p.position}, nil
}

// A reservation is a job with its locks and its record that has no supervisor yet.
type reservation struct {
	s          *Store
	rec        Record
	lock, turn *os.File
	position   int
}

func (p *reservation) close() {
	_ = closeOptional(p.lock)
	_ = closeOptional(p.turn)
}

// admit reserves a job, or finds the job that has its key. It writes the record after it
// has released submitLock, so that concurrent submits do not wait for each other's disk.
// With a key or a chosen id it writes the record under the lock, because the next submit,
// or [Store.Refuse], has to find it.
func (s *Store) admit(d *Draft) (p *reservation, existing *Submission, err error) {
	enters := false // under the lock
	err = s.root.withLock(submitLock, func(last *os.File) error {
		key, err := s.identityDigest(d.Identity)
		if err != nil {
			return err
		}
		enters = key != "" || d.ID != ""
		if existing = s.findDuplicate(key); existing != nil {
			return nil
		}
		if p, err = s.reserve(d, key, last); err != nil || !enters {
			return err
		}
		return p.writeRecord()
	})
	if err == nil && p != nil && !enters {
		err = p.writeRecord()
	}
	switch {
	case err != nil && p != nil:
		p.close()
		p.remove()
	case err != nil && s.taken(d.ID):
		err = fmt.Errorf("job %s %w", d.ID, ErrTaken)
	case err != nil && d.ID != "" && !errors.Is(err, ErrRefused):
		err = cmp.Or(s.checkRefusal(d.ID), err)
	}
	return p, existing, err
}

// taken reports whether there is a job with a chosen id, also if no other job can be
// made.
func (s *Store) taken(id string) bool {
	if !IsID(id) {
		return false
	}
	_, err := s.root.Lstat(id)
	return err == nil
}

// reserve makes the job's directory and its locks. The caller holds submitLock.
func (s *Store) reserve(d *Draft, key string, last *os.File) (*reservation, error) {
	p := &reservation{s: s, rec: d.Record}
	rec := &p.rec
	var err error
	if rec.ID = d.ID; rec.ID == "" {
		rec.ID, err = newID(s.now(), last)
	} else if !IsID(rec.ID) {
		return nil, fmt.Errorf("%q is no ULID", rec.ID)
	}
	if err != nil {
		return nil, err
	}
	rec.Version, rec.State, rec.Submitted = recordVersion, Queued, s.now().UTC()
	rec.MaxJobs, rec.DedupeKey = d.MaxJobs, key
	if rec.handedOver() && !rec.InEngine() { // this process runs it
		rec.State, rec.Started = Running, rec.Submitted
	}
	if d.ID != "" {
		if err := s.checkRefusal(d.ID); err != nil {
			return nil, err
		}
	}
	if err := s.checkMark(d.Mark); err != nil {
		return nil, err
	}
	if err := s.root.Mkdir(rec.ID, 0o700); err != nil {
		return nil, err
	}
	return p, p.acquireLocks()
}

// acquireLocks takes the job's lock, and a slot or an entry in the queue.
func (p *reservation) acquireLocks() (err error) {
	if p.lock, err = p.s.root.openLock(p.rec.ID + "/" + lockFile); err != nil {
		return err
	}
	if got, err := filelock.Exclusive.Try(p.lock); err != nil || !got {
		return errors.Join(errors.New("lock the job"), err)
	}
	if p.rec.handedOver() {
		return nil // it uses another machine
	}
	return p.s.root.withLock(turnLock, func(*os.File) error {
		var queue []string
		if p.rec.MaxJobs > 0 {
			if queue, err = p.s.queue.waiting(); err != nil {
				return err
			}
		}
		if len(queue) == 0 {
			if p.turn, err = p.s.queue.slot(p.rec.ID, p.rec.MaxJobs); p.turn != nil || err != nil {
				return err
			}
		}
		p.position = len(queue) + 1
		p.turn, err = p.s.queue.enqueue(p.rec.ID)
		return err
	})
}

// writeRecord writes the first record atomically and makes it durable.
func (p *reservation) writeRecord() error {
	rec := &p.rec
	if !rec.handedOver() {
		reserve(p.s.root.Dir, rec.ID+"/"+spaceFile)
	}
	if err := p.s.root.put(rec.ID, recordFile, rec); err != nil {
		return err
	}
	if err := p.s.root.Sync("."); err != nil || rec.DedupeKey == "" {
		return err
	}
	return p.s.root.write(sameDir+"/"+rec.DedupeKey, []byte(rec.ID))
}

// remove removes a job that could not be submitted.
func (p *reservation) remove() {
	_ = p.s.root.RemoveAll(p.rec.ID)
	_ = p.s.root.Remove(queueDir + "/" + p.rec.ID)
}

// Begin is Submit and Supervise in one: it adds a job that is handed over to d.Record.Far
// and that this process supervises. The job takes no slot and waits for no turn. The
// supervisor has a store of its own.
func Begin(o Options, d *Draft) (*Supervisor, error) {
	v, _, err := begin(o, d)
	if err != nil {
		return nil, fmt.Errorf("record a job: %w", err)
	}
	return v, nil
}

func begin(o Options, d *Draft) (*Supervisor, *Submission, error) {
	s, err := Open(o)
	if err != nil {
		return nil, nil, err
	}
	d.Record.Far.State, d.Record.Far.At = HandedOver, s.now().UTC()
	p, existing, err := s.admit(d)
	if existing != nil {
		return nil, existing, s.Close()
	}
	if err == nil {
		v := newSupervisor(s, &p.rec, p.lock, nil)
		if err = v.recordProcesses(Process{}); err == nil {
			return v, nil, nil
		}
		v.Forget()
	}
	return nil, nil, errors.Join(err, s.Close())
}

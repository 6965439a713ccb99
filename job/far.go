package job

import (
	"errors"
	"fmt"

	"github.com/envwrap/envwrap/envelope"
)

// A job may run on another machine, the far end: its supervisor calls an envwrap there,
// which makes a job of the command under an id that was chosen here. That id is on disk
// before anything is sent, and what became of the command is known there, whatever
// becomes of the supervisor. So a job that was handed over is never lost with its
// supervisor: [Store.Wait] and [Store.Cancel] return [ErrElsewhere], and the caller, who
// has asked the far end, passes the answer to [Store.Conclude].

// ErrElsewhere means that the job was handed over to a runner and that its supervisor is
// dead: only the far end knows what became of it.
var ErrElsewhere = errors.New("only the runner knows what became of it")

// Begin is Submit and Supervise in one: it adds a job that is handed over to d.Record.Far
// and that this process supervises. The job takes no slot and waits for no turn. The
// supervisor has a store of its own.
func Begin(o Options, d *Draft) (*Supervisor, error) {
	v, err := begin(o, d)
	if err != nil {
		return nil, fmt.Errorf("record a job: %w", err)
	}
	return v, nil
}

func begin(o Options, d *Draft) (*Supervisor, error) {
	s, err := Open(o)
	if err != nil {
		return nil, err
	}
	d.Record.Far.State, d.Record.Far.At = HandedOver, s.now().UTC()
	p, _, err := s.admit(d)
	if err == nil {
		v := newSupervisor(s, &p.rec, p.lock, nil)
		if err = v.announce(Process{}); err == nil {
			return v, nil
		}
		v.Forget()
	}
	return nil, errors.Join(err, s.Close())
}

// HandOver records that the job is about to be sent to the far end. After an error
// nothing may be sent.
func (v *Supervisor) HandOver(far Far) error {
	far.State, far.At = HandedOver, v.s.now().UTC()
	v.rec.Far = &far
	if err := v.run(); err != nil {
		return fmt.Errorf("record that job %q is handed over to runner %q: %w", v.rec.ID, far.Runner, err)
	}
	return nil
}

// Leave releases the locks of a job that was handed over and whose end is not known. The
// record stays as it is.
func (v *Supervisor) Leave() {
	for _, l := range v.live {
		_ = l.f.Close()
	}
	_ = closed(v.turn)
	_ = closed(v.lock)
}

// Forget removes the job of [Begin], whose end its caller knows.
func (v *Supervisor) Forget() {
	v.Leave()
	_ = v.s.root.RemoveAll(v.rec.ID)
}

// Elsewhere reports whether only the far end knows what became of a job.
func (s *Store) Elsewhere(rec *Record) bool {
	if rec.State.Over() || !rec.handedOver() {
		return false
	}
	alive, err := s.records.alive(rec.ID)
	return !alive && err == nil
}

// Conclude records how a job ended for which [Store.Elsewhere] is true, as
// [Supervisor.Finish] does, and returns its record. One that is over is not changed.
func (s *Store) Conclude(id string, res *envelope.Result) (rec *Record, err error) {
	err = s.root.underJob(id, func() error {
		if rec, err = s.records.load(id); err != nil || !s.Elsewhere(rec) {
			return err
		}
		rec.end(res, s.now().UTC())
		s.outputs.pin(rec)
		if _, err = s.records.conclude(rec, res); err == nil {
			s.ended.note(rec)
			s.root.drop(id, spaceFile, stdoutFile, stderrFile)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("record how job %q ended: %w", id, err)
	}
	return rec, nil
}

package job

import (
	"fmt"

	"github.com/envwrap/envwrap/envelope"
)

// A job may run on another machine, the far end: its supervisor calls an envwrap there,
// which makes a job of the command under an id that was chosen here. That id is on disk
// before anything is sent, and what became of the command is known there, whatever
// becomes of the supervisor. So a job that was handed over is never lost with its
// supervisor: [Store.Wait] and [Store.Cancel] return [ErrElsewhere], and the caller, who
// has asked the far end, passes the answer to [Store.Conclude].

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
	err = s.root.withJobLock(id, func() error {
		if rec, err = s.records.load(id); err != nil || !s.Elsewhere(rec) {
			return err
		}
		if rec.InEngine() {
			s.keepShared(rec, res)
		}
		rec.end(res, s.now().UTC())
		s.outputs.pin(rec)
		if _, err = s.records.conclude(rec, res); err == nil {
			s.ended.add(rec)
			s.root.removeFiles(id, spaceFile, stdoutFile, stderrFile, scriptFile, rawOutFile, rawErrFile)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("record how job %q ended: %w", id, err)
	}
	return rec, nil
}

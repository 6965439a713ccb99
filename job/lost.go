package job

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
)

// current returns a job's record. It records the end of a job whose supervisor is dead.
func (s *Store) current(id string) (*Record, error) {
	rec, err := s.records.load(id)
	if err != nil || rec.State.Over() {
		return rec, err
	}
	alive, err := s.records.alive(id)
	if err != nil {
		return nil, fmt.Errorf("look whether job %q is alive: %w", id, err)
	}
	if alive {
		return rec, nil
	}
	return s.concludeLost(id)
}

// concludeLost records the end of a job whose supervisor is dead: that it is lost, or was
// canceled. It kills the processes that outlived the supervisor, and then stores the
// job's output. If several processes try, one does it and the others wait. The returned
// record says how the job ended even if it cannot be written.
func (s *Store) concludeLost(id string) (*Record, error) {
	var rec *Record
	err := s.root.withJobLock(id, func() error {
		var err error
		if rec, err = s.records.load(id); err != nil || rec.State.Over() || s.isRemembered(rec) {
			return err
		}
		s.writeLost(rec)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNotFound // it was removed meanwhile
	}
	if err != nil {
		if now, loadErr := s.records.load(id); loadErr == nil && now.State.Over() {
			return now, nil // another is still at its output
		}
		return nil, fmt.Errorf("settle job %q, whose supervisor is dead: %w", id, err)
	}
	return rec, nil
}

// isRemembered reports whether the far end of a job may still have its record.
func (s *Store) isRemembered(rec *Record) bool {
	return rec.handedOver() && s.now().Sub(rec.Submitted) < Retain
}

// recordFirst is how many bytes of output may be moved into the store before the end of a
// lost job is recorded. With more it is recorded before and after.
const recordFirst = 16 << 20

// writeLost kills the remaining processes of a dead job, stores its output and writes its
// last record, if it can: rec says how the job ended in any case.
func (s *Store) writeLost(rec *Record) {
	killTree(rec.Child, environmentMark(rec.ID))
	canceled := s.root.has(rec.ID, cancelFile)
	var membersErr error
	if rec.Array != nil && !rec.handedOver() {
		membersErr = s.keepMembers(rec, canceled)
	}
	rec.Ended = s.now().UTC()
	res := rec.lostResult(canceled)
	if membersErr != nil {
		res.Warnings = append(res.Warnings, fmt.Sprintf("what its members had printed stays in %q: %v", s.Path(rec.ID)+"/"+membersDir, membersErr))
	}
	stdout, stderr := s.root.size(rec.ID+"/"+stdoutFile), s.root.size(rec.ID+"/"+stderrFile)
	if stdout+stderr > recordFirst {
		if _, err := s.records.conclude(rec, res); err != nil {
			return
		}
	}
	s.keepFiles(rec, res, rec.View.Parse)
	for _, stream := range []*envelope.Stream{&res.Stdout, &res.Stderr} {
		stream.Truncated = stream.Bytes > 0
	}
	rec.Outcome.Stdout, rec.Outcome.Stderr = output(&res.Stdout), output(&res.Stderr)
	s.outputs.pin(rec)
	whole, _ := s.records.conclude(rec, res)
	if whole && rec.Outcome.Stdout.Bytes >= stdout && rec.Outcome.Stderr.Bytes >= stderr {
		s.root.removeFiles(rec.ID, stdoutFile, stderrFile)
	}
	if s.root.removeFiles(rec.ID, spaceFile); membersErr == nil && rec.Array != nil {
		s.removeMembers(rec.ID)
	}
	_ = s.root.Remove(queueDir + "/" + rec.ID)
}

// environmentMark returns the beginning of the variable that marks a job's processes: the
// command is started with ENVWRAP_CTX=<id>:<pid of its supervisor>.
func environmentMark(id string) string { return "ENVWRAP_CTX=" + id + ":" }

// keepFiles makes artifacts of the output in a job's files and parses stdout as parse says.
// What it fails to move stays in the files, where readers find it, and is truncated in res.
func (s *Store) keepFiles(rec *Record, res *envelope.Result, parse envelope.Parse) {
	a, err := artifact.Open(artifact.Options{Dir: s.dir, Now: s.now, Run: rec.ID, NoMaintenance: true})
	if err == nil {
		defer a.Close()
	}
	for _, of := range []struct {
		file   string
		stream *envelope.Stream
		parse  envelope.Parse
	}{{stdoutFile, &res.Stdout, parse}, {stderrFile, &res.Stderr, envelope.ParseText}} {
		if err == nil {
			if stream, err := s.root.store(a, rec, of.file, of.parse); err == nil {
				*of.stream = stream
				continue
			}
		}
		if left, _ := s.measure(rec.ID + "/" + of.file); left.Bytes > 0 {
			*of.stream = envelope.Stream{Bytes: left.Bytes, Lines: left.Lines, Truncated: true}
		}
	}
}

// store makes an artifact of a stream's file; the zero Stream where it is empty.
func (root directory) store(a *artifact.Store, rec *Record, file string, parse envelope.Parse) (envelope.Stream, error) {
	f, err := root.OpenFile(rec.ID+"/"+file, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return envelope.Stream{}, nil
	}
	if err != nil {
		return envelope.Stream{}, err
	}
	defer f.Close()
	p, err := a.Create()
	if err != nil {
		return envelope.Stream{}, err
	}
	defer p.Discard()
	sum := envelope.Summarizer{Parse: parse}
	var printed io.Reader = f
	if most := rec.Limits.MaxArtifact; most > 0 { // no more was ever written by us
		printed = io.LimitReader(f, most)
	}
	n, err := io.Copy(io.MultiWriter(&sum, p), printed)
	if err != nil || n == 0 {
		return envelope.Stream{}, err
	}
	digest, err := p.Commit(artifact.Info{Kind: sum.Summary().Kind, Command: rec.Command, Stream: file})
	if err != nil {
		return envelope.Stream{}, err
	}
	return spilled(&sum, digest, rec), nil
}

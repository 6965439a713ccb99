package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/platform/filelock"
)

// records reads and writes the records of jobs, and watches their supervisors.
type records struct{ root directory }

// load reads a job's record and changes nothing.
func (rs *records) load(id string) (*Record, error) {
	data, err := rs.root.read(id + "/" + recordFile)
	if errors.Is(err, fs.ErrNotExist) || err != nil && !rs.root.isDir(id) {
		return nil, fmt.Errorf("job %q: %w", id, ErrNotFound)
	}
	rec := &Record{}
	if err == nil {
		err = rec.decode(data)
	}
	if err != nil {
		return nil, fmt.Errorf("read the record of job %q: %w", id, err)
	}
	rec.ID = id
	if rec.State.Over() {
		return rec, nil // its processes are gone
	}
	p := rs.loadProcesses(id)
	rec.Supervisor, rec.Child = p.Supervisor, p.Child
	rs.shared(rec)
	return rec, nil
}

// loadProcesses reads which processes a job has: none if its file is missing, or was left
// empty by a power cut.
func (rs *records) loadProcesses(id string) (p processes) {
	data, _ := rs.root.read(id + "/" + processFile)
	_ = json.Unmarshal(data, &p)
	return p
}

// alive reports whether a job has a supervisor: one that holds the job's lock and is not
// known to have ended.
func (rs *records) alive(id string) (bool, error) {
	held, err := rs.root.held(id + "/" + lockFile)
	return held && !rs.orphaned(id), err
}

// orphaned reports whether a job's supervisor is known to have ended. Its locks are then
// free, unless another process has inherited their descriptors.
func (rs *records) orphaned(id string) bool {
	return rs.loadProcesses(id).Supervisor.dead()
}

// released returns a channel that gets one value when the lock of a file that a job's
// supervisor holds is free, or the supervisor is dead; none if done is closed first. A
// thread of this process stays blocked until the lock is free.
func (rs *records) released(name, id string, done <-chan struct{}) <-chan error {
	end := make(chan error, 1)
	f, err := rs.root.openShared(name)
	if err != nil {
		end <- err
		return end
	}
	free := make(chan error, 1)
	go func() {
		defer f.Close()
		free <- filelock.Shared.Await(f)
	}()
	go func() {
		look := time.NewTicker(supervisorPoll)
		defer look.Stop()
		for {
			select {
			case err := <-free:
				end <- err
				return
			case <-done:
				return
			case <-look.C:
				if rs.orphaned(id) {
					end <- nil
					return
				}
			}
		}
	}()
	return end
}

// over returns a channel that gets one value when the job has lost its supervisor, and
// none if ctx is done first.
func (rs *records) over(ctx context.Context, id string) <-chan error {
	return rs.released(id+"/"+lockFile, id, ctx.Done())
}

// supervisor returns the job's supervisor as last recorded, or the zero Process.
func (rs *records) supervisor(id string) Process {
	rec, err := rs.load(id)
	if err != nil {
		return Process{}
	}
	return rec.Supervisor
}

// conclude writes the result and the last record of a job. On a full disk it makes room
// for the record: it removes the reserved space and what a far side has left, which the result
// replaces, then the result, then the output, unless that has the ends of a group's members. It
// reports whether result and artifacts contain the whole output, so that the output's own files
// may be removed.
func (rs *records) conclude(rec *Record, res *envelope.Result) (whole bool, err error) {
	resErr := rs.root.put(rec.ID, resultFile, res)
	whole = resErr == nil && keepsAll(res)
	if resErr != nil {
		rs.root.removeFiles(rec.ID, spaceFile)
		rs.removeRaw(rec.ID, resErr)
		_ = rs.root.put(rec.ID, resultFile, withoutEnds(res)) // else the record has the outcome
	}
	err = rs.root.put(rec.ID, recordFile, rec)
	if err != nil && rs.removeRaw(rec.ID, err) {
		err = rs.root.put(rec.ID, recordFile, rec)
	}
	for _, name := range []string{spaceFile, resultFile, stderrFile, stdoutFile} {
		if err == nil {
			return whole, nil
		}
		if name == stdoutFile && rec.Array != nil {
			break
		}
		rs.root.removeFiles(rec.ID, name)
		whole, err = false, rs.root.put(rec.ID, recordFile, rec)
	}
	return false, err
}

// removeRaw removes what a far side has left of a job's output, if a full disk is why its end
// could not be recorded. Else the output may be read again.
func (rs *records) removeRaw(id string, fault error) bool {
	full := errors.Is(fault, syscall.ENOSPC) || errors.Is(fault, syscall.EDQUOT)
	if full {
		rs.root.removeFiles(id, rawOutFile, rawErrFile)
	}
	return full
}

// withoutEnds returns a copy of a result without Head and Tail of its streams, which only
// some dialects show.
func withoutEnds(res *envelope.Result) *envelope.Result {
	less := *res
	less.Stdout.Head, less.Stdout.Tail, less.Stderr.Head, less.Stderr.Tail = nil, nil, nil, nil
	return &less
}

// keepsAll reports whether a result and the artifacts that it names contain the whole
// output.
func keepsAll(res *envelope.Result) bool {
	if res.Exec != nil {
		res = res.Exec
	}
	for _, stream := range []*envelope.Stream{&res.Stdout, &res.Stderr} {
		if stream.Truncated && stream.Artifact == "" {
			return false
		}
	}
	return true
}

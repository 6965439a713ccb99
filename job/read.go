package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope"
)

// Get returns a job's current record.
func (s *Store) Get(id string) (*Record, error) {
	id, err := s.Resolve(id)
	if err != nil {
		return nil, err
	}
	return s.current(id)
}

// Served returns the last jobs, at most most, that have left the queue, in the order of
// their submit. It skips records that cannot be read.
func (s *Store) Served(most int) ([]*Record, error) {
	ids, err := s.root.ids()
	if err != nil {
		return nil, fmt.Errorf("list the jobs: %w", err)
	}
	queue, err := s.Queue()
	if err != nil {
		return nil, err
	}
	if len(queue) > 0 {
		i, _ := slices.BinarySearch(ids, queue[0])
		ids = ids[:i]
	}
	var list []*Record
	for _, id := range ids[max(0, len(ids)-most):] {
		if rec, err := s.records.load(id); err == nil {
			list = append(list, rec)
		}
	}
	return list, nil
}

// Result returns the neutral record of the run of a job that is over, with its JobID.
// Its output is in the artifact store, whatever its size; see [Store.Inline]. The error
// wraps ErrRunning if the job is not over.
func (s *Store) Result(id string) (*envelope.Result, error) {
	rec, err := s.Get(id)
	if err != nil {
		return nil, err
	}
	if !rec.State.Over() {
		return nil, fmt.Errorf("job %q: %w", rec.ID, ErrRunning)
	}
	return s.resultOf(rec)
}

// resultOf reads the result of a job that has ended. If the result is missing or damaged,
// it is made of the record and of the output in the store.
func (s *Store) resultOf(rec *Record) (*envelope.Result, error) {
	res := &envelope.Result{}
	data, err := s.root.read(rec.ID + "/" + resultFile)
	if err == nil {
		err = json.Unmarshal(data, res)
	}
	if err == nil && res.Command == "" {
		err = ErrDamaged
	}
	if err != nil {
		res = rec.asResult()
		s.outputs.restore(rec, res)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		res.Warnings = append(res.Warnings, "the result of the job cannot be read; this is what its record says")
	}
	res.JobID = rec.ID
	if res.Exec == nil {
		s.addFileOutput(rec, res)
	}
	return res, nil
}

// addFileOutput adds output to a result that is in the job's files and in no store: all
// of a short stream, both ends of a long one.
func (s *Store) addFileOutput(rec *Record, res *envelope.Result) {
	for _, of := range []struct {
		file   string
		stream *envelope.Stream
	}{{stdoutFile, &res.Stdout}, {stderrFile, &res.Stderr}} {
		if of.stream.Artifact != "" || of.stream.Text != "" || of.stream.Binary != nil {
			continue
		}
		f, err := s.root.OpenFile(rec.ID+"/"+of.file, os.O_RDONLY, 0)
		if err != nil {
			continue
		}
		sum := envelope.Summarizer{Parse: envelope.ParseText}
		n, err := io.Copy(&sum, f)
		_ = f.Close()
		if err != nil || n == 0 {
			continue
		}
		head, tail, omitted, _ := sum.Ends(int(max(rec.View.InlineLimit, 1)))
		*of.stream = sum.Stream()
		of.stream.Text, of.stream.Truncated = head+tail, true
		if omitted > 0 {
			of.stream.Text = fmt.Sprintf("%s\n... [%d bytes: envwrap job tail %s] ...\n%s", strings.TrimSuffix(head, "\n"), omitted, rec.ID, tail)
		}
	}
}

// Queue returns the ids of the queued jobs, the next one first.
func (s *Store) Queue() ([]string, error) {
	queue, err := s.queue.waiting()
	if err != nil {
		return nil, fmt.Errorf("look at the queue of jobs: %w", err)
	}
	return queue, nil
}

// Wait returns a job's record when the job is over. If ctx is done first, it returns
// the current record and an error that wraps ErrRunning; where the job's supervisor is
// dead and only its runner knows the end, one that wraps ErrElsewhere.
//
// Wait blocks on the lock that the job's supervisor holds, which the kernel releases as
// soon as that ends, and checks at intervals whether the supervisor lives. If ctx is
// done first, a thread of this process stays blocked until the job is over.
func (s *Store) Wait(ctx context.Context, id string) (*Record, error) {
	id, err := s.Resolve(id)
	if err != nil {
		return nil, err
	}
	rec, err := s.current(id)
	if err != nil || rec.State.Over() {
		return rec, err
	}
	select {
	case err = <-s.records.over(ctx, id):
	case <-ctx.Done():
	}
	if err != nil {
		return nil, fmt.Errorf("wait for job %q: %w", id, err)
	}
	rec, err = s.current(id)
	if err == nil && s.Elsewhere(rec) {
		return rec, fmt.Errorf("job %q: %w", id, ErrElsewhere)
	}
	if err == nil && !rec.State.Over() {
		err = fmt.Errorf("job %q: %w", id, ErrRunning)
	}
	return rec, err
}

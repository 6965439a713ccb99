package job

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/oklog/ulid/v2"
)

// endedFile lists jobs that are over, so that a list of the last ones does not have
// to read the record of each job. A line has an id, a space, and when the job
// ended, in Unix milliseconds. The file is advisory: a line that is damaged or
// missing costs a look at the record, and is then added again. One for a job that
// was removed does no harm.
const endedFile = ".ended"

// endedMost bounds what is read of the file, in bytes: a million lines.
const endedMost = 64 << 20

// endedLine is how many bytes a line has: milliseconds have 13 digits until 2286.
const endedLine = ulid.EncodedSize + 1 + 13 + 1

// ended returns when each of some jobs, in the order of their ids, has ended, in Unix
// milliseconds; 0 where endedFile does not say.
func (s *Store) ended(ids []string) []int64 {
	ended := make([]int64, len(ids))
	data, err := s.root.ReadFile(endedFile, endedMost)
	if err != nil {
		return ended
	}
	next := 0 // most jobs end in the order of their submit
	for line := range bytes.Lines(data) {
		id, at, _ := bytes.Cut(line, []byte{' '})
		at, whole := bytes.CutSuffix(at, []byte{'\n'})
		ms, err := strconv.ParseInt(string(at), 10, 64)
		if !whole || err != nil {
			continue
		}
		i := next
		if known := i < len(ids) && ids[i] == string(id); !known {
			if i, known = slices.BinarySearch(ids, string(id)); !known {
				continue
			}
		}
		ended[i], next = ms, i+1
	}
	return ended
}

// noteEnded adds jobs to endedFile. A failure is repaired by whoever lists the jobs.
func (s *Store) noteEnded(recs ...*Record) {
	if f, err := s.openEnded(); err == nil {
		writeEnded(f, recs...)
		_ = f.Close()
	}
}

func (s *Store) openEnded() (*os.File, error) {
	return s.root.OpenFile(endedFile, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
}

// writeEnded adds jobs to endedFile, which is open as f.
func writeEnded(f *os.File, recs ...*Record) {
	var lines []byte
	for _, rec := range recs {
		lines = fmt.Appendf(lines, "%s %d\n", rec.ID, rec.Ended.UnixMilli())
	}
	_, _ = f.Write(lines)
}

// trimEnded removes jobs that are gone from endedFile, if they may be more than half
// of it.
func (s *Store) trimEnded(ids []string) error {
	if s.sizeIn(endedFile) < int64(2*endedLine*(len(ids)+100)) {
		return nil
	}
	return s.under(turnLock, func(*os.File) error {
		var lines []byte
		for i, at := range s.ended(ids) {
			if at != 0 {
				lines = fmt.Appendf(lines, "%s %d\n", ids[i], at)
			}
		}
		return s.root.WriteFile(endedFile, endedFile+".new", lines, false)
	})
}

// A Listing is some of the jobs.
type Listing struct {
	Records []*Record // in the order of their submit
	Omitted int       // jobs that are over and not in Records
	First   time.Time // when the first of all jobs was submitted; zero if there is none
}

// An Order says which jobs are the last ones.
type Order int

const (
	BySubmit Order = iota
	ByEnd
)

// List returns the records of the jobs that are not over, and of the last n that
// are, in an order; n less than 0 is all. What cannot be read is left out, and named
// in the error, which comes beside the others.
func (s *Store) List(n int, by Order) (*Listing, error) {
	names, err := s.root.Names(".")
	if err != nil {
		return &Listing{}, fmt.Errorf("list the jobs: %w", err)
	}
	ids := slices.DeleteFunc(names, func(name string) bool { return !isID(name) })
	slices.Sort(ids)
	l := &Listing{}
	if len(ids) > 0 {
		l.First = submitted(ids[0])
	}
	recs := make([]*Record, len(ids))
	var over []int // the jobs that are over, as indices
	var late []*Record
	ended := s.ended(ids)
	for i, id := range ids {
		if ended[i] == 0 {
			recs[i], err = s.lookAt(id, err)
			if recs[i] == nil || !recs[i].State.Over() {
				continue
			}
			late = append(late, recs[i])
			ended[i] = recs[i].Ended.UnixMilli()
		}
		over = append(over, i)
	}
	if len(late) > 0 {
		s.noteEnded(late...)
	}
	if by == ByEnd {
		slices.SortStableFunc(over, func(i, j int) int { return cmp.Compare(ended[i], ended[j]) })
	}
	if n >= 0 && n < len(over) {
		l.Omitted = len(over) - n
		for _, i := range over[:l.Omitted] {
			recs[i] = nil
		}
		over = over[l.Omitted:]
	}
	for _, i := range over {
		if recs[i] == nil {
			recs[i], err = s.lookAt(ids[i], err)
		}
	}
	l.Records = slices.DeleteFunc(recs, func(rec *Record) bool { return rec == nil })
	return l, err
}

// lookAt returns the record of a job, nil if there is none, and adds what goes wrong
// to the errors so far.
func (s *Store) lookAt(id string, err error) (*Record, error) {
	rec, lookErr := s.look(id)
	if lookErr != nil && !errors.Is(lookErr, ErrNotFound) { // removed, or not yet written
		err = errors.Join(err, lookErr)
	}
	if lookErr != nil {
		rec = nil
	}
	return rec, err
}

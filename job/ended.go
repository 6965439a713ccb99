package job

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
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

// An endedList is that file.
type endedList struct{ root directory }

// read returns what endedFile says: when jobs have ended, in Unix milliseconds.
func (e *endedList) read() map[[ulid.EncodedSize]byte]int64 {
	data, err := e.root.ReadFile(endedFile, endedMost)
	if err != nil {
		return nil
	}
	ended := make(map[[ulid.EncodedSize]byte]int64, len(data)/endedLine)
	for line := range bytes.Lines(data) {
		if id, ms := parseEnded(line); ms > 0 {
			ended[[ulid.EncodedSize]byte(id)] = ms
		}
	}
	return ended
}

// parseEnded reads a line of endedFile; the time is 0 where it is damaged. It is called
// for each job of a list: strconv would be a tenth of the time of the list.
func parseEnded(line []byte) (id []byte, ms int64) {
	id, at, _ := bytes.Cut(line, []byte{' '})
	at, whole := bytes.CutSuffix(at, []byte{'\n'})
	if !whole || len(id) != ulid.EncodedSize || len(at) > 18 {
		return nil, 0
	}
	for _, c := range at {
		if c < '0' || c > '9' {
			return nil, 0
		}
		ms = ms*10 + int64(c-'0')
	}
	return id, ms
}

// idKey returns an id as the map of ended has it.
func idKey(id string) (key [ulid.EncodedSize]byte) {
	copy(key[:], id)
	return key
}

// note adds jobs to endedFile. A failure is repaired by whoever lists the jobs.
func (e *endedList) note(recs ...*Record) {
	if f, err := e.open(); err == nil {
		writeEnded(f, recs...)
		_ = f.Close()
	}
}

func (e *endedList) open() (*os.File, error) {
	return e.root.OpenFile(endedFile, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
}

// writeEnded adds jobs to endedFile, which is open as f.
func writeEnded(f *os.File, recs ...*Record) {
	var lines []byte
	for _, rec := range recs {
		lines = fmt.Appendf(lines, "%s %d\n", rec.ID, rec.Ended.UnixMilli())
	}
	_, _ = f.Write(lines)
}

// trim removes jobs that are gone from endedFile, if they may be more than half
// of it.
func (e *endedList) trim(ids []string) error {
	if e.root.size(endedFile) < int64(2*endedLine*(len(ids)+100)) {
		return nil
	}
	return e.root.under(turnLock, func(*os.File) error {
		var lines []byte
		ended := e.read()
		for _, id := range ids {
			if at := ended[idKey(id)]; at != 0 {
				lines = fmt.Appendf(lines, "%s %d\n", id, at)
			}
		}
		return e.root.WriteFile(endedFile, endedFile+".new", lines, false)
	})
}

// A Listing is a list of jobs, which may be incomplete.
type Listing struct {
	Records []*Record // in the order of their submit
	Omitted int       // jobs that are over and not in Records
	First   time.Time // when the first of all jobs was submitted; zero if there is none
}

// An Order chooses how List decides which jobs are the last ones.
type Order int

const (
	BySubmit Order = iota // those submitted last
	ByEnd                 // those that ended last
)

// An ending is a job that is over.
type ending struct {
	id  string
	at  int64   // Unix milliseconds
	rec *Record // nil where it was not read
}

func (by Order) compare(a, b ending) int {
	if c := cmp.Compare(a.at, b.at); by == ByEnd && c != 0 {
		return c
	}
	return cmp.Compare(a.id, b.id)
}

// lastEnded collects the last n endings, or all if n is negative. The list is sorted and
// cut to n when it has 2n+100; from then on endings before its first one are skipped. So
// few of many jobs are sorted.
type lastEnded struct {
	n    int
	by   Order
	list []ending
	cut  bool // list was cut: at least n endings are not before its first one
}

func (l *lastEnded) add(e ending) {
	if l.n == 0 || l.cut && l.by.compare(e, l.list[0]) < 0 {
		return
	}
	l.list = append(l.list, e)
	if l.n > 0 && len(l.list) >= 2*l.n+100 {
		l.trim()
	}
}

// trim sorts the list and leaves the last n.
func (l *lastEnded) trim() {
	slices.SortFunc(l.list, l.by.compare)
	if l.n >= 0 && len(l.list) > l.n {
		l.list = slices.Delete(l.list, 0, len(l.list)-l.n)
		l.cut = true
	}
}

// List returns the records of the jobs that are not over, and of the last n that are,
// or of all if n is negative. A record that cannot be read is left out and named in the
// error, which is returned together with the other records.
func (s *Store) List(n int, by Order) (*Listing, error) {
	names, err := s.names.all()
	if err != nil {
		return &Listing{}, fmt.Errorf("list the jobs: %w", err)
	}
	var first string
	var unknown []string // whether they are over
	last := lastEnded{n: n, by: by}
	over := 0
	ended := s.ended.read()
	for _, id := range names {
		if !IsID(id) {
			continue
		}
		if first == "" || id < first {
			first = id
		}
		if at := ended[idKey(id)]; at != 0 {
			last.add(ending{id: id, at: at})
			over++
		} else {
			unknown = append(unknown, id)
		}
	}
	l := &Listing{}
	if first != "" {
		l.First = submitted(first)
	}
	var late []*Record
	slices.Sort(unknown)
	for _, id := range unknown {
		var rec *Record
		rec, err = s.lookAt(id, err)
		switch {
		case rec == nil:
		case rec.State.Over():
			late = append(late, rec)
			last.add(ending{id, rec.Ended.UnixMilli(), rec})
			over++
		default:
			l.Records = append(l.Records, rec)
		}
	}
	if len(late) > 0 {
		s.ended.note(late...)
	}
	last.trim()
	l.Omitted = over - len(last.list)
	for _, e := range last.list {
		if e.rec == nil {
			e.rec, err = s.lookAt(e.id, err)
		}
		if e.rec != nil {
			l.Records = append(l.Records, e.rec)
		}
	}
	slices.SortFunc(l.Records, func(a, b *Record) int { return cmp.Compare(a.ID, b.ID) })
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

package job

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A Listing is a list of jobs, which may be incomplete.
type Listing struct {
	Records []*Record // in the order of their submit
	Omitted int       // jobs that are over and not in Records
	First   time.Time // when the first of all jobs was submitted; zero without jobs
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
		rec, err = s.currentOrNil(id, err)
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
		s.ended.add(late...)
	}
	last.trim()
	l.Omitted = over - len(last.list)
	for _, e := range last.list {
		if e.rec == nil {
			e.rec, err = s.currentOrNil(e.id, err)
		}
		if e.rec != nil {
			l.Records = append(l.Records, e.rec)
		}
	}
	slices.SortFunc(l.Records, func(a, b *Record) int { return cmp.Compare(a.ID, b.ID) })
	return l, err
}

// currentOrNil returns the record of a job, or nil, and joins a failure to read it to
// err. A job that was removed meanwhile is no failure.
func (s *Store) currentOrNil(id string, err error) (*Record, error) {
	rec, lookErr := s.current(id)
	if lookErr != nil && !errors.Is(lookErr, ErrNotFound) { // removed, or not yet written
		err = errors.Join(err, lookErr)
	}
	if lookErr != nil {
		rec = nil
	}
	return rec, err
}

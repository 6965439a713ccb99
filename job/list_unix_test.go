//go:build unix

package job

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/envwrap/envwrap/envelope"
)

// testID returns an id of a time.
func testID(at time.Time, n int) string {
	id := ulid.ULID{14: byte(n >> 8), 15: byte(n)}
	if err := id.SetTime(ulid.Timestamp(at)); err != nil {
		panic(err)
	}
	return id.String()
}

// TestList lists the jobs that are not over and the last ones that are, whatever
// endedFile says.
func TestList(t *testing.T) {
	s := newStore(t)
	now := time.UnixMilli(time.Now().UnixMilli()).UTC()
	const count = 6
	ids := make([]string, count)
	for i := range ids {
		ids[i] = testID(now.Add(time.Duration(i-100)*time.Minute), i)
		rec := Record{Version: recordVersion, ID: ids[i], State: OK, Argv: []string{"true"}, Ended: now.Add(-time.Minute), Outcome: &Outcome{Kind: envelope.Success}}
		if i == 2 {
			rec.Ended = now // the last one to end
		}
		check(t, s.root.Mkdir(ids[i], 0o700), s.root.put(ids[i], recordFile, &rec))
	}
	sub, open := submitGated(t, s, draft(s, "read x"))
	running := sub.Record.ID
	list := func(n int, by Order) string {
		t.Helper()
		l, err := s.List(n, by)
		check(t, err)
		if l.First.UnixMilli() != submitted(ids[0]).UnixMilli() || l.Omitted != max(0, count+1-len(l.Records)) {
			t.Errorf("first %v, %d omitted beside %d", l.First, l.Omitted, len(l.Records))
		}
		var b strings.Builder
		for _, rec := range l.Records {
			b.WriteByte("012345r"[slices.Index(append(slices.Clone(ids), running), rec.ID)])
		}
		return b.String()
	}
	for _, damage := range []func() error{
		func() error { return nil },
		func() error { return s.root.Remove(endedFile) },
		func() error { return s.root.write(endedFile, []byte(ids[0]+" 17")) }, // cut, so the next line is lost too
		func() error {
			return s.root.write(endedFile, []byte("\x00\x00\n"+ids[1]+" x\n"+testID(now, 99)+" 1\n"))
		},
		func() error {
			state, err := s.root.State(".")
			names, namesErr := s.root.Names(".")
			s.names.keep(state, names, true)
			return errors.Join(err, namesErr)
		},
	} {
		check(t, damage())
		for range 2 {
			for _, c := range []struct {
				n    int
				by   Order
				want string
			}{{-1, BySubmit, "012345r"}, {2, BySubmit, "45r"}, {2, ByEnd, "25r"}, {0, BySubmit, "r"}, {9, ByEnd, "012345r"}} {
				if got := list(c.n, c.by); got != c.want {
					t.Errorf("%d by %v: %s, want %s", c.n, c.by, got, c.want)
				}
			}
		}
	}
	for _, id := range ids {
		if s.ended.read()[idKey(id)] == 0 {
			t.Errorf("no line was added for %s", id)
		}
	}
	open()
	await(t, s, running)
	check(t, <-s.records.over(t.Context(), running)) // the line comes after the record, and then the lock is given back
	if s.ended.read()[idKey(running)] == 0 {
		t.Error("the supervisor added no line")
	}
}

// TestTrimEnded removes lines of jobs that are gone when they are many.
func TestTrimEnded(t *testing.T) {
	s := newStore(t)
	var recs []*Record
	for i := range 400 {
		recs = append(recs, &Record{ID: testID(time.UnixMilli(1e12), i), Ended: time.UnixMilli(1e12)})
	}
	known := func() int { return len(s.ended.read()) }
	s.ended.add(recs...)
	check(t, s.root.Mkdir(recs[7].ID, 0o700))
	_, err := s.Cleanup(Policy{Old: time.Hour, DryRun: true})
	check(t, err)
	if n := known(); n != len(recs) {
		t.Errorf("a dry run left %d", n)
	}
	check(t, s.Expire())
	if n := known(); n > 1 {
		t.Errorf("%d lines are left", n)
	}
}

// A job whose end could not be recorded is in no list of those that are over: its
// record is still read.
func TestUnrecordedEndIsNotListed(t *testing.T) {
	s := newStore(t)
	id, open := running(t, s, draft(s, "cat"))
	check(t, os.MkdirAll(filepath.Join(s.root.Name(), id, recordFile+".new", "full"), 0o700))
	open()
	if rec := await(t, s, id); rec.State != Lost {
		t.Errorf("%+v", rec)
	}
	if at := s.ended.read()[idKey(id)]; at != 0 {
		t.Errorf("the list says that it ended at %d", at)
	}
}

// TestLastEnded takes many endings in no order, of which some are of one time.
func TestLastEnded(t *testing.T) {
	const count = 1009
	var all []ending
	for i := range count {
		k := i * 500 % count // each number once
		all = append(all, ending{id: testID(time.UnixMilli(1e12), k), at: int64(k * 7 % 50)})
	}
	for _, by := range []Order{BySubmit, ByEnd} {
		sorted := slices.Clone(all)
		slices.SortFunc(sorted, func(a, b ending) int {
			if by == ByEnd && a.at != b.at {
				return int(a.at - b.at)
			}
			return strings.Compare(a.id, b.id)
		})
		for _, n := range []int{-1, 0, 1, 20, 500, count, 2 * count} {
			l := lastEnded{n: n, by: by}
			for _, e := range all {
				l.add(e)
				if n >= 0 && len(l.list) > 2*n+100 {
					t.Fatalf("%d are kept for the last %d", len(l.list), n)
				}
			}
			l.trim()
			want := sorted
			if n >= 0 && n < count {
				want = sorted[count-n:]
			}
			if !slices.Equal(l.list, want) {
				t.Errorf("the last %d by %v are %d others", n, by, len(l.list))
			}
		}
	}
}

// TestParseEnded takes no line that is damaged.
func TestParseEnded(t *testing.T) {
	id := testID(time.UnixMilli(1e12), 1)
	for line, want := range map[string]int64{
		id + " 1234567890123\n":       1234567890123,
		id + " 0\n":                   0,
		id + " 1234567890123":         0, // cut
		id[1:] + " 12\n":              0,
		id + "0 12\n":                 0,
		id + " 12/\n":                 0,
		id + " 12:\n":                 0,
		id + " -1\n":                  0,
		id + "\n":                     0,
		"\n":                          0,
		"":                            0,
		id + " 123456789012345678\n":  123456789012345678,
		id + " 1234567890123456789\n": 0, // more could overflow
	} {
		got, ms := parseEnded([]byte(line))
		if ms != want || ms != 0 && string(got) != id {
			t.Errorf("%q: %s, %d", line, got, ms)
		}
	}
}

// TestIsID asks of each byte whether an id may have it, as the library does.
func TestIsID(t *testing.T) {
	sound := testID(time.UnixMilli(1e12), 1)
	for c := range 256 {
		id := sound[:20] + string([]byte{byte(c)}) + sound[21:]
		if want := strings.IndexByte(ulid.Encoding, byte(c)) >= 0; IsID(id) != want {
			t.Errorf("%q: %v, want %v", id, !want, want)
		}
	}
	for id, want := range map[string]bool{"7" + sound[1:]: true, "8" + sound[1:]: false, sound[1:]: false, sound + "0": false, "": false} {
		if IsID(id) != want {
			t.Errorf("%q: %v, want %v", id, !want, want)
		}
	}
}

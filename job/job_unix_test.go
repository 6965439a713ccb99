//go:build unix

package job

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
)

// A job goes from queued to its end; its output is in the store, pinned, and its
// live files are gone.
func TestJobFromSubmitToEnd(t *testing.T) {
	s := newStore(t)
	sub, open := submitGated(t, s, draft(s, "cat; echo out; echo err >&2; exit 3"))
	if sub.Record.State != Queued || sub.Position != 0 || sub.Existing {
		t.Errorf("submit: %+v", sub)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if rec, err := s.Wait(ctx, sub.Record.ID); !errors.Is(err, ErrRunning) || rec.State.Over() {
		t.Errorf("wait that was ended: %+v, %v", rec, err)
	}
	if _, err := s.Result(sub.Record.ID); !errors.Is(err, ErrRunning) {
		t.Errorf("result before the end: %v", err)
	}
	open()
	rec := await(t, s, sub.Record.ID)
	o := rec.Outcome
	if rec.State != Failed || o.Code != envelope.ERUNTIME || *o.ExitCode != 3 || o.ExitStatus != 3 || o.Stdout.Bytes != 4 || o.Stderr.Bytes != 4 {
		t.Errorf("record: %+v, %+v", rec, o)
	}
	if rec.Started.Before(rec.Submitted) || rec.Ended.Before(rec.Started) || rec.Elapsed(time.Now()) != rec.Ended.Sub(rec.Started) {
		t.Errorf("times: %v, %v, %v", rec.Submitted, rec.Started, rec.Ended)
	}
	if res, err := s.Result(rec.ID); err != nil || !res.Started.Equal(rec.Started) || !res.Ended.Equal(rec.Ended) {
		t.Errorf("the run's own times are others: %+v, %v", res, err)
	}
	files, err := os.ReadDir(filepath.Join(s.dir, jobsDir, rec.ID))
	if err != nil || len(files) != 4 { // record, result, process, lock
		t.Errorf("files: %v, %v", files, err)
	}
	pins := pinned(t, s)
	if len(pins) != 2 || pins[0].Owner != "job-"+rec.ID || !pins[0].Until.After(time.Now().Add(Retain-time.Hour)) {
		t.Errorf("pins: %v", pins)
	}
}

func pinned(t *testing.T, s *Store) []artifact.Pin {
	t.Helper()
	a, err := artifact.OpenRead(artifact.Options{Dir: s.dir})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	pins, err := a.Pins()
	if err != nil {
		t.Fatal(err)
	}
	return pins
}

// A record that is written and read again is the same.
func TestRecordRoundTrip(t *testing.T) {
	s := newStore(t)
	d := draft(s, "true")
	d.Record.Limits = Limits{time.Second, time.Minute, time.Hour, 1, 2, 3}
	d.Record.View = View{"helper/v1", "zero", envelope.LayoutPretty, envelope.IncludeAlways, 9000, 1, 2, envelope.ParseText}
	d.Record.Environ, d.Record.Dir = []string{"A", "B"}, "/somewhere"
	sub := submit(t, s, d)
	got := await(t, s, sub.Record.ID)
	want := sub.Record
	want.State, want.Started, want.Ended, want.Outcome = got.State, got.Started, got.Ended, got.Outcome
	want.Supervisor, want.Child = got.Supervisor, got.Child
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("got  %+v\nwant %+v", *got, want)
	}
}

// With an identity a job that is not over is found again; one that is over, and
// one that differs in where an argument ends, is not.
func TestIdentity(t *testing.T) {
	s := newStore(t)
	first, open := submitGated(t, s, draftWithIdentity(s, "cat", "a", "bc"))
	again := submit(t, s, draftWithIdentity(s, "cat", "a", "bc"))
	if !again.Existing || again.Record.ID != first.Record.ID {
		t.Errorf("the same: %+v", again)
	}
	if other := submit(t, s, draftWithIdentity(s, "cat", "ab", "c")); other.Existing {
		t.Errorf("another: %+v", other)
	}
	if none := submit(t, s, draftWithIdentity(s, "cat")); none.Existing {
		t.Errorf("none: %+v", none)
	}
	open()
	await(t, s, first.Record.ID)
	if later := submit(t, s, draftWithIdentity(s, "cat", "a", "bc")); later.Existing {
		t.Errorf("after its end: %+v", later)
	}
}

// A key that names a job which is not of it, or none, is not believed.
func TestKeyOfAnotherJob(t *testing.T) {
	s := newStore(t)
	live, _ := submitGated(t, s, draftWithIdentity(s, "cat", "one"))
	key := submit(t, s, draftWithIdentity(s, "true", "two")).Record.DedupeKey
	for _, id := range []string{live.Record.ID, testID(time.UnixMilli(1e12), 1)} {
		check(t, os.WriteFile(filepath.Join(s.root.Name(), sameDir, key), []byte(id), 0o600))
		if sub := submit(t, s, draftWithIdentity(s, "true", "two")); sub.Existing {
			t.Errorf("%s: %+v", id, sub)
		}
	}
}

// An id may be cut, be in lower case, and have delegator's prefix.
func TestResolve(t *testing.T) {
	s := newStore(t)
	now := time.Now()
	a, b := testID(now, 1), testID(now, 1<<8)
	common := len(a) - 2
	for _, id := range []string{a, b} {
		d := draft(s, "true")
		d.ID = id
		submit(t, s, d)
	}
	for given, want := range map[string]string{
		a: a, strings.ToLower(a): a, TaskPrefix + a: a, "t-local-" + b[:common+1]: b, b[:common+1]: b, b[:25]: b,
	} {
		if got, err := s.Resolve(given); got != want || err != nil {
			t.Errorf("%q: %q, %v", given, got, err)
		}
	}
	left := b[:25] + map[bool]string{true: "Z", false: "0"}[b[25] == '0']
	check(t, s.root.Mkdir(left, 0o700)) // by a submit that was killed
	if got, err := s.Resolve(b[:25]); got != b || err != nil {
		t.Errorf("beside what is no job: %q, %v", got, err)
	}
	check(t, s.root.Remove(left))
	var ambiguous *AmbiguousError
	if _, err := s.Resolve(a[:common]); !errors.As(err, &ambiguous) || !slices.Equal(ambiguous.IDs, []string{a, b}) || ambiguous.More != 0 {
		t.Errorf("ambiguous: %v", err)
	}
	for _, given := range []string{"", TaskPrefix, "../x", ".queue", "ILOU", "7ZZ", a + "0", strings.Repeat("0", 26), a + "/lock", "T-local-/", strings.Repeat("0", 1000)} {
		if got, err := s.Resolve(given); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %q, %v", given, got, err)
		}
	}
}

// Ids keep the order of submit, whatever the clock says.
func TestLater(t *testing.T) {
	const id = "01M7Z3MVPZC8R00H61R0RF00X1"
	for _, row := range []struct{ id, last, want string }{
		{id, "", id},
		{id, "rubbish", id},
		{id, "01M7Z3MVPZC8R00H61R0RF00X0", id},
		{id, id, "01M7Z3MVPZC8R00H61R0RF00X2"},
		{id, "01M7Z3MVPZC8R00H61R0RFZZZZ", "01M7Z3MVPZC8R00H61R0RG0000"},
	} {
		if got, err := later(row.id, row.last); got != row.want || err != nil {
			t.Errorf("%q behind %q: %q, %v", row.id, row.last, got, err)
		}
	}
	if got, err := later(id, "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"); err == nil {
		t.Errorf("after the last of all: %q", got)
	}
	s := newStore(t)
	s.now = func() time.Time { return time.UnixMilli(1_800_000_000_000) }
	var ids []string
	for range 5 {
		ids = append(ids, submit(t, s, draft(s, "true")).Record.ID)
		s.now = func() time.Time { return time.UnixMilli(1_700_000_000_000) }
	}
	if !slices.IsSorted(ids) {
		t.Errorf("got %v", ids)
	}
	s.now = time.Now
}

// There is no id where the last one cannot be read or written, nor for a time past all
// ids.
func TestNewID(t *testing.T) {
	name := filepath.Join(t.TempDir(), "last")
	const last = "01M7Z3MVPZC8R00H61R0RF00X1"
	if err := os.WriteFile(name, []byte(last), 0o600); err != nil {
		t.Fatal(err)
	}
	now := time.UnixMilli(1_700_000_000_000)
	for _, c := range []struct {
		flag  int
		now   time.Time
		fails bool
	}{
		{os.O_RDWR, now, false}, {os.O_RDONLY, now, true}, {os.O_WRONLY, now, true}, {os.O_RDWR, time.Date(11000, 1, 1, 0, 0, 0, 0, time.UTC), true},
	} {
		f, err := os.OpenFile(name, c.flag, 0)
		if err != nil {
			t.Fatal(err)
		}
		if id, err := newID(c.now, f); (err != nil) != c.fails || !c.fails && id <= last {
			t.Errorf("flag %d, year %d: %q, %v", c.flag, c.now.Year(), id, err)
		}
		f.Close()
	}
}

// Only the process that was started for a job supervises it.
func TestSuperviseRefusesStrangers(t *testing.T) {
	s := newStore(t)
	sub, open := submitGated(t, s, draft(s, "cat"))
	id := sub.Record.ID
	for _, id := range []string{id, testID(time.UnixMilli(1e12), 1), "no id"} {
		if _, err := Supervise(Options{Dir: s.dir, Now: time.Now}, id); err == nil {
			t.Errorf("a stranger supervises job %q", id)
		}
	}
	open()
	if rec := await(t, s, id); rec.State != OK {
		t.Errorf("state %s", rec.State)
	}
}

// A supervisor that cannot be started leaves no job.
func TestSubmitWithoutSupervisor(t *testing.T) {
	s := newStore(t)
	d := draft(s, "true")
	d.Launch.Program = filepath.Join(t.TempDir(), "missing")
	if _, err := s.Submit(d); err == nil {
		t.Error("no error")
	}
	if list, err := s.List(-1, BySubmit); len(list.Records) > 0 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	if queue, err := s.Queue(); len(queue) > 0 || err != nil {
		t.Errorf("%v, %v", queue, err)
	}
}

// A job waits while as many run as its limit says, and not after others where
// it has none.
func TestQueue(t *testing.T) {
	s := newStore(t)
	first, open := submitGated(t, s, draftWithMaxJobs(s, "cat", 1))
	second, third := submit(t, s, draftWithMaxJobs(s, "true", 1)), submit(t, s, draftWithMaxJobs(s, "true", 1))
	atOnce := submit(t, s, draftWithMaxJobs(s, "true", 0))
	if first.Position != 0 || second.Position != 1 || third.Position != 2 || atOnce.Position != 0 {
		t.Errorf("positions %d, %d, %d, %d", first.Position, second.Position, third.Position, atOnce.Position)
	}
	if rec := await(t, s, atOnce.Record.ID); rec.State != OK {
		t.Errorf("at once: %+v", rec)
	}
	if queue, err := s.Queue(); !slices.Equal(queue, []string{second.Record.ID, third.Record.ID}) || err != nil {
		t.Errorf("queue %v, %v", queue, err)
	}
	if served, err := s.Served(5); len(served) != 1 || served[0].ID != first.Record.ID || err != nil {
		t.Errorf("before the queue: %v, %v", served, err)
	}
	open()
	a, b := await(t, s, second.Record.ID), await(t, s, third.Record.ID)
	if a.State != OK || b.State != OK || b.Started.Before(a.Ended) {
		t.Errorf("%+v, %+v", a, b)
	}
}

// The time from Submit's call to its return, and with it the cost of starting a
// supervisor and of bringing the record to the disk.
func BenchmarkSubmit(b *testing.B) {
	s := newStore(b)
	d := draft(s, "true")
	b.ReportAllocs()
	for b.Loop() {
		id := submit(b, s, d).Record.ID
		b.StopTimer()
		await(b, s, id)
		b.StartTimer()
	}
}

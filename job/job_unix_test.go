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
	d := draft(s, "cat; echo out; echo err >&2; exit 3")
	open := gate(t, d)
	sub := submit(t, s, d)
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

// A result comes back from disk as it was, and inline where a run in the
// foreground would have it inline.
func TestResult(t *testing.T) {
	s := newStore(t)
	for _, row := range []struct {
		name, script string
		keep         envelope.Keep
		limit        int64
		text, json   string
		artifact     bool
	}{
		{"text", "echo '<&>'", envelope.KeepLarge, 32 << 10, "<&>\n", "", false},
		{"json", `echo '{"a": 1.50}'`, envelope.KeepLarge, 32 << 10, "", `{"a": 1.50}`, false},
		{"all are kept", "echo x", envelope.KeepAll, 32 << 10, "", "", true},
		{"what failed is kept", "echo x; exit 1", envelope.KeepFailed, 32 << 10, "", "", true},
		{"what did not fail is not", "echo x", envelope.KeepFailed, 32 << 10, "x\n", "", false},
		{"over the limit", "yes | head -n 3000", envelope.KeepLarge, 4 << 10, "", "", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			rec := await(t, s, submit(t, s, draft(s, row.script)).Record.ID)
			res, err := s.Result(rec.ID)
			if err != nil {
				t.Fatal(err)
			}
			if res.JobID != rec.ID || res.Payload != nil || res.Stdout.JSON != nil || res.Stdout.Artifact == "" {
				t.Errorf("as it is kept: %+v", res)
			}
			s.Inline(res, Inlining{Keep: row.keep, Limit: row.limit})
			got := res.Stdout
			if got.Text != row.text || string(got.JSON) != row.json || (got.Artifact != "") != row.artifact {
				t.Errorf("text %q, JSON %q, artifact %q", got.Text, got.JSON, got.Artifact)
			}
		})
	}
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
	same := func(identity ...string) *Draft {
		d := draft(s, "cat")
		d.Identity = identity
		return d
	}
	d := same("a", "bc")
	open := gate(t, d)
	first := submit(t, s, d)
	again := submit(t, s, same("a", "bc"))
	if !again.Existing || again.Record.ID != first.Record.ID {
		t.Errorf("the same: %+v", again)
	}
	if other := submit(t, s, same("ab", "c")); other.Existing {
		t.Errorf("another: %+v", other)
	}
	if none := submit(t, s, same()); none.Existing {
		t.Errorf("none: %+v", none)
	}
	open()
	await(t, s, first.Record.ID)
	if later := submit(t, s, same("a", "bc")); later.Existing {
		t.Errorf("after its end: %+v", later)
	}
}

// An id may be cut, be in lower case, and have delegator's prefix.
func TestResolve(t *testing.T) {
	s := newStore(t)
	a, b := submit(t, s, draft(s, "true")).Record.ID, submit(t, s, draft(s, "true")).Record.ID
	common := 0
	for a[common] == b[common] {
		common++
	}
	for given, want := range map[string]string{
		a: a, strings.ToLower(a): a, TaskPrefix + a: a, "t-local-" + b[:common+1]: b, b[:common+1]: b, b[:25]: b,
	} {
		if got, err := s.Resolve(given); got != want || err != nil {
			t.Errorf("%q: %q, %v", given, got, err)
		}
	}
	var ambiguous *AmbiguousError
	if _, err := s.Resolve(a[:common]); !errors.As(err, &ambiguous) || !slices.Equal(ambiguous.IDs, []string{a, b}) || ambiguous.More != 0 {
		t.Errorf("ambiguous: %v", err)
	}
	for _, given := range []string{"", TaskPrefix, "../x", ".queue", "ILOU", "7ZZ", a + "0", a + "/lock", "T-local-/", strings.Repeat("0", 1000)} {
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
		t.Errorf("behind the last of all: %q", got)
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

// Nobody but the process that was started for it supervises a job.
func TestSuperviseRefusesStrangers(t *testing.T) {
	s := newStore(t)
	d := draft(s, "cat")
	open := gate(t, d)
	id := submit(t, s, d).Record.ID
	if _, err := Supervise(Options{Dir: s.dir, Now: time.Now}, id); err == nil {
		t.Error("a stranger supervises the job")
	}
	open()
	if rec := await(t, s, id); rec.State != OK {
		t.Errorf("state %s", rec.State)
	}
}

// A run that was remembered may have ended before the job was submitted; the job
// was over when it was told so.
func TestEndOfARememberedRun(t *testing.T) {
	now := time.Now()
	rec := &Record{Submitted: now.Add(-time.Second)}
	rec.end(&envelope.Result{Ended: now.Add(-time.Hour), Outcome: envelope.Outcome{Kind: envelope.Success}}, now)
	if !rec.Ended.Equal(now) || rec.State != OK {
		t.Errorf("%+v", rec)
	}
	rec.end(&envelope.Result{Ended: now.Add(-time.Millisecond)}, now)
	if !rec.Ended.Equal(now.Add(-time.Millisecond)) {
		t.Errorf("%+v", rec)
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
	if list, err := s.List(); len(list) > 0 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	if queue, err := s.Queue(); len(queue) > 0 || err != nil {
		t.Errorf("%v, %v", queue, err)
	}
}

// A job waits while as many run as its limit says, and not behind others where
// it has none.
func TestQueue(t *testing.T) {
	s := newStore(t)
	limited := func(script string, n int) *Draft {
		d := draft(s, script)
		d.MaxJobs = n
		return d
	}
	d := limited("cat", 1)
	open := gate(t, d)
	first := submit(t, s, d)
	second, third := submit(t, s, limited("true", 1)), submit(t, s, limited("true", 2))
	atOnce := submit(t, s, limited("true", 0))
	if first.Position != 0 || second.Position != 1 || third.Position != 2 || atOnce.Position != 0 {
		t.Errorf("positions %d, %d, %d, %d", first.Position, second.Position, third.Position, atOnce.Position)
	}
	if rec := await(t, s, atOnce.Record.ID); rec.State != OK {
		t.Errorf("at once: %+v", rec)
	}
	if n, err := s.Position(third.Record.ID); n != 2 || err != nil {
		t.Errorf("position %d, %v", n, err)
	}
	open()
	a, b := await(t, s, second.Record.ID), await(t, s, third.Record.ID)
	if a.State != OK || b.State != OK || b.Started.Before(a.Started) {
		t.Errorf("%+v, %+v", a, b)
	}
}

// Follow shows all that was printed, once, however it comes to its end.
func TestFollow(t *testing.T) {
	s := newStore(t)
	d := draft(s, "echo one; echo two >&2; cat; echo three")
	open := gate(t, d)
	id := submit(t, s, d).Record.ID
	var got strings.Builder
	rec, err := s.Follow(context.Background(), id, -1, func(of Stream, p []byte) error {
		got.WriteString(string(of) + ":" + string(p))
		if strings.Contains(got.String(), "one") && strings.Contains(got.String(), "two") {
			open()
		}
		return nil
	})
	if err != nil || rec.State != OK || strings.Count(got.String(), "three") != 1 || strings.Count(got.String(), "one") != 1 {
		t.Errorf("%q, %+v, %v", got.String(), rec, err)
	}
	got.Reset()
	if _, err := s.Follow(context.Background(), id, 1, func(of Stream, p []byte) error {
		if of == Stdout {
			got.Write(p)
		}
		return nil
	}); err != nil || got.String() != "three\n" {
		t.Errorf("the last line of a job that is over: %q, %v", got.String(), err)
	}
	broken := errors.New("broken")
	if _, err := s.Follow(context.Background(), id, -1, func(Stream, []byte) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// lastLines cuts at lines, a last one without its newline included.
func TestLastLines(t *testing.T) {
	for _, row := range []struct {
		text string
		n    int
		want string
	}{
		{"a\nb\nc\n", 2, "b\nc\n"},
		{"a\nb\nc", 2, "b\nc"},
		{"a\nb\nc\n", 0, ""},
		{"a\nb\nc\n", 9, "a\nb\nc\n"},
		{"", 3, ""},
		{"\n\n", 1, "\n"},
	} {
		if got := row.text[lastLines([]byte(row.text), row.n):]; got != row.want {
			t.Errorf("%q, %d: %q, want %q", row.text, row.n, got, row.want)
		}
	}
}

// What is kept of live output has a limit.
func TestLiveLimit(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := &live{f: f, most: 5}
	if n, err := l.Write([]byte("abc")); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := l.Write([]byte("defg")); n != 2 || !errors.Is(err, errFull) {
		t.Errorf("%d, %v", n, err)
	}
	if data, err := os.ReadFile(f.Name()); string(data) != "abcde" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
}

// Cleanup forgets what is old, with its pins, and what never became a job; what
// is not over stays.
func TestCleanup(t *testing.T) {
	s := newStore(t)
	d := draft(s, "cat")
	open := gate(t, d)
	defer open()
	running := submit(t, s, d).Record.ID
	old := await(t, s, submit(t, s, draft(s, "echo old")).Record.ID).ID
	for _, dir := range []string{"00000000000000000000000000", "notajob"} {
		if err := s.root.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if c, err := s.Cleanup(Policy{Old: time.Hour}); err != nil || len(c.Old) > 0 || len(c.Stuck) > 0 {
		t.Errorf("nothing is old: %+v, %v", c, err)
	}
	if s.has("00000000000000000000000000", ".") {
		t.Error("what never became a job is still there")
	}
	if c, err := s.Cleanup(Policy{DryRun: true}); err != nil || !slices.Equal(c.Old, []string{old}) {
		t.Errorf("dry run: %+v, %v", c, err)
	}
	if _, err := s.Get(old); err != nil {
		t.Errorf("after a dry run: %v", err)
	}
	if c, err := s.Cleanup(Policy{}); err != nil || !slices.Equal(c.Old, []string{old}) || c.Oldest <= 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := s.Get(old); !errors.Is(err, ErrNotFound) || len(pinned(t, s)) > 0 {
		t.Errorf("%v, pins %v", err, pinned(t, s))
	}
	if rec, err := s.Get(running); err != nil || rec.State.Over() {
		t.Errorf("%+v, %v", rec, err)
	}
}

// Jobs are forgotten by themselves when their time is over, and no sooner.
func TestExpire(t *testing.T) {
	s := newStore(t)
	begin := time.Now()
	s.now = func() time.Time { return begin.Add(-Retain - time.Hour) }
	id := submit(t, s, draft(s, "true")).Record.ID
	s.now = func() time.Time { return begin }
	rec := await(t, s, id)
	if err := s.Expire(); err != nil || !s.has(id, recordFile) {
		t.Errorf("it has just ended: %v", err)
	}
	rec.Ended = begin.Add(-Retain - time.Minute)
	data, err := encode(rec)
	if err == nil {
		err = s.put(id, recordFile, data)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Expire(); err != nil || s.has(id, recordFile) {
		t.Errorf("its time is over: %v", err)
	}
}

// A record of a later version, and one that is damaged, is told as such, and
// hides no other job.
func TestUnreadableRecords(t *testing.T) {
	s := newStore(t)
	sound := await(t, s, submit(t, s, draft(s, "true")).Record.ID).ID
	for id, text := range map[string]string{
		"00000000000000000000000001": `{"version":2}`,
		"00000000000000000000000002": `{"version":`,
		"00000000000000000000000003": ``,
	} {
		if err := s.root.Mkdir(id, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := s.write(id+"/"+recordFile, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Get(id); err == nil || errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", text, err)
		}
		t.Cleanup(func() { _ = s.root.RemoveAll(id) })
	}
	list, err := s.List()
	if len(list) != 1 || list[0].ID != sound || err == nil {
		t.Errorf("%v, %v", list, err)
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

// Where the store takes nothing, the output of a lost job is shown from its files.
func TestLostOutputOutsideTheStore(t *testing.T) {
	s := newStore(t)
	d := draft(s, "echo before; echo beside >&2; cat")
	open := gate(t, d)
	defer open()
	id := submit(t, s, d).Record.ID
	var got strings.Builder
	enough := errors.New("enough")
	if _, err := s.Follow(context.Background(), id, -1, func(_ Stream, p []byte) error {
		got.Write(p)
		if strings.Contains(got.String(), "before") && strings.Contains(got.String(), "beside") {
			return enough
		}
		return nil
	}); !errors.Is(err, enough) {
		t.Fatal(err)
	}
	objects := filepath.Join(s.dir, "objects")
	if err := errors.Join(os.RemoveAll(objects), os.WriteFile(objects, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	s.supervisor(id).kill()
	if rec := await(t, s, id); rec.State != Lost || rec.Outcome.ExitStatus != statusLost {
		t.Errorf("%+v", rec)
	}
	for range 2 { // the second time it is read from disk
		res, err := s.Result(id)
		if err != nil || res.Stdout.Text != "before\n" || res.Stderr.Text != "beside\n" || !res.Stdout.Truncated {
			t.Errorf("%+v, %+v, %v", res.Stdout, res.Stderr, err)
		}
	}
	if stdout, stderr, _, err := s.Tail(id, 5, 100); string(stdout) != "before\n" || string(stderr) != "beside\n" || err != nil {
		t.Errorf("%q, %q, %v", stdout, stderr, err)
	}
}

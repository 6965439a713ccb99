//go:build unix

package job

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// dead makes a job whose supervisor is gone while its command ran, and which had
// printed this.
func dead(t *testing.T, s *Store, change func(*Record), stdout, stderr string) *Record {
	t.Helper()
	rec := &Record{
		Version: recordVersion, ID: testID(time.Now(), 1), State: Running, Command: "exec/sh", Tool: "sh", Argv: []string{"sh"},
		Submitted: time.Now().Add(-time.Minute), Started: time.Now().Add(-time.Minute),
	}
	if change != nil {
		change(rec)
	}
	check(t, s.root.Mkdir(rec.ID, 0o700), s.root.put(rec.ID, recordFile, rec))
	check(t, s.root.write(rec.ID+"/"+stdoutFile, []byte(stdout)), s.root.write(rec.ID+"/"+stderrFile, []byte(stderr)))
	return rec
}

// A job that is over is settled as it is, one that is not there is not found, and one
// that cannot be read is not made another.
func TestSettleWhatIsNotDead(t *testing.T) {
	s := newStore(t)
	rec := finished(t, s, "echo out")
	if again, err := s.concludeLost(rec.ID); err != nil || again.State != OK || !again.Ended.Equal(rec.Ended) {
		t.Errorf("%+v, %v", again, err)
	}
	if rec, err := s.concludeLost(testID(time.Now(), 1)); !errors.Is(err, ErrNotFound) {
		t.Errorf("missing: %+v, %v", rec, err)
	}
	damaged := dead(t, s, nil, "", "").ID
	check(t, s.PutShared(damaged, recordFile, []byte("{")))
	if rec, err := s.concludeLost(damaged); !errors.Is(err, ErrDamaged) {
		t.Errorf("damaged: %+v, %v", rec, err)
	}
	check(t, s.root.RemoveAll(damaged))
}

// The output of a dead job moves to the store and is pinned there; the files stay if the
// store has less than they do.
func TestOutputOfTheDead(t *testing.T) {
	for _, c := range []struct {
		name           string
		most           int64 // MaxArtifact
		stdout, stderr string
		files          int
		pins           int
	}{
		{"all", 0, "out\n", "error\n", 0, 2},
		{"within the limit", 6, "out\n", "error\n", 0, 2},
		{"more stdout than the limit", 6, "output\n", "err\n", 2, 2},
		{"more stderr than the limit", 6, "out\n", "errors\n", 2, 2},
		{"none", 0, "", "", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(t)
			id := dead(t, s, func(r *Record) { r.Limits.MaxArtifact = c.most }, c.stdout, c.stderr).ID
			rec, err := s.Get(id)
			check(t, err)
			most := func(text string) int64 {
				if n := int64(len(text)); c.most == 0 || n < c.most {
					return n
				}
				return c.most
			}
			if rec.State != Lost || rec.Outcome.Stdout.Bytes != most(c.stdout) || rec.Outcome.Stderr.Bytes != most(c.stderr) {
				t.Errorf("%+v, %+v", rec, rec.Outcome)
			}
			res, err := s.Result(id)
			check(t, err)
			if res.Stdout.Truncated != (c.stdout != "") || res.Stderr.Truncated != (c.stderr != "") {
				t.Errorf("%+v, %+v", res.Stdout, res.Stderr)
			}
			files := 0
			for _, name := range []string{stdoutFile, stderrFile} {
				if s.root.has(id, name) {
					files++
				}
			}
			if pins := pinned(t, s); files != c.files || len(pins) != c.pins {
				t.Errorf("%d files, pins %v", files, pins)
			}
		})
	}
}

// A stream is stored and pinned though the other one cannot be read.
func TestPartOfTheOutputOfTheDead(t *testing.T) {
	s := newStore(t)
	id := dead(t, s, nil, "out\n", "").ID
	check(t, s.root.Remove(id+"/"+stderrFile), s.root.Mkdir(id+"/"+stderrFile, 0o700))
	rec, err := s.Get(id)
	if err != nil || rec.Outcome.Stdout.Artifact == "" || len(pinned(t, s)) != 1 {
		t.Errorf("%+v, %v, pins %v", rec, err, pinned(t, s))
	}
}

// The loss of a job with much output is recorded before its output is moved; with little
// output there is one record.
func TestMuchOutputOfTheDead(t *testing.T) {
	for size, want := range map[int64]State{recordFirst + 1: Lost, recordFirst: Running} {
		s := newStore(t)
		id := dead(t, s, func(r *Record) { r.Limits.MaxArtifact = 1 }, "", "").ID
		check(t, os.Truncate(filepath.Join(s.root.Name(), id, stdoutFile), size))
		var seen []State
		s.now = func() time.Time {
			if rec, err := s.records.load(id); err == nil {
				seen = append(seen, rec.State)
			}
			return time.Now()
		}
		rec, err := s.Get(id)
		if err != nil || rec.State != Lost || len(seen) < 2 || seen[0] != Running || seen[1] != want {
			t.Errorf("%d bytes: recorded as %q while it was settled; %+v, %v", size, seen, rec, err)
		}
	}
}

// The result of a lost job shows as much of its output as its submit asked for.
func TestExcerptOfTheDead(t *testing.T) {
	long := strings.Repeat("0123456789\n", 10_000)
	for excerpt, within := range map[int][2]int{0: {2 << 10, 4 << 10}, 400: {100, 200}} {
		s := newStore(t)
		id := dead(t, s, func(r *Record) { r.View.Excerpt = excerpt }, long, "").ID
		res, err := s.Result(id)
		check(t, err)
		if n := len(res.Stdout.Excerpt.Text); n < within[0] || n > within[1] {
			t.Errorf("excerpt %d: %d bytes", excerpt, n)
		}
	}
}

// Output that is in no store is shown from the file, both ends of it where it is long;
// what a result has already stays.
func TestShowOutputOfFiles(t *testing.T) {
	s := newStore(t)
	rec := dead(t, s, func(r *Record) { r.View.InlineLimit = 20 }, "in the file\n", "the first line\nthe second line\nthe last line\n")
	res := &envelope.Result{}
	s.addFileOutput(rec, res)
	if out := res.Stdout; out.Text != "in the file\n" || !out.Truncated || out.Bytes != 12 {
		t.Errorf("%+v", out)
	}
	if text := res.Stderr.Text; !strings.Contains(text, " bytes: envwrap job tail "+rec.ID+"] ...\n") || !strings.HasPrefix(text, "the") || !strings.HasSuffix(text, "line\n") {
		t.Errorf("%q", text)
	}
	for _, have := range []envelope.Stream{{Artifact: "sha256:aa"}, {Text: "here"}, {Binary: []byte{0}}} {
		res := &envelope.Result{Stdout: have}
		s.addFileOutput(rec, res)
		if res.Stdout.Truncated || res.Stdout.Text != have.Text {
			t.Errorf("%+v: %+v", have, res.Stdout)
		}
	}
	check(t, s.root.Remove(rec.ID+"/"+stdoutFile), s.root.touch(rec.ID+"/"+stdoutFile))
	res = &envelope.Result{}
	if s.addFileOutput(rec, res); res.Stdout.Truncated {
		t.Errorf("of an empty file: %+v", res.Stdout)
	}
}

// Where the result cannot be written the record is, and the output stays in its files,
// from where it is shown.
func TestResultThatCannotBeWritten(t *testing.T) {
	s := newStore(t)
	rec := dead(t, s, func(r *Record) { r.View.InlineLimit = 20 }, "out\n", "")
	check(t, os.MkdirAll(filepath.Join(s.root.Name(), rec.ID, resultFile+".new", "full"), 0o700))
	res := &envelope.Result{Command: "exec/sh", Started: rec.Started, Ended: time.Now(), Stdout: envelope.Stream{Bytes: 4, Lines: 1, Text: "out\n"}}
	rec.end(res, time.Now())
	if whole, err := s.records.conclude(rec, res); whole || err != nil {
		t.Errorf("whole %t, %v", whole, err)
	}
	if res, err := s.Result(rec.ID); err != nil || res.Stdout.Text != "out\n" || res.ExitStatus != 0 || len(res.Warnings) > 0 {
		t.Errorf("%+v, %v", res, err)
	}
}

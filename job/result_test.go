package job

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// A record has the times of the run, but for one that never began, or that was
// before the job and is remembered.
func TestTimesOfARecord(t *testing.T) {
	submitted := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	at := func(seconds int) time.Time { return submitted.Add(time.Duration(seconds) * time.Second) }
	now := at(9)
	for name, c := range map[string]struct{ began, started, ended, wantStarted, wantEnded time.Time }{
		"a run":        {at(1), at(2), at(3), at(2), at(3)},
		"never begun":  {time.Time{}, at(2), at(3), time.Time{}, at(3)},
		"a remembered": {at(1), at(-60), at(-50), at(1), now},
	} {
		rec := Record{Submitted: submitted, Started: c.began}
		rec.end(&envelope.Result{Started: c.started, Ended: c.ended}, now)
		if !rec.Started.Equal(c.wantStarted) || !rec.Ended.Equal(c.wantEnded) {
			t.Errorf("%s: from %v to %v", name, rec.Started, rec.Ended)
		}
	}
	// An envelope that the command printed does not say when the job ended: its record and
	// artifacts are kept for a time from then on.
	rec := Record{Submitted: submitted, Started: at(1)}
	later := submitted.AddDate(7000, 0, 0)
	rec.end(&envelope.Result{Started: later, Ended: later, Exec: &envelope.Result{Started: at(2), Ended: at(3)}}, now)
	if !rec.Started.Equal(at(2)) || !rec.Ended.Equal(at(3)) {
		t.Errorf("an envelope: from %v to %v", rec.Started, rec.Ended)
	}
}

// All artifacts that the result of a job names are pinned with it.
func TestArtifactsOfANestedRun(t *testing.T) {
	kept := "sha256:" + strings.Repeat("d", 64)
	res := envelope.Result{
		Nested: true, Stdout: envelope.Stream{Artifact: "sha256:bb"}, Kept: []envelope.Kept{{Artifact: kept}},
		Exec: &envelope.Result{Stderr: envelope.Stream{Artifact: "sha256:cc"}},
	}
	var rec Record
	rec.end(&res, time.Now())
	if o := rec.Outcome; o.Stderr.Artifact != "sha256:cc" || !slices.Equal(o.Within, []string{"sha256:bb", kept}) {
		t.Errorf("%+v", o)
	}
}

// An adopted envelope may say how the run ended; exit code and output come from the
// process.
func TestOutcomeOfARecord(t *testing.T) {
	code := 7
	process := envelope.Result{
		Outcome: envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME, ExitCode: &code},
		Stdout:  envelope.Stream{Bytes: 3, Lines: 1, Artifact: "sha256:aa"},
	}
	for _, c := range []struct {
		name    string
		res     envelope.Result
		state   State
		code    envelope.Code
		process bool // ExitCode and Stdout are there
	}{
		{"ok", envelope.Result{Outcome: envelope.Outcome{Kind: envelope.Success}}, OK, "", false},
		{"failed", process, Failed, envelope.ERUNTIME, true},
		{"canceled", envelope.Result{Outcome: envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED}}, Canceled, envelope.ECANCELED, false},
		{"told by the command", envelope.Result{Outcome: envelope.Outcome{Kind: envelope.Failure, Code: envelope.ENOTFOUND}, Exec: &process}, Failed, envelope.ENOTFOUND, true},
	} {
		rec := Record{Tool: "sh"}
		rec.end(&c.res, time.Now())
		o := rec.Outcome
		if rec.State != c.state || o.Code != c.code || (o.ExitCode == &code) != c.process || (o.Stdout == Output{3, 1, "sha256:aa"}) != c.process {
			t.Errorf("%s: %s, %+v", c.name, rec.State, o)
		}
	}
}

// A result misses output that is cut and not stored, and no other.
func TestKeepsAll(t *testing.T) {
	cut, stored := envelope.Stream{Truncated: true}, envelope.Stream{Truncated: true, Artifact: "sha256:aa"}
	for name, c := range map[string]struct {
		res  envelope.Result
		want bool
	}{
		"short":               {envelope.Result{}, true},
		"stored":              {envelope.Result{Stdout: stored, Stderr: stored}, true},
		"cut stdout":          {envelope.Result{Stdout: cut, Stderr: stored}, false},
		"cut stderr":          {envelope.Result{Stdout: stored, Stderr: cut}, false},
		"cut by the process":  {envelope.Result{Exec: &envelope.Result{Stdout: cut}}, false},
		"cut in the envelope": {envelope.Result{Stdout: cut, Exec: &envelope.Result{}}, true},
	} {
		if got := keepsAll(&c.res); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// A record alone says how long the run took, that its output is not here, and what to
// do after a failure.
func TestResultOfARecordAlone(t *testing.T) {
	at := time.Unix(1e9, 0)
	for _, c := range []struct {
		rec      Record
		duration time.Duration
		stdout   bool // is truncated
		stderr   bool
		hint     bool
	}{
		{Record{Ended: at}, 0, false, false, false},
		{Record{Started: at.Add(-time.Minute), Ended: at, Outcome: &Outcome{Stdout: Output{Bytes: 1}}}, time.Minute, true, false, false},
		{Record{Ended: at, Outcome: &Outcome{Code: envelope.ERUNTIME, Stderr: Output{Bytes: 1}}}, 0, false, true, true},
	} {
		res := c.rec.asResult()
		if !res.Ended.Equal(at) || res.Started.IsZero() || res.Duration != c.duration || res.Stdout.Truncated != c.stdout || res.Stderr.Truncated != c.stderr || (res.Outcome.Hint != "") != c.hint {
			t.Errorf("%+v: %+v", c.rec, res)
		}
	}
}

// The time that a command has run ends with it, and is never negative.
func TestElapsed(t *testing.T) {
	at := time.Unix(1e9, 0)
	for _, c := range []struct {
		rec  Record
		now  time.Time
		want time.Duration
	}{
		{Record{}, at, 0},
		{Record{Ended: at}, at, 0}, // canceled in the queue
		{Record{Started: at}, at.Add(time.Minute), time.Minute},
		{Record{Started: at}, at.Add(-time.Minute), 0},
		{Record{Started: at, Ended: at.Add(time.Second)}, at.Add(time.Minute), time.Second},
		{Record{Started: at, Ended: at.Add(-time.Second)}, at.Add(time.Minute), 0},
	} {
		if got := c.rec.Elapsed(c.now); got != c.want {
			t.Errorf("%+v: %v, want %v", c.rec, got, c.want)
		}
	}
}

// A name is told from an id, and from "last".
func TestIsName(t *testing.T) {
	for name, want := range map[string]bool{
		"a": true, "Build-1_x.y": true, strings.Repeat("a", 64): true,
		"": false, "1a": false, "-a": false, "a b": false, "é": false, strings.Repeat("a", 65): false, TaskPrefix + "x": false, "last": false, "lastly": true,
	} {
		if got := IsName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

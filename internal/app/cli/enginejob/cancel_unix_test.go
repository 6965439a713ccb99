//go:build unix

package enginejob

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/job"
)

// noteCancel is a script that notes its arguments in the file canceled.
const noteCancel = `d=${0%/*}; echo "$*" >>"$d/canceled"; `

// A cancellation has a started job ended by harder and harder steps, until it has left its end or
// its engine says that it is over.
func TestEngineCancelSteps(t *testing.T) {
	t.Parallel()
	const squeue = `d=${0%/*}; case $* in *--name*) echo 34 ;; *) grep -q =END "$d/canceled" 2>/dev/null && echo 'ID|CANCELLED by 1000' || echo 'ID|RUNNING' ;; esac`
	const term, interrupt, kill = "--batch --signal=TERM ID\n", "--batch --signal=INT ID\n", "--batch --signal=KILL ID\n"
	for name, c := range map[string]struct {
		ends    string // the signal at which the engine says that it is over
		leaves  string // the exit status that the script leaves at the first signal
		late    bool   // which is seen only once the engine was asked
		named   bool   // its id is not known
		steps   string
		message string
	}{
		"leaves its end":     {"", "143 stopped", false, false, term, "make was canceled"},
		"leaves it late":     {"TERM", "3", true, false, term, "make was canceled"},
		"at the first step":  {"TERM", "", false, false, term, "make was canceled, and killed before it could say how it ended"},
		"found by its name":  {"TERM", "", false, true, term, "make was canceled, and killed before it could say how it ended"},
		"at the second step": {"INT", "", false, false, term + interrupt, "make was canceled, and killed"},
		"at the last step":   {"KILL", "", false, false, term + interrupt + kill, "make was canceled, and killed"},
		"goes on":            {"none", "", false, false, term + interrupt + kill, "it was asked to end it: its command may go on"},
		"goes on, by name":   {"none", "", false, true, term + interrupt + kill, "it was asked to end it: its command may go on"},
	} {
		id := "12"
		if c.named {
			id = "34"
		}
		tools := map[string]string{"squeue": strings.NewReplacer("ID", id, "END", c.ends).Replace(squeue), "scancel": noteCancel}
		leave := `; echo ` + c.leaves + ` >"$d/job/` + engine.ExitFile + `"`
		step := StopMost
		if c.late {
			tools["squeue"] += leave
		} else if c.leaves != "" {
			tools["scancel"] += ":" + leave // it is found at the first look, before the engine is asked
			step = 0
		}
		e := newSlurmJob(t, tools, false)
		e.Env.Now = func() time.Time { e.now = e.now.Add(step); return e.now }
		dir := e.Store.Path(e.Record.ID)
		if err := errors.Join(e.Store.MarkStarted(e.Record.ID, e.now), os.Symlink(dir, filepath.Join(e.dir, "job"))); err != nil {
			t.Fatal(err)
		}
		if c.named {
			e.change(func(held *job.EngineJob) { held.ID = "" })
		}
		now, lost, err := e.cancel(t.Context())
		if c.ends == "none" {
			unknown, ok := errors.AsType[*farend.UnknownError](err)
			if !ok || now != nil || unknown.Code != envelope.ERUNTIME || !strings.Contains(unknown.Message, c.message) || !strings.Contains(unknown.Hint, "its job is "+id+".") {
				t.Errorf("%s: %+v, %v", name, now, err)
			}
		} else if err != nil || lost != nil || now.State != job.Canceled || now.Outcome.ExitStatus != 143 || !strings.Contains(now.Outcome.Message, c.message) || (c.leaves != "") == strings.Contains(now.Outcome.Message, "killed") {
			t.Errorf("%s: %+v, %v", name, now.Outcome, err)
		}
		if text := clitest.Contents(t, filepath.Join(e.dir, "canceled")); text != strings.ReplaceAll(c.steps, "ID", id) {
			t.Errorf("%s: scancel %s", name, text)
		}
		if !e.Store.CancelAsked(e.Record.ID) {
			t.Errorf("%s: it is not noted", name)
		}
	}
}

// Of a group the members that wait are dropped first. If that fails, nothing is ended. One of
// which no member was started needs neither, and one that its engine has no more is over at once.
func TestEngineCancelsGroup(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		started bool
		squeue  string
		scancel string
		steps   string
		message string // of the outcome, or of the error
		fails   bool
	}{
		"waits":             {false, "echo '12_[1-2]|PENDING'", "", "12\n", "make: canceled before it was started", false},
		"waits, is held":    {false, "echo '12_[1-2]|PENDING'", "exit 1", "12\n", "make: canceled before it was started", false},
		"is over":           {true, "", "", "--state=PENDING 12\n--batch --signal=TERM 12\n", "make was canceled, and killed", false},
		"cannot be dropped": {true, "echo '12_1|RUNNING'", "exit 1", "--state=PENDING 12\n", "its command may go on", true},
	} {
		e := newSlurmGroup(t, map[string]string{"squeue": c.squeue, "scancel": noteCancel + c.scancel}, false, &job.Array{First: 1, Members: 2, Parallel: 2})
		if c.started {
			if err := e.Store.MarkStarted(e.Record.ID, e.now); err != nil {
				t.Fatal(err)
			}
		}
		now, _, err := e.cancel(t.Context()) // the clock stands: it does not wait for StopMost
		if c.fails {
			if err == nil || !strings.Contains(err.Error(), c.message) {
				t.Errorf("%s: %+v, %v", name, now, err)
			}
		} else if err != nil || now.State != job.Canceled || !strings.Contains(now.Outcome.Message, c.message) {
			t.Errorf("%s: %+v, %v", name, now, err)
		}
		if text := clitest.Contents(t, filepath.Join(e.dir, "canceled")); text != c.steps {
			t.Errorf("%s: scancel %s", name, text)
		}
		if said := clitest.Contents(t, e.Stderr.Name()); strings.Contains(said, `runner "gpu" may still hold its place`) != (name == "waits, is held") {
			t.Errorf("%s: %q", name, said)
		}
	}
}

// A pod that ends at the first signal keeps its status and its log; what cannot be kept is an
// error, and the pod is not removed.
func TestPodStops(t *testing.T) {
	t.Parallel()
	for _, blocked := range []bool{false, true} {
		p := newPodJob(t, nil)
		p.says(t, podList("Running", podRuns), "out\n")
		later := podList("Failed", strings.Replace(podEnded, ":7", ":143", 1))
		file := filepath.Join(p.dir, "later")
		if err := os.WriteFile(file, []byte(later), 0o600); err != nil {
			t.Fatal(err)
		}
		replaceFile(t, filepath.Join(p.dir, "kubectl"), strings.Replace(fakeKubectl, `*) echo`, `exec) cat "$d/later" >"$d/pods"; echo "$*" >>"$d/asked" ;;`+"\n"+`*) echo`, 1))
		if blocked {
			if err := os.MkdirAll(filepath.Join(p.Store.Path(p.Record.ID), engine.RawOut+".new", "x"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		now, _, err := p.cancel(t.Context()) // the clock stands: one look has to be enough
		asked := clitest.Contents(t, filepath.Join(p.dir, "asked"))
		if blocked {
			if err == nil || now != nil || !strings.Contains(err.Error(), "its command may go on") || strings.Contains(err.Error(), "no answer") || strings.Contains(asked, "delete") {
				t.Errorf("it cannot be kept: %+v, %v, %s", now, err, asked)
			}
			continue
		}
		if err != nil || now.State != job.Canceled || now.Outcome.ExitStatus != 143 || !strings.HasPrefix(asked, "exec job/envwrap-x -- sh -c kill -TERM 1\ndelete job ") || strings.Contains(asked, "delete pods") {
			t.Errorf("%+v, %v, %s", now, err, asked)
		}
	}
}

// A cancellation takes the time that its caller has, and says why no more is known.
func TestEngineCancelHasNoTime(t *testing.T) {
	t.Parallel()
	e := newSlurmJob(t, map[string]string{"squeue": "echo '12|RUNNING'"}, false)
	if err := errors.Join(e.Store.MarkStarted(e.Record.ID, e.now), e.Store.AskCancel(e.Record.ID)); err != nil {
		t.Fatal(err)
	}
	if over, err := e.stops(doneFor(t, noAnswer(cancelMost))); over || err == nil || err.Error() != "no answer within 4s" {
		t.Errorf("%t, %v", over, err)
	}
}

// A canceled command that leaves its status was canceled, unless it went well or ended by its time
// limit before.
func TestCanceledBareEnds(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]struct {
		code envelope.Code
		exit int
	}{
		"0":           {"", 0},
		"3":           {envelope.ECANCELED, 143},
		"143 stopped": {envelope.ECANCELED, 143},
		"143 timeout": {envelope.ETIMEOUT, 124},
		"127 missing": {envelope.ENOTFOUND, 127},
	} {
		e := newSlurmJob(t, nil, false)
		e.Record.Limits.Timeout = time.Second
		if err := errors.Join(e.Store.PutShared(e.Record.ID, engine.RawOut, nil), e.Store.PutShared(e.Record.ID, engine.RawErr, nil),
			e.Store.PutShared(e.Record.ID, engine.ExitFile, []byte(status+"\n")), e.Store.AskCancel(e.Record.ID)); err != nil {
			t.Fatal(err)
		}
		if over, err := e.step(t.Context(), false); !over || err != nil || e.Record.Outcome.Code != want.code || e.Record.Outcome.ExitStatus != want.exit {
			t.Errorf("%s: %t, %v, %+v", status, over, err, e.Record.Outcome)
		}
	}
}

//go:build unix

package enginejob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/job"
)

// doneFor returns a context that is done for a reason.
func doneFor(t *testing.T, cause error) context.Context {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	return ctx
}

// A brokenFile is a file that takes what is written and cannot be read.
type brokenFile struct{ err error }

func (f brokenFile) Write(p []byte) (int, error) { return len(p), nil }

func (f brokenFile) ReadAt(p []byte, _ int64) (int, error) {
	for i := range p {
		p[i] = '}'
	}
	return len(p) / 2, f.err
}

// As much of a log is kept as the store takes of both streams, and an envelope.
func TestLogMost(t *testing.T) {
	t.Parallel()
	for most, want := range map[int64]int64{
		0: math.MaxInt64, -1: math.MaxInt64, 1: 64<<20 + 2, 1 << 20: 66 << 20, math.MaxInt64/4 - 1: math.MaxInt64/2 + 64<<20 - 3, math.MaxInt64 / 4: math.MaxInt64, math.MaxInt64: math.MaxInt64,
	} {
		e := &Job{Record: &job.Record{}}
		e.Record.Limits.MaxArtifact = most
		if got := e.logMost(); got != want {
			t.Errorf("%d: %d, want %d", most, got, want)
		}
	}
	p := newPodJob(t, nil)
	p.Record.Limits.MaxArtifact = 1 << 20
	if p.noteCut(false); p.lost != "" {
		t.Error(p.lost)
	}
	if p.noteCut(true); p.lost != `runner "kube": only the first 66 MiB of what the command has printed are kept and counted` {
		t.Error(p.lost)
	}
}

// What cannot be read of a log that was kept is an error, and no envelope.
func TestKeptLogCannotBeRead(t *testing.T) {
	t.Parallel()
	e := newSlurmJob(t, map[string]string{"cat": "echo x"}, true)
	broken := brokenFile{errors.New("bad disk")}
	if text, err := e.readMarks(t.Context(), &engine.Status{State: engine.Running}, broken); text != nil || !errors.Is(err, broken.err) {
		t.Errorf("%v, %v", text, err)
	}
	if line := lastLine(io.NewSectionReader(broken, 0, 4)); line != nil {
		t.Errorf("%q", line)
	}
}

// Why a log says nothing of the start is known until it is read, and its command's word counts
// more than its status.
func TestEngineLogIsReadLater(t *testing.T) {
	t.Parallel()
	e := newSlurmJob(t, map[string]string{"cat": `exec cat "${0%/*}/log"`}, true)
	look := func(state engine.State, cat, want string) *io.SectionReader {
		t.Helper()
		replaceFile(t, filepath.Join(e.dir, "cat"), "#!/bin/sh\n"+cat+"\n")
		spool, err := e.Store.Spool(e.Record.ID)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { spool.Close() })
		text, err := e.readMarks(t.Context(), &engine.Status{State: state}, spool)
		if err != nil || e.unread != want {
			t.Errorf("%s: %v, %q", cat, err, e.unread)
		}
		return text
	}
	look(engine.Running, "exit 3", "what it printed cannot be read: exit status 3")
	look(engine.Running, "echo first >&2; echo bad disk >&2; exit 3", "what it printed cannot be read: bad disk")
	look(engine.Running, "echo x", "")
	look(engine.Succeeded, "echo x", "what it printed lacks the line of its start")
	look(engine.Failed, "echo x", "")
	if text := look(engine.Succeeded, `printf 'envwrap-started envwrap-x 1700000000\nout\n'`, ""); text == nil || text.Size() != 4 {
		t.Errorf("%v", text)
	}
}

// Who follows a job without shared files sees what it prints, masked and without the envelope, also
// if a secret comes in two parts.
func TestFollowedLog(t *testing.T) {
	t.Parallel()
	const begin = "envwrap-started envwrap-x 1700000000\n"
	e := newSlurmJob(t, map[string]string{"squeue": "echo '12|RUNNING'", "cat": `exec cat "${0%/*}/log"`}, true)
	e.follow, e.Record.Argv = true, []string{"pass", "show", "db"}
	step := func(log string, over bool) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(e.dir, "log"), []byte(begin+log), 0o600); err != nil {
			t.Fatal(err)
		}
		if now, err := e.step(t.Context(), true); now != over || err != nil {
			t.Fatal(now, err)
		}
	}
	shows := func(want string) {
		t.Helper()
		if out, _, _, err := e.Store.Tail(e.Record.ID, -1, 1<<10); string(out) != want || err != nil {
			t.Errorf("%q, %v", out, err)
		}
	}
	step("hunter2x9\npassword=hun", false)
	shows("***\n")
	step("hunter2x9\npassword=hunter2hunter2\nb\n", false)
	shows("***\npassword=***\nb\n")
	step("hunter2x9\n", false) // it was cut meanwhile
	shows("***\npassword=***\nb\n")
	step("hunter2x9\npassword=hunter2hunter2\nb\nc\n\nenvwrap-ended envwrap-x 3\n", true)
	if res, err := e.Store.Result(e.Record.ID); err != nil || res.ExitStatus != 3 || string(res.Stdout.Head) != "***\npassword=***\nb\nc\n" {
		t.Errorf("%+v, %v", res, err)
	}
}

// What a pod prints is copied once for who follows it, by a command that goes on as long as the
// pod, and read again at its end. For others it is read at each look, and what cannot be read stays.
func TestFollowedPod(t *testing.T) {
	t.Parallel()
	p := newPodJob(t, nil)
	p.follow, p.Record.Argv = true, []string{"pass", "show", "db"}
	p.says(t, podList("Running", podRuns), "unused\n")
	if err := os.WriteFile(filepath.Join(p.dir, "log.--follow"), []byte("hunter2x9\npassword=hunter2hunter2\n"+podEnvelope), 0o600); err != nil {
		t.Fatal(err)
	}
	var copying chan struct{}
	for range 2 {
		if over, err := p.step(t.Context(), true); over || err != nil || p.copying == nil || copying != nil && copying != p.copying {
			t.Fatal(over, err)
		}
		copying = p.copying
		<-copying
	}
	if out, _, _, err := p.Store.Tail(p.Record.ID, -1, 1<<10); string(out) != "***\npassword=***\n" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	p.says(t, podList("Failed", podEnded), "live\n"+podEnvelope)
	if over, err := p.step(t.Context(), true); !over || err != nil || p.Record.Outcome.ExitStatus != 7 {
		t.Errorf("%t, %v, %+v", over, err, p.Record.Outcome)
	}

	p = newPodJob(t, nil)
	p.says(t, podList("Running", podRuns), "first\n")
	look := func(fails bool, want string) {
		t.Helper()
		over, err := p.step(t.Context(), true)
		if over || (err != nil) != fails {
			t.Error(over, err)
		}
		if out, _, _, err := p.Store.Tail(p.Record.ID, -1, 1<<10); string(out) != want || err != nil {
			t.Errorf("%q, %v", out, err)
		}
	}
	look(false, "first\n")
	log := filepath.Join(p.dir, "log")
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	look(false, "first\n")
	block := filepath.Join(p.Store.Path(p.Record.ID), engine.Stdout+".new")
	if err := errors.Join(os.WriteFile(log, []byte("second\n"), 0o600), os.Mkdir(block, 0o700)); err != nil {
		t.Fatal(err)
	}
	look(true, "first\n")
	if err := os.Remove(block); err != nil {
		t.Fatal(err)
	}
	look(false, "second\n")
}

// A member whose log does not come, and one whose log cannot be read yet, are asked for again; the
// others are kept.
func TestMemberLogComesLater(t *testing.T) {
	t.Parallel()
	const pods = `{"items":[{"kind":"Job","metadata":{"name":"n"},"spec":{"completionMode":"Indexed"},"status":{"active":1}}]}`
	for _, stalls := range []bool{false, true} {
		p := newPodJob(t, &job.Array{First: 1, Members: 2, Parallel: 2})
		p.says(t, pods, "")
		if err := errors.Join(os.Remove(filepath.Join(p.dir, "log")), os.WriteFile(filepath.Join(p.dir, "lines"), []byte("0|p1|Failed|7|2026-11-27T04:53:45Z|\n1|p2|Succeeded|0|2026-11-27T04:53:45Z|\n"), 0o600),
			os.WriteFile(filepath.Join(p.dir, "log.p2"), []byte("out\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
		ctx, late := context.WithCancelCause(t.Context())
		if stalls {
			kubectl := filepath.Join(p.dir, "kubectl")
			replaceFile(t, kubectl, strings.Replace(fakeKubectl, "logs)", `logs) echo >"$d/begun"; exec sleep 20 ;; nologs)`, 1))
			go func() {
				testenv.Await(t, filepath.Join(p.dir, "begun"))
				late(noAnswer(AnswerMost))
			}()
		}
		over, err := p.bringMembers(ctx)
		late(nil)
		if over || err != nil || !p.brought || stalls != (p.fault != nil) || stalls && p.Record.Far.Engine.Unasked != "no answer within 10s" {
			t.Errorf("stalls %t: %t, %v, %t, %v", stalls, over, err, p.brought, p.fault)
		}
		ends, err := p.Store.Ends(p.Record)
		if err != nil {
			t.Fatal(err)
		}
		if m := job.CountMembers(p.Record, ends); (m.OK == 1) == stalls || m.Failed != 0 {
			t.Errorf("stalls %t: %+v", stalls, m)
		}
		ends.Close()
	}
}

// What the submit has noted at the end of the script is masked, and said.
func TestSubmitNotes(t *testing.T) {
	t.Parallel()
	if text := new(Note).Text(); text != "" {
		t.Errorf("nothing is noted: %q", text)
	}
	note := Note{Dir: "/there", Values: []NoteValue{{"env", "xyzzy-plugh"}}, Unheld: []string{"--nice", "--max-memory"}}
	for script, noted := range map[string]bool{
		"": false, "exit\n": false, "exit" + note.Text(): true, "exit" + (&Note{Dir: "/old"}).Text() + note.Text(): true, "exit" + noteMark + "another comment\n": false,
	} {
		e := newSlurmJob(t, nil, false)
		e.Record.Far.Engine.Starts = 2
		if err := errors.Join(e.Store.PutShared(e.Record.ID, "script", []byte(script)), e.Store.PutShared(e.Record.ID, engine.RawOut, []byte("a xyzzy-plugh b\n")),
			e.Store.PutShared(e.Record.ID, engine.RawErr, nil), e.Store.PutShared(e.Record.ID, engine.ExitFile, []byte("3\n"))); err != nil {
			t.Fatal(err)
		}
		if over, err := e.step(t.Context(), false); !over || err != nil {
			t.Fatal(over, err)
		}
		res, err := e.Store.Result(e.Record.ID)
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(res.Warnings, "\n")
		if strings.Contains(string(res.Stdout.Head), "xyzzy") == noted || strings.Contains(said, "these options did not hold: --nice, --max-memory") != noted || !strings.Contains(said, "--retries starts it again only where") {
			t.Errorf("%q: %q, %s", script, res.Stdout.Head, said)
		}
	}
}

// The envelope that a far envwrap has left is the record of the run, with the commands to read its
// output as they are here.
func TestEngineLeavesEnvelope(t *testing.T) {
	t.Parallel()
	for _, named := range []bool{false, true} {
		e := newSlurmJob(t, nil, false)
		if !named { // the store is the one that envwrap takes here anyway
			e.Env.Environ = []string{"HOME=" + e.dir, "XDG_STATE_HOME=" + e.dir}
		}
		read := fmt.Sprintf("envwrap artifact cat 0123 --store %s", e.Store.Dir())
		d, _ := envelope.Lookup("protocol/v1")
		res, err := envelope.Decode(d, []byte(podEnvelope))
		if err != nil {
			t.Fatal(err)
		}
		run := *res
		res.Stdout.Read, res.Exec = read, &run
		over, now, err := e.concludeFar(t.Context(), res)
		if !over || err != nil || now.Outcome.ExitStatus != 7 || strings.Contains(res.Stdout.Read, "--store") != named || !strings.HasPrefix(res.Stdout.Read, "envwrap artifact cat 0123") || run.ExitStatus != 7 {
			t.Errorf("%t: %t, %v, %+v, %q", named, over, err, now.Outcome, res.Stdout.Read)
		}
	}
	e := newSlurmJob(t, map[string]string{"squeue": "echo '12|RUNNING'"}, false)
	stopped := strings.NewReplacer(`"exit_code":7,"outcome":"failure"`, `"exit_code":143,"outcome":"canceled"`, `"ERUNTIME"`, `"ECANCELED"`, `"exit_code":7`, `"exit_code":143`).Replace(podEnvelope)
	if err := e.Store.PutShared(e.Record.ID, engine.Envelope, []byte(stopped)); err != nil {
		t.Fatal(err)
	}
	if over, err := e.step(t.Context(), false); over || err != nil || e.Record.State.Over() {
		t.Errorf("why it was stopped is not known yet: %t, %v, %s", over, err, e.Record.State)
	}
	if err := e.Store.PutShared(e.Record.ID, engine.Envelope, []byte(podEnvelope)); err != nil {
		t.Fatal(err)
	}
	if over, err := e.step(t.Context(), false); !over || err != nil || e.Record.Outcome.ExitStatus != 7 || clitest.Contents(t, e.Stderr.Name()) != "" {
		t.Errorf("%t, %v, %+v", over, err, e.Record.Outcome)
	}
}

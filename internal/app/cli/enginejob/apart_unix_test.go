//go:build unix

package enginejob

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/job"
)

// fakeKubectl answers with the files pods and log, and notes what it is asked to end.
const fakeKubectl = `#!/bin/sh
d=${0%/*}
case $1 in
get) case $2 in pods) cat "$d/lines" ;; *) cat "$d/pods" ;; esac ;;
logs) [ ! -e "$d/log.$2" ] || exec cat "$d/log.$2"; cat "$d/log" ;;
*) echo "$*" >>"$d/asked" ;;
esac
`

// podList is an answer of kubectl with one pod.
func podList(phase, state string) string {
	return `{"items":[{"kind":"Pod","metadata":{"name":"p"},"status":{"phase":"` + phase + `","containerStatuses":[{"state":{` + state + `}}]}}]}`
}

const (
	podRuns  = `"running":{"startedAt":"2026-11-27T04:53:45Z"}`
	podEnded = `"terminated":{"exitCode":7,"reason":"Error","startedAt":"2026-11-27T04:53:45Z","finishedAt":"2026-11-27T04:53:46Z"}`
)

// podEnvelope is what the envwrap of a pod prints at the end of its log.
const podEnvelope = `{"version":1,"status":"error","command":"exec/make","data":{"argv":["make"],"exit_code":7,"outcome":"failure","stdout":{"bytes":4,"lines":1,"text":"out\n"},"stderr":{"bytes":4,"lines":1,"text":"err\n"}},` +
	`"meta":{"ts":"2026-11-27T04:53:46.000Z","duration_ms":1000,"runner":"exec","workspace":"/","trace_id":"0af7651916cd43dd8448eb211c80319c","profiles":["core/v1"],"source":"run","agent":"unknown"},` +
	`"error":{"code":"ERUNTIME","message":"make ended with status 7: err","details":{"exit_code":7,"classified_by":"status","retryable":false}}}` + "\n"

// A podJob is a job that a cluster holds of which a test decides what kubectl says.
type podJob struct {
	*Job
	dir string
}

func newPodJob(t *testing.T, array *job.Array) *podJob {
	dir := t.TempDir()
	env := clitest.EnvIn(t, dir)
	now := env.Now()
	env.Now = func() time.Time { return now }
	p := &podJob{dir: dir}
	if err := testenv.WriteProgram(filepath.Join(dir, "kubectl"), fakeKubectl); err != nil {
		t.Fatal(err)
	}
	row, err := engine.New(engine.Settings{Engine: "kubernetes", Values: map[string][]string{"image": {"img"}}})
	if err != nil {
		t.Fatal(err)
	}
	store := filepath.Join(dir, "store")
	if err := os.Mkdir(store, 0o700); err != nil {
		t.Fatal(err)
	}
	v, err := left(job.Options{Dir: store, Now: env.Now}, &job.Draft{Record: job.Record{
		Command: "exec/make", Tool: "make", Argv: []string{"make"}, TraceID: "0af7651916cd43dd8448eb211c80319c", View: job.View{InlineLimit: 1 << 15},
		Array: array, Far: &job.Far{Runner: "kube", Engine: &job.EngineJob{Name: "envwrap-x", ID: "job.batch/envwrap-x"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	rec, err := v.Store().Get(v.Record().ID)
	if err != nil {
		t.Fatal(err)
	}
	p.Job = &Job{Env: env, Inherit: env.Environ, Store: v.Store(), Record: rec, Row: &cli.RunnerRow{Name: "kube", Engine: row}, Mask: env.Mask(), program: func(name string) string { return filepath.Join(dir, name) }}
	return p
}

// left holds a job and leaves it to its engine. No process is started meanwhile: until its
// program was loaded it would have the supervisor's lock, too.
func left(o job.Options, d *job.Draft) (*job.Supervisor, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	v, _, err := job.Hold(o, d)
	if err == nil && d.Record.Array != nil {
		err = v.MakeMembers()
	}
	if err == nil {
		v.Leave("")
	}
	return v, err
}

// says decides what kubectl says.
func (p *podJob) says(t *testing.T, pods, log string) {
	t.Helper()
	for name, text := range map[string]string{"pods": pods, "log": log} {
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A runner that the configuration has lost is not asked; what its engine left is read.
func TestRunnerIsGone(t *testing.T) {
	t.Parallel()
	p := newPodJob(t, nil)
	now, lost, err := Ask(t.Context(), p.Env, p.Inherit, p.Store, p.Record, farend.AskEnd)
	if err != nil || lost == nil || now.State.Over() || !strings.HasSuffix(lost.Outcome.Message, `: there is no runner "kube"`) || !strings.HasSuffix(lost.Outcome.Hint, "into it. Ask again then: its job there is job.batch/envwrap-x envwrap-x.") {
		t.Errorf("%+v, %+v, %v", now, lost, err)
	}
	file := filepath.Join(p.Store.Path(p.Record.ID), engine.Envelope)
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	if now, lost, err = Ask(t.Context(), p.Env, p.Inherit, p.Store, p.Record, farend.AskEnd); err == nil || lost != nil || now.State.Over() {
		t.Errorf("it cannot be read: %+v, %+v, %v", now, lost, err)
	}
	if err := errors.Join(os.Remove(file), p.Store.PutShared(p.Record.ID, engine.Envelope, []byte("{}"))); err != nil {
		t.Fatal(err)
	}
	now, lost, err = Ask(t.Context(), p.Env, p.Inherit, p.Store, p.Record, farend.AskEnd)
	if err != nil || lost != nil || !now.State.Over() || !strings.Contains(now.Outcome.Message, "cannot be read") {
		t.Errorf("%+v, %+v, %v", now, lost, err)
	}
}

// A pod ends as its command ended: by its envelope, or by its status and its log.
func TestPodEnds(t *testing.T) {
	t.Parallel()
	cut := strings.Replace(podEnvelope, `"bytes":4,"lines":1,"text":"out\n"`, `"bytes":8,"lines":2,"text":"out\n","truncated":true`, 1)
	for name, c := range map[string]struct {
		log            string
		stdout, stderr string
		warning        string
	}{
		"envelope":            {"out\nerr\n" + podEnvelope, "out\n", "err\n", ""},
		"unfinished line":     {"out\n50%" + podEnvelope, "out\n", "err\n", ""},
		"not whole in it":     {"out\nerr\n" + cut, "out\nerr\n", "", "both streams in the order written"},
		"begins like one":     {"out\n{\"version\":1,\"{\"version\":1," + podEnvelope, "out\n", "err\n", ""},
		"no envwrap":          {"out\nerr\n", "out\nerr\n", "", NoEnvwrapThere},
		"of another run":      {"out\n" + strings.Replace(podEnvelope, "0af765", "0af764", 1), "out\n", "", NoEnvwrapThere},
		"another exit status": {"out\n" + strings.ReplaceAll(podEnvelope, `"exit_code":7`, `"exit_code":0`), "out\n", "", NoEnvwrapThere},
		"secret, no envwrap":  {"password=hunter2hunter2\n", "password=***\n", "", NoEnvwrapThere},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPodJob(t, nil)
			p.says(t, podList("Running", podRuns), "out\n")
			if over, err := p.step(t.Context(), true); over || err != nil || p.Record.State != job.Running {
				t.Fatalf("it runs: %t, %v, %v, %s", over, err, p.fault, p.Record.State)
			}
			if out, _, _, err := p.Store.Tail(p.Record.ID, -1, 1<<10); string(out) != "out\n" || err != nil {
				t.Errorf("so far: %q, %v", out, err)
			}
			p.says(t, podList("Failed", podEnded), c.log)
			if over, err := p.step(t.Context(), true); !over || err != nil {
				t.Fatal(over, err)
			}
			res, err := p.Store.Result(p.Record.ID)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.content(t, &res.Stdout); !strings.HasPrefix(got, c.stdout) {
				t.Errorf("stdout: %q", got)
			}
			if got := p.content(t, &res.Stderr); got != c.stderr {
				t.Errorf("stderr: %q", got)
			}
			if res.ExitStatus != 7 || res.Outcome.Code != envelope.ERUNTIME || !strings.Contains(strings.Join(res.Warnings, "\n"), c.warning) {
				t.Errorf("%d, %+v, %q", res.ExitStatus, res.Outcome, res.Warnings)
			}
			if asked, err := os.ReadFile(filepath.Join(p.dir, "asked")); err != nil || !bytes.HasPrefix(asked, []byte("delete job envwrap-x ")) {
				t.Errorf("what has ended is removed there: %q, %v", asked, err)
			}
		})
	}
}

// content returns a stream, which a job has in the store.
func (p *podJob) content(t *testing.T, s *envelope.Stream) string {
	t.Helper()
	if s.Artifact == "" {
		data, _ := s.Content()
		return string(data)
	}
	a, err := artifact.OpenRead(artifact.Options{Dir: p.Store.Dir(), Now: p.Now, NoMaintenance: true})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	o, err := a.Get(s.Artifact)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	data := make([]byte, o.Size())
	_, _ = o.ReadAt(data, 0)
	return string(data)
}

// A job whose pod has not started is taken away; of one that has started that is known.
func TestPodCancel(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pods, message, asked string
	}{
		"waits": {podList("Pending", `"waiting":{"reason":"ContainerCreating"}`), "make: canceled before it was started", "delete job"},
		"runs":  {podList("Failed", podEnded), "", ""},
	} {
		p := newPodJob(t, nil)
		p.says(t, c.pods, "")
		now, _, err := p.cancel(t.Context())
		if err != nil || !now.State.Over() || !strings.HasPrefix(now.Outcome.Message, c.message) || (c.message == "") != (now.Outcome.ExitStatus != 143) {
			t.Errorf("%s: %+v, %v", name, now, err)
		}
		asked, _ := os.ReadFile(filepath.Join(p.dir, "asked"))
		if !strings.HasPrefix(string(asked), c.asked) {
			t.Errorf("%s: %q", name, asked)
		}
	}
}

// The envelope at the end of a log is not part of what is followed, however it is cut.
func TestEnvelopeFilter(t *testing.T) {
	t.Parallel()
	const log, want = "a\n{\"version\":2}\n{\"ver\n{\"version\":1,\"status\"}\nb", "a\n{\"version\":2}\n{\"ver\nb"
	for n := 1; n <= len(log); n++ {
		var out bytes.Buffer
		f := &engine.EnvelopeFilter{To: &out}
		for at := 0; at < len(log); at += n {
			if _, err := f.Write([]byte(log[at:min(at+n, len(log))])); err != nil {
				t.Fatal(err)
			}
		}
		if out.String() != want {
			t.Errorf("%d: %q", n, out.String())
		}
	}
}

// The members of an Indexed Job have their own ends, which are read a part at a look.
func TestIndexedJob(t *testing.T) {
	t.Parallel()
	p := newPodJob(t, &job.Array{First: 11, Members: 120, Parallel: 120})
	lines := ""
	for i := range 120 {
		switch i {
		case 1:
			lines += "1|p1|Running||2026-11-27T04:53:45Z|\n"
		case 2:
			lines += "2|p2|Failed|7|2026-11-27T04:53:45Z|\n"
		case 3:
			lines += "3|old|Failed|137|2026-11-27T04:53:45Z|True\n3|p3|Pending|||\n"
		default:
			lines += fmt.Sprintf("%d|p%d|Succeeded|0|2026-11-27T04:53:45Z|\n", i, i)
		}
	}
	say := func(status string) {
		t.Helper()
		p.says(t, `{"items":[{"kind":"Job","metadata":{"name":"n"},"spec":{"completionMode":"Indexed"},"status":{`+status+`}}]}`, "out\n")
		if err := os.WriteFile(filepath.Join(p.dir, "lines"), []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	count := func(want envelope.JobMembers) {
		t.Helper()
		ends, err := p.Store.Ends(p.Record)
		if err != nil {
			t.Fatal(err)
		}
		defer ends.Close()
		if got := job.CountMembers(p.Record, ends); got.OK != want.OK || got.Failed != want.Failed || got.Running != want.Running || got.Canceled != want.Canceled || got.Queued != want.Queued {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	say(`"active":2`)
	for _, want := range []envelope.JobMembers{{OK: 49, Failed: 1, Running: 2, Queued: 68}, {OK: 99, Failed: 1, Running: 2, Queued: 18}, {OK: 117, Failed: 1, Running: 1, Queued: 1}} {
		if over, err := p.step(t.Context(), true); over || err != nil || p.fault != nil {
			t.Fatal(over, err, p.fault)
		}
		count(want)
	}
	say(`"conditions":[{"type":"Suspended","status":"True"}]`)
	now, _, err := p.cancel(t.Context())
	if err != nil || now.State != job.Canceled {
		t.Fatal(now, err)
	}
	count(envelope.JobMembers{OK: 117, Failed: 1, Canceled: 2})
	ends, err := p.Store.Ends(now)
	if err != nil {
		t.Fatal(err)
	}
	defer ends.Close()
	for m, read := range ends.All() {
		if m.Number != 13 {
			continue
		}
		if doc, err := read(); err != nil || m.Status != 7 || !strings.Contains(string(doc), `"exit_code":7`) || !strings.Contains(string(doc), `"text":"out\n"`) {
			t.Errorf("%+v: %s, %v", m, doc, err)
		}
	}
	if asked, err := os.ReadFile(filepath.Join(p.dir, "asked")); err != nil || !strings.HasPrefix(string(asked), `patch job envwrap-x --patch {"spec":{"suspend":true}}`) {
		t.Errorf("%q, %v", asked, err)
	}
}

// A member without envwrap has its own line in its record, masked, as long as the file has it;
// and --retries, which held for none of its own ends, says so.
func TestBareMember(t *testing.T) {
	t.Parallel()
	p := newPodJob(t, &job.Array{First: 1, Members: 2, Parallel: 2})
	p.says(t, "", "out\n")
	file := filepath.Join(p.dir, "members")
	if err := os.WriteFile(file, []byte("a b\r\npassword=hunter2hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	digest := digestOf("a b\r\npassword=hunter2hunter2\n")
	p.Record.Argv, p.Record.Array.File, p.Record.Array.Digest, p.Record.Far.Engine.Starts = []string{"make", "x {}"}, file, digest, 2
	for i, want := range []string{"x a b", "x password=***", "x {}"} {
		if i == 2 { // another process, after the file was changed
			p.lines, p.Record.Array.Digest = nil, "0"
		}
		doc, err := p.memberDoc(t.Context(), i%2+1, &engine.Pod{Name: "p", Exited: true, Exit: 7})
		if err != nil || !strings.Contains(string(doc), `"argv":["make","`+want+`"]`) || !strings.Contains(string(doc), "--retries starts it again only where") {
			t.Errorf("%s: %s, %v", want, doc, err)
		}
	}
}

// A command was started when its pod says so, but not before it was submitted.
func TestPodStarts(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 27, 4, 53, 45, 0, time.UTC)
	for _, submitted := range []time.Time{at.Add(-time.Hour), at.Add(time.Second / 2)} {
		p := newPodJob(t, nil)
		p.Record.Far.At = submitted
		p.says(t, podList("Running", podRuns), "out\n")
		if over, err := p.step(t.Context(), true); over || err != nil {
			t.Fatal(over, err)
		}
		want := at
		if submitted.After(at) {
			want = submitted
		}
		if got, ok := p.Store.StartedThere(p.Record.ID); !ok || !got.Equal(want) {
			t.Errorf("submitted at %v: started at %v, %t", submitted, got, ok)
		}
	}
}

// One that was started too late was not started, of which whole seconds are no proof.
func TestPodStartsTooLate(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 27, 4, 53, 45, 0, time.UTC)
	for until, want := range map[time.Time]bool{{}: true, at: true, at.Add(-time.Second): true, at.Add(-time.Second - 1): false} {
		p := newPodJob(t, nil)
		p.change(func(held *job.EngineJob) { held.Until = until })
		p.says(t, podList("Running", podRuns), "out\n")
		if over, err := p.bring(t.Context(), engine.Status{State: engine.Running, Started: at}); over || err != nil {
			t.Fatal(over, err)
		}
		if _, started := p.Store.StartedThere(p.Record.ID); started != want {
			t.Errorf("until %v: started %t", until, started)
		}
	}
}

// What a job without shared files has printed is asked for once it runs, and shown.
func TestMarkedLog(t *testing.T) {
	t.Parallel()
	e := newSlurmJob(t, map[string]string{"cat": `echo >"${0%/*}/read"; printf 'envwrap-started envwrap-x 1700000000\npassword=hunter2hunter2\n'`}, true)
	for says, read := range map[engine.State]bool{engine.Queued: false, engine.Unknown: false, engine.Running: true} {
		if over, err := e.bring(t.Context(), engine.Status{State: says}); over || err != nil {
			t.Errorf("%v: %t, %v", says, over, err)
		}
		file := filepath.Join(e.dir, "read")
		if err := os.Remove(file); (err == nil) != read {
			t.Errorf("%v: it is read: %v", says, err)
		}
	}
	if out, _, _, err := e.Store.Tail(e.Record.ID, -1, 1<<10); string(out) != "password=***\n" || err != nil || e.lost != "" {
		t.Errorf("%q, %v, %q", out, err, e.lost)
	}
}

// The last line of a log is read from its end, however long it is, if it may be an envelope.
func TestLastLine(t *testing.T) {
	t.Parallel()
	long := "{" + strings.Repeat("x", 40_000) + "}\n"
	for log, want := range map[string]string{
		"": "", "\n": "", "a\nb\n": "", "}": "}", "a\n{}": "{}", "a\n{}\r\n\n": "{}\r\n\n", long: long, strings.Repeat("a\n", 9000) + long: long,
		strings.Repeat("a", 9000) + "\n{}\n": "{}\n",
	} {
		if got := lastLine(io.NewSectionReader(strings.NewReader(log), 0, int64(len(log)))); string(got) != want {
			t.Errorf("%.20q: %.40q of %d bytes", log, got, len(got))
		}
	}
}

// A file whose new content cannot be written stays as it was.
func TestWriteSharedFails(t *testing.T) {
	t.Parallel()
	p := newPodJob(t, nil)
	if err := p.Store.PutShared(p.Record.ID, engine.Stdout, []byte("before\n")); err != nil {
		t.Fatal(err)
	}
	full := errors.New("full")
	if err := p.Store.WriteShared(p.Record.ID, engine.Stdout, func(to io.Writer) error {
		_, err := io.WriteString(to, "half")
		return errors.Join(err, full)
	}); !errors.Is(err, full) {
		t.Error(err)
	}
	entries, err := os.ReadDir(p.Store.Path(p.Record.ID))
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range entries {
		if strings.HasPrefix(each.Name(), "spool") || strings.HasSuffix(each.Name(), ".new") {
			t.Errorf("%s is left", each.Name())
		}
	}
	if text, err := p.Store.ReadShared(p.Record.ID, engine.Stdout); err != nil || string(text) != "before\n" {
		t.Errorf("%q, %v", text, err)
	}
}

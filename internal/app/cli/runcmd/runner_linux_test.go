package runcmd

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/cli/enginejob"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/internal/shared/shell"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/job"
)

// newSessionRunner returns a runner whose session is made.
func newSessionRunner(t *testing.T) *Runner {
	t.Helper()
	r := newRunner(t)
	r.Session = session.New(r.Env.Session(), r.options())
	r.cmd = r.Session.Command
	t.Cleanup(func() { r.Session.Close() })
	return r
}

// The record of a run that shows its output names the parts of the store that have it, or
// else the end of what was shown first.
func TestKeptRun(t *testing.T) {
	r := newSessionRunner(t)
	store := r.Path("store")
	if err := os.Mkdir(store, 0o700); err != nil {
		t.Fatal(err)
	}
	begun := r.Now().Add(-time.Minute)
	k := &keptRun{Runner: r, started: begun}
	if k.keep("stdout", store, ""); k.line != nil {
		t.Errorf("nothing is kept: %+v", k.line)
	}
	r.briefing = &briefing{}
	k.keep("stdout", store, "p1")
	if k.line == nil || !k.line.Time.Equal(begun) || r.briefing.more != "envwrap last -f brief --store "+store+" "+k.line.ID {
		t.Fatalf("%+v, %q", k.line, r.briefing.more)
	}
	id := k.line.ID
	r.briefing = nil
	k.keep("stderr", store, "p2")
	k.keep("first", store, "p3")
	if p := k.line.Parts; k.line.ID != id || p.Stdout != "p1" || p.Stderr != "p2" || p.Pipeline != "p3" {
		t.Errorf("%+v", k.line)
	}
	if k.show("text"); k.line.Excerpt != "" {
		t.Errorf("the store has it: %q", k.line.Excerpt)
	}
	k = &keptRun{Runner: r, started: begun}
	long := strings.Repeat("a", 100) + strings.Repeat("b", mostRecorded)
	if k.show(long); k.line == nil || k.line.Excerpt != long[100:] {
		t.Errorf("%+v", k.line)
	}
	if got := k.lastCommand(r.Env.Session().FirstStore(""), "ID"); got != "envwrap last -f brief ID" {
		t.Errorf("the first store: %q", got)
	}
	for source, want := range map[string]string{
		"source x && eval 'a b' < /dev/null && pwd -P >| f": "a b",
		"a b": "a b",
		"a '": "a '",
	} {
		if got := unframed(shell.Invocation{Dialect: shell.Bash, Text: source}); got != want {
			t.Errorf("%q: %q", source, got)
		}
	}
}

// The live line comes when a command runs for a while, and leaves its questions alone.
func TestDrawLine(t *testing.T) {
	for _, c := range []struct {
		p    envelope.Progress
		want string
	}{
		{envelope.Progress{Elapsed: lineAfter}, "\rtrue  0s  0 B\x1b[K\r\x1b[K"},
		{envelope.Progress{Elapsed: lineAfter - 1}, ""},
		{envelope.Progress{Elapsed: lineAfter, Asks: true}, ""},
	} {
		r := newSessionRunner(t)
		r.O.events.line = shownOn
		erase := r.drawLine()
		r.cmd.Progress(c.p)
		erase()
		if got := clitest.Contents(t, r.Stderr.Name()); got != c.want {
			t.Errorf("%+v: %q", c.p, got)
		}
	}
}

// A run in the background that renews a remembered one shows nothing, and merges the streams
// as that did.
func TestSilenceRefresh(t *testing.T) {
	for word, c := range map[string]struct{ merge, asked, silent bool }{
		"":               {false, false, false},
		"sha256:1":       {false, false, true},
		"sha256:1 merge": {true, false, true},
		"sha256:2":       {true, true, true},
	} {
		r := newRunner(t)
		r.Environ = append(r.Environ, "ENVWRAP_CACHE_REFRESH="+word)
		r.O.output, r.O.tee, r.O.emit, r.O.Merge = "file", true, emitAgent, c.asked
		r.silenceRefresh()
		if r.O.tee == c.silent || r.O.output == "" != c.silent || r.O.emit == emitAlways != c.silent || r.O.Merge != c.merge {
			t.Errorf("%q: %+v", word, r.O)
		}
	}
	r := newRunner(t)
	for name, value := range map[string]string{"store": "a", "output": "file", "timeout": "1h", "env": "A=secret"} {
		r.Call.Option(name).Given = []string{value}
	}
	if args, _ := r.refreshLine("b"); !slices.Equal(args, []string{"envwrap", "run", "--store=b", "--timeout=1h", "--", "true"}) {
		t.Errorf("%q", args)
	}
}

// What envwrap reports of a run that it could not begin says what to do, on stderr and in an
// envelope unless stdout has the command's own bytes. A person at a terminal gets no envelope.
func TestReport(t *testing.T) {
	usage := &cli.UsageError{Text: "it is wrong", Hint: "Mend it."}
	other := errors.New("no descriptors")
	for name, c := range map[string]struct {
		report   func(*Runner) error
		bytes    bool
		code     string // in the envelope, "" for none
		on       string // stderr
		terminal bool
	}{
		"a usage error":    {func(r *Runner) error { return r.refuse(usage) }, false, `"code":"EARG","message":"it is wrong"`, "envwrap: it is wrong\nMend it.\n", false},
		"without a hint":   {func(r *Runner) error { return r.refuse(other) }, false, `"code":"EARG","message":"no descriptors"`, "envwrap: no descriptors\n`envwrap help run` lists the options.\n", false},
		"a failure":        {func(r *Runner) error { return r.fail(other) }, false, `"code":"EIO","message":"no descriptors"`, "envwrap: no descriptors\nNothing was run; try again.\n", false},
		"a usage failure":  {func(r *Runner) error { return r.fail(usage) }, false, `"code":"EIO","message":"it is wrong"`, "envwrap: it is wrong\nMend it.\n", false},
		"bytes":            {func(r *Runner) error { return r.refuse(usage) }, true, "", "envwrap: it is wrong\nMend it.\n", false},
		"at a terminal":    {func(r *Runner) error { return r.refuse(usage) }, false, "", "envwrap: it is wrong\nMend it.\n`envwrap help run` lists the options.\n", true},
		"there, with help": {func(r *Runner) error { return r.refuse(other) }, false, "", "envwrap: no descriptors\n`envwrap help run` lists the options.\n", true},
		"there, a failure": {func(r *Runner) error { return r.fail(other) }, false, "EIO", "envwrap: no descriptors\nNothing was run; try again.\n", true},
		"there, of a verb": {func(r *Runner) error { r.sink = &output.Sink{}; return r.refuse(usage) }, false, "EARG", "envwrap: it is wrong\nMend it.\n", true},
		"the hint has both": {func(r *Runner) error {
			return r.refuse(&cli.UsageError{Text: "it", Hint: "`envwrap help run` lists the options of a run."})
		}, false, "", "envwrap: it\n`envwrap help run` lists the options of a run.\n", true},
	} {
		r := newSessionRunner(t)
		r.limits.Off, r.bytes = true, c.bytes
		file := r.Stdout.Name()
		if c.terminal {
			master, terminal := testenv.Terminal(t)
			defer terminal.Close()
			_ = master
			r.Stdout = terminal
			r.sink.Stream = terminal
		}
		var status cli.Status
		if err := c.report(r); !errors.As(err, &status) || status != cli.StatusFailed {
			t.Errorf("%s: %v", name, err)
		}
		if got := clitest.Contents(t, r.Stderr.Name()); got != c.on {
			t.Errorf("%s: %q", name, got)
		}
		if got := clitest.Contents(t, file); !c.terminal && (!strings.Contains(got, c.code) || c.code == "" && got != "") {
			t.Errorf("%s: %s", name, got)
		}
		if (r.printed != nil) != (c.code != "") {
			t.Errorf("%s: printed %s", name, r.printed)
		}
	}
}

// A signal before the command starts is answered on stdout, or where that has other bytes, or
// a file has the envelope, by a line on stderr, too.
func TestAnswerEarly(t *testing.T) {
	for name, c := range map[string]struct {
		bytes, file     bool
		printed, stderr bool
	}{
		"an envelope": {printed: true},
		"bytes":       {bytes: true, stderr: true},
		"a file":      {file: true, printed: true, stderr: true},
	} {
		r := newSessionRunner(t)
		if r.bytes = c.bytes; c.file {
			r.O.output = filepath.Join(t.TempDir(), "file")
			f, err := os.Create(r.O.output)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			r.sink = &output.Sink{Stream: f}
		}
		if got := r.answerEarly(syscall.SIGTERM, make(chan struct{})); got != 128+int(syscall.SIGTERM) {
			t.Errorf("%s: status %d", name, got)
		}
		if stderr := clitest.Contents(t, r.Stderr.Name()); (stderr != "") != c.stderr || (r.printed != nil) != c.printed {
			t.Errorf("%s: %q, %s", name, stderr, r.printed)
		}
	}
	r := newSessionRunner(t)
	_ = r.Stdout.Close()
	if got := r.answerEarly(syscall.SIGTERM, make(chan struct{})); got != cli.StatusFailed {
		t.Errorf("no stdout: %d", got)
	}
}

// A job that envwrap was asked to end has the status of that signal, however its command
// ended.
func TestStopped(t *testing.T) {
	for name, c := range map[string]struct {
		before, want envelope.Outcome
	}{
		"by itself":  {envelope.Outcome{Kind: envelope.Success, ExitCode: new(0)}, envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED, Message: "make was stopped: envwrap got SIGINT, and the command had ended by itself"}},
		"here":       {envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME, Message: "make failed"}, envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME, Message: "make failed"}},
		"of itself":  {envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED, Message: "it was stopped"}, envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED, Message: "it was stopped"}},
		"by another": {envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED, Message: "make was stopped: envwrap got SIGTERM"}, envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED, Message: "make was stopped: envwrap got SIGINT"}},
	} {
		res := &envelope.Result{Tool: "make", Outcome: c.before}
		setStopped(res, syscall.SIGINT)
		if o := res.Outcome; o.Kind != c.want.Kind || o.Code != c.want.Code || o.Message != c.want.Message || o.ExitCode != c.before.ExitCode || res.ExitStatus != 130 {
			t.Errorf("%s: %+v, status %d", name, o, res.ExitStatus)
		}
	}
}

// A run whose job's end cannot be learned says where that is asked for, and what is known.
func TestUnknownEnd(t *testing.T) {
	s := &submission{Runner: newSessionRunner(t)}
	rec := &job.Record{ID: "J", Tool: "make", Command: "exec/make"}
	res := s.unknownEnd(rec, errors.New("no answer"))
	if o := res.Outcome; o.Code != envelope.EIO || o.Message != "no answer" || o.Retryable || !strings.Contains(o.Hint, "`envwrap job status J` tells") {
		t.Errorf("%+v", o)
	}
	res = s.unknownEnd(rec, &farend.UnknownError{Outcome: envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME, Message: "runner", Retryable: true}})
	if o := res.Outcome; o.Code != envelope.ERUNTIME || o.Message != "runner" || o.Retryable || o.Hint == "" {
		t.Errorf("%+v", o)
	}
	end := &envelope.Result{Tool: "own", Outcome: envelope.Outcome{Kind: envelope.Success}}
	if res = s.unknownEnd(rec, &enginejob.Unrecorded{Err: errors.New("the disk is full"), End: end}); res != end || !slices.Equal(res.Warnings, []string{"the disk is full"}) {
		t.Errorf("%+v", res)
	}
	for _, c := range []struct {
		err     error
		code    envelope.Code
		refused bool
	}{
		{job.ErrRefused, envelope.EPOLICY, true},
		{job.ErrNoMark, envelope.ENOTFOUND, true},
		{job.ErrUnsupported, envelope.ESKILLDOWN, false},
		{errors.New("full"), envelope.EIO, false},
		{nil, envelope.EIO, false},
	} {
		if code, refused := submitCode(c.err); code != c.code || refused != c.refused {
			t.Errorf("%v: %s, %t", c.err, code, refused)
		}
	}
}

package wrap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap/internal/pipe"
	"github.com/envwrap/envwrap/wrap/internal/proctree"
	"github.com/envwrap/envwrap/wrap/internal/program"
)

// A status has eight bits.
func TestPortable(t *testing.T) {
	for code, want := range map[int]int{0: 0, 1: 1, 255: 255, 256: 255, 257: 1, -1: 255} {
		if got := portable(code); got != want {
			t.Errorf("status %d: %d, want %d", code, got, want)
		}
	}
}

// At the end of a run the first signal that asks envwrap to end is its reason, and
// the second ends all patience.
func TestSignalsAtTheEnd(t *testing.T) {
	signals := make(chan os.Signal, 2)
	r := newRun(&Command{Process: Process{Signals: signals}, Limits: Limits{KillAfter: time.Hour}})
	then := time.Unix(1, 0)
	if got := r.hurry(syscall.SIGUSR1, then); got != then || r.stopped.cause != stopNone {
		t.Errorf("SIGUSR1: %v, %+v", got, r.stopped)
	}
	if got := r.hurry(syscall.SIGHUP, then); time.Until(got) < time.Minute || r.stopped != (stop{cause: stopCanceled, signal: syscall.SIGHUP}) {
		t.Errorf("SIGHUP: %v, %+v", got, r.stopped)
	}
	if got := r.hurry(syscall.SIGTERM, then); !got.IsZero() || r.stopped.signal != syscall.SIGHUP {
		t.Errorf("SIGTERM: %v, %+v", got, r.stopped)
	}
	r.stopped = stop{}
	signals <- syscall.SIGUSR1
	signals <- syscall.SIGINT
	if r.takeLateSignals(); r.stopped.signal != syscall.SIGINT || len(signals) != 0 {
		t.Errorf("late: %+v, %d left", r.stopped, len(signals))
	}
}

// Readers are given up once.
func TestGiveUpReadersOnce(t *testing.T) {
	n := 0
	r := newRun(&Command{Capture: Capture{GiveUp: func() { n++ }}})
	r.giveUpReaders()
	r.giveUpReaders()
	newRun(&Command{}).giveUpReaders()
	if n != 1 {
		t.Errorf("%d times", n)
	}
}

// A quietTimer is enough where nothing comes for so long, or where it is only interrupted.
func TestSilence(t *testing.T) {
	for _, c := range []struct {
		enough time.Duration
		every  int // slices in which nothing comes; 0 is all
		forks  int // the last slice with a fork
		want   int // slices until it is enough
	}{
		{100 * time.Millisecond, 0, 0, 10},
		{100 * time.Millisecond, 5, 0, 200},
		{100 * time.Millisecond, 0, 7, 17},
		{100 * time.Millisecond, 0, 1000, 200},
		{3 * time.Second, 0, 0, 300},
		{3 * time.Second, 5, 0, 300},
	} {
		s := quietTimer{enough: c.enough}
		n := 1
		for activity := int64(0); !s.lasts(activity, n <= c.forks) && n < 1000; n++ {
			if c.every > 0 && n%c.every == 0 {
				activity++
			}
		}
		if n != c.want {
			t.Errorf("%+v: %d slices", c, n)
		}
	}
	syscall.ForkLock.Lock()
	during := forking()
	syscall.ForkLock.Unlock()
	if !during {
		t.Error("a fork is not seen")
	}
	if got := heldText("tool", nil); strings.Contains(got, "held by") {
		t.Error(got)
	}
	if got := heldText("tool", []proctree.Process{{PID: 7, Name: "a"}, {PID: 8, Name: "b"}}); !strings.HasSuffix(got, "; held by 7 (a), 8 (b)") {
		t.Error(got)
	}
}

// At most five killed processes are named.
func TestNamesOfTheKilled(t *testing.T) {
	for n, want := range map[int]string{
		0: "[]", 1: "[killed after the command had ended: 1 of its processes (p0)]",
		5: "[killed after the command had ended: 5 of its processes (p0, p1, p2, p3, p4)]",
		6: "[killed after the command had ended: 6 of its processes (p0, p1, p2, p3, p4, ...)]",
	} {
		killed := map[int]string{}
		for i := range n {
			killed[i] = fmt.Sprint("p", i)
		}
		r := newRun(&Command{})
		if r.warnKilled(killed); fmt.Sprint(r.warnings) != want {
			t.Errorf("%d: %v", n, r.warnings)
		}
	}
}

// A run that envwrap refuses has a record all the same.
func TestRefused(t *testing.T) {
	at := time.Unix(1_800_000_000, 0)
	c := &Command{
		Now:      func() time.Time { return at },
		Warnings: []string{"a warning"},
		Capture:  Capture{Redactor: redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: "tell-nobody-9"}}})},
		Identity: Identity{TraceID: "t", RequestID: "r", Workspace: "/w", Agent: "a"},
	}
	for _, row := range []struct {
		argv          []string
		name          string
		make          func(*Command, envelope.Outcome) *envelope.Result
		command, tool string
	}{
		{nil, "", Refused, "exec/envwrap", "envwrap"},
		{nil, "a/b", Refused, "a/b", "envwrap"},
		{[]string{"/bin/tool", "tell-nobody-9"}, "", Refused, "exec/tool", "tool"},
		{[]string{"/bin/tool", "tell-nobody-9"}, "a/b", Refused, "a/b", "tool"},
		{[]string{"/bin/tool", "tell-nobody-9"}, "", Misused, "exec/envwrap", "envwrap"},
		{[]string{"/bin/tool", "tell-nobody-9"}, "a/b", Misused, "a/b", "envwrap"},
	} {
		c.Argv, c.Name = row.argv, row.name
		res := row.make(c, envelope.Outcome{Kind: envelope.Failure, Code: envelope.EARG, Message: "it is tell-nobody-9"})
		if res.Command != row.command || res.Tool != row.tool || res.ExitStatus != statusSelf || res.Outcome.Message != "it is ***" {
			t.Errorf("%v: %s, %s, %d, %q", row.argv, res.Command, res.Tool, res.ExitStatus, res.Outcome.Message)
		}
		if len(res.Argv) != len(row.argv) || len(row.argv) > 0 && (res.Argv[1] != "***" || res.Redactions.Total != 1) {
			t.Errorf("%v: argv %q, %+v", row.argv, res.Argv, res.Redactions)
		}
		if res.TraceID != "t" || res.RequestID != "r" || res.Workspace != "/w" || res.Agent != "a" || !res.Started.Equal(at) || len(res.Warnings) != 1 {
			t.Errorf("%v: %+v", row.argv, res)
		}
	}
}

// Neither the name of the program nor that of the command shows a secret.
func TestSecretInName(t *testing.T) {
	c := &Command{Capture: Capture{Redactor: redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: "tell-nobody-9"}}})}}
	const token = "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5" // made up
	for _, row := range []struct{ program, name, command, misused string }{
		{"/bin/tell-nobody-9", "", "exec/run", "exec/envwrap"},
		{"/bin/" + token, "", "exec/run", "exec/envwrap"},
		{"./run-tell-nobody-9.exe", "", "exec/run", "exec/envwrap"},
		{"tool", "x/tell-nobody-9", "x/run", "x/run"},
		{"tool", "tell-nobody-9/go", "exec/go", "exec/go"},
	} {
		c.Argv, c.Name = []string{row.program}, row.name
		o := envelope.Outcome{Code: envelope.EIO, Suggestions: []string{"./" + row.program}}
		if res := Refused(c, o); res.Command != row.command || strings.Contains(res.Tool+fmt.Sprint(res.Outcome), "nobody") {
			t.Errorf("%s %s: %s, %s, %v", row.program, row.name, res.Command, res.Tool, res.Outcome)
		}
		if res := Misused(c, envelope.Outcome{Code: envelope.EARG}); res.Command != row.misused {
			t.Errorf("%s %s: %s as a usage error", row.program, row.name, res.Command)
		}
	}
}

// The program of a command is found with its own PATH, from its directory.
func TestProgramPath(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "bin", "tool")
	if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		argv      []string
		env       string
		name      string
		want      string
		recorded  string
		arguments string
	}{
		{[]string{"tool", "a"}, "PATH=bin", "", path, "exec/tool", "2 arguments, 7 bytes, and 9 bytes of environment"},
		{[]string{"./bin/tool"}, "", "x/y", path, "x/y", "1 arguments, 11 bytes, and 1 bytes of environment"},
		{[]string{"tool.EXE"}, "PATH=bin", "", "", "exec/tool", "1 arguments, 9 bytes, and 9 bytes of environment"},
		{[]string{"tool.sh"}, "PATH=/nowhere", "", "", "exec/tool-sh", "1 arguments, 8 bytes, and 14 bytes of environment"},
	} {
		cmd := &Command{Process: Process{Argv: c.argv, Env: []string{c.env}, Dir: dir}, Identity: Identity{Name: c.name}}
		if got, ok := cmd.ProgramPath(); got != c.want || ok != (c.want != "") {
			t.Errorf("%v: %q, %v", c.argv, got, ok)
		}
		if got := CommandName(cmd); got != c.recorded {
			t.Errorf("%v: %q", c.argv, got)
		}
		if got := argumentSize(c.argv, cmd.Env); got != c.arguments {
			t.Errorf("%v: %q", c.argv, got)
		}
	}
	if got, ok := (&Command{}).ProgramPath(); ok {
		t.Errorf("without a command: %q", got)
	}
}

// The error of a failed start names the program and what to do.
func TestStartFailures(t *testing.T) {
	dir := t.TempDir()
	r := newRun(&Command{Process: Process{Argv: []string{"tool", "a"}, Env: []string{"A=b"}, Dir: dir}})
	for name, content := range map[string]string{
		"script": "#!/nowhere/python -u\n", "windows": "#!/bin/sh\r\n", "binary": "\x7fELF\x00\x00", "text": "text\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		path        string
		err         error
		status      int
		code        envelope.Code
		retryable   bool
		interpreter string
		message     string
		hint        string
	}{
		{"script", syscall.ENOENT, 127, envelope.ENOTFOUND, false, "/nowhere/python", `script: interpreter "/nowhere/python" not found`, "Install /nowhere/python, or mend the first line of script."},
		{"windows", syscall.ENOENT, 127, envelope.ENOTFOUND, false, "/bin/sh\r", `windows: interpreter "/bin/sh\r" not found (the first line ends with CR LF)`, `Give the script Unix line ends: sed -i 's/\r$//' windows`},
		{"binary", syscall.ENOENT, 127, envelope.ENOTFOUND, false, "dynamic loader", "binary: its dynamic loader was not found", "The program was built for another C library or system; install that, or get a build for this one."},
		{"binary", syscall.ENOEXEC, 126, envelope.EIO, false, "", "binary: wrong binary format", "The program was built for another system or processor; get a build for this one."},
		{"text", syscall.E2BIG, 126, envelope.EIO, false, "", "tool: argument list too long (2 arguments, 7 bytes, and 4 bytes of environment)", "Pass fewer arguments: use xargs, a file of arguments (@file), or stdin."},
		{"text", syscall.EAGAIN, 126, envelope.EIO, true, "", "tool: cannot be started: resource temporarily unavailable", "No more processes (ulimit -u, a container's pids.max) or memory: end some, raise the limit, or try again later."},
		{"text", syscall.EACCES, 126, envelope.EIO, false, "", "text: permission denied", "Make it executable (chmod +x text), or name its interpreter: envwrap -- sh text"},
		{"text", program.ErrDirectory, 126, envelope.EIO, false, "", "text: is a directory", "Name a program inside it."},
		{"text", &os.PathError{Op: "x", Path: "y", Err: syscall.EIO}, 126, envelope.EIO, false, "", "text: input/output error", "Check the path and the rights on each directory of it."},
		{"text", io.ErrUnexpectedEOF, 126, envelope.EIO, false, "", "text: unexpected EOF", "Check the path and the rights on each directory of it."},
	} {
		f := r.startFailure(c.path, nil, c.err)
		if f == nil || f.status != c.status || f.code != c.code || f.retryable != c.retryable || f.interpreter != c.interpreter || f.message != c.message || f.hint != c.hint {
			t.Errorf("%s, %v: %+v", c.path, c.err, f)
		}
	}
	for name, want := range map[string]string{"": `"": no such file`, "~/x": "~/x: no such file"} {
		f := notFound(name)
		if tilde := strings.Contains(f.hint, "only a shell reads ~"); f.message != want || tilde != (name != "") {
			t.Errorf("%q: %+v", name, f)
		}
	}
	for env, want := range map[string]string{"A=b\x00": `environment variable "A" holds a NUL byte`, "A=b": ""} {
		r.c.Env = []string{env}
		if f := r.c.checkArguments(); (f == nil) != (want == "") || f != nil && (f.message != want || f.status != statusSelf || f.code != envelope.EARG) {
			t.Errorf("%q: %+v", env, f)
		}
	}
}

// The reported progress comes from the newest line, and never falls.
func TestReport(t *testing.T) {
	var got []envelope.Progress
	r := newRun(&Command{Capture: Capture{Progress: func(p envelope.Progress) { got = append(got, p) }}})
	r.stdout, r.stderr = &stream{capture: r.newCapture("stdout", nil)}, &stream{capture: r.newCapture("stderr", nil)}
	p := r.newReporter()
	defer p.stop()
	for _, line := range []string{"begin", "50%\n", "40 %\n", "60 % of it\r\n\n", "101%\n"} {
		r.stdout.capture.live.count([]byte(line), []byte(line))
		p.report()
	}
	r.stopped.cause = stopTimeout
	r.stdout.capture.live.line.Store(nil)
	many := []byte(strings.Repeat("y\n", 5000))
	r.stderr.capture.live.count(many, many)
	p.report()
	var all []string
	for _, p := range got {
		pct := "none"
		if p.Pct != nil {
			pct = fmt.Sprint(*p.Pct)
		}
		all = append(all, fmt.Sprintf("%s %q %s %d %d %d", p.Stage, p.Message, pct, p.StdoutBytes, p.StderrBytes, p.Lines))
	}
	want := []string{
		`running "begin" none 5 0 0`, `running "50%" 50 9 0 1`, `running "40 %" 50 14 0 2`,
		`running "60 % of it" 60 27 0 4`, `running "101%" 60 32 0 5`, `stopping "y" 60 32 10000 5005`,
	}
	if strings.Join(all, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(all, "\n"), strings.Join(want, "\n"))
	}
	for range 2 { // the first output is reported once, however soon the child ended
		p.reportLate()
	}
	if len(got) != len(want)+1 {
		t.Errorf("%d reports", len(got))
	}
	if r.c.Progress = nil; r.newReporter() != nil {
		t.Error("a reporter for nobody")
	}
}

// A series of runs ends with its context, and is not one where there is no command.
func TestRetryEnds(t *testing.T) {
	y := Retry{Times: 3, On: func(*envelope.Outcome) bool { return true }, Delay: time.Hour, MaxDelay: time.Hour}
	if _, err := y.Run(t.Context(), &Command{}); err == nil {
		t.Error("nothing was run without an error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tr := trier{Retry: y, c: &Command{}, next: time.Hour}
	res := &envelope.Result{Tool: "tool", Outcome: envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME, Retryable: true, Hint: "x"}}
	if tr.wait(ctx, res) || res.Outcome.Code != envelope.ECANCELED || res.Outcome.Retryable || res.Outcome.Hint != "" || res.ExitStatus != 128+15 {
		t.Errorf("%+v", res)
	}
	for _, c := range []struct {
		before, now pipe.State
		want        bool
	}{
		{pipe.State{Queued: 3}, pipe.State{Queued: 3}, true},
		{pipe.State{Queued: 3}, pipe.State{Queued: 2}, false},
		{pipe.State{Ended: true}, pipe.State{Ended: true}, true},
		{pipe.State{}, pipe.State{}, false},
	} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_, _ = write.WriteString("abc"[:c.now.Queued])
		if c.now.Ended {
			_ = write.Close()
		}
		s := stdinState{in: Stdin{File: read}, kind: stdinConsumed, pipe: c.before}
		if got := s.intact(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
		_, _ = read.Close(), write.Close()
		if s.intact() {
			t.Errorf("%+v: a closed pipe is intact", c)
		}
	}
}

package runcmd

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// Output is kept as it comes, or shown before the answer, only of a run of here that shows it
// and runs once.
func TestOutputBeforeTheEnd(t *testing.T) {
	text, _ := envelope.Lookup("brief/v1")
	for name, c := range map[string]struct {
		change         func(*Runner)
		kept, briefing bool
	}{
		"live":         {func(r *Runner) { r.cmd.LiveStdout = r.Stderr }, true, false},
		"live beside":  {func(r *Runner) { r.cmd.LiveStderr = r.Stderr }, true, true},
		"a text":       {func(*Runner) {}, true, true},
		"an envelope":  {func(r *Runner) { r.O.Format = envelope.Dialects()[0] }, false, false},
		"to a file":    {func(r *Runner) { r.sink = &output.Sink{} }, false, false},
		"bytes":        {func(r *Runner) { r.bytes = true }, false, false},
		"a job":        {func(r *Runner) { r.task = "J" }, false, true},
		"no record":    {func(r *Runner) { r.limits.Off = true }, false, true},
		"run again":    {func(r *Runner) { r.O.Retry.Times = 1 }, false, false},
		"remembered":   {func(r *Runner) { r.O.Cache.TTL = time.Hour }, false, false},
		"on a runner":  {func(r *Runner) { r.O.on = "far" }, false, false},
		"live and far": {func(r *Runner) { r.O.on, r.cmd.LiveStdout = "far", r.Stderr }, false, false},
	} {
		r := newSessionRunner(t)
		r.O.Format = text
		c.change(r)
		r.beginBriefing()
		r.keepOutput()
		if (r.briefing != nil) != c.briefing || (r.cmd.Kept != nil) != c.kept {
			t.Errorf("%s: briefing %t, kept %t", name, r.briefing != nil, r.cmd.Kept != nil)
		}
		if r.endBriefing(); r.shown != nil {
			t.Errorf("%s: shown %+v", name, r.shown)
		}
	}
}

// The record says how much its caller was shown: the answer, unless a file has it, and the
// output where that went to its streams.
func TestShownTo(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Runner)
		want   int64
	}{
		"an answer":   {func(*Runner) {}, 5},
		"a tee":       {func(r *Runner) { r.O.tee = true }, 5 + 30},
		"to a file":   {func(r *Runner) { r.O.output, r.sink = "file", &output.Sink{} }, 30},
		"bytes":       {func(r *Runner) { r.bytes = true }, 30},
		"of a job":    {func(r *Runner) { r.task = "J" }, 0},
		"to - as one": {func(r *Runner) { r.O.output = "-" }, 5 + 30},
	} {
		r := newSessionRunner(t)
		r.printed = []byte("12345")
		c.change(r)
		line := &runlog.Run{StdoutBytes: 10, StderrBytes: 20}
		if r.shownTo(line); line.Shown != c.want {
			t.Errorf("%s: %d", name, line.Shown)
		}
	}
}

// The record is masked also where the answer is not.
func TestMaskRecord(t *testing.T) {
	const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
	for mode, want := range map[redact.Mode]bool{redact.All: false, redact.Off: true} {
		r := newSessionRunner(t)
		r.O.Redact, r.Environ = mode, append(r.Environ, "API_TOKEN=orange-marmalade-7")
		r.O.Env = []string{"MY_SECRET=grape-jelly-4711"}
		line := &runlog.Run{Argv: []string{secret}, Text: "orange-marmalade-7", Message: "grape-jelly-4711", Excerpt: "plain"}
		r.maskRecord(line)
		if got := line.Argv[0] != secret && line.Text == "***" && line.Message == "***"; got != want || line.Excerpt != "plain" {
			t.Errorf("%v: %+v", mode, line)
		}
	}
}

// What outlives a run's command is copied to stdout; after a signal it is kept, too, in the
// store that the run used, below its limits.
func TestCopierArgs(t *testing.T) {
	canceled := &envelope.Result{TaskID: "J", Outcome: envelope.Outcome{Kind: envelope.Canceled}}
	for name, c := range map[string]struct {
		result *envelope.Result
		change func(*Runner)
		want   string
	}{
		"ended":      {&envelope.Result{TaskID: "J"}, func(*Runner) {}, "redact --raw"},
		"canceled":   {canceled, func(r *Runner) { r.cmd.MaxArtifact = 0 }, "artifact late J stdout"},
		"off":        {canceled, func(r *Runner) { r.limits.Off = true }, "redact --raw"},
		"a store":    {canceled, func(r *Runner) { r.cmd.MaxArtifact, r.O.Store = 0, "/s" }, "artifact late --store=/s J stdout"},
		"its limits": {canceled, func(r *Runner) { r.cmd.MaxArtifact = 7 }, "artifact late --most=7 J stdout"},
		"and others": {canceled, func(r *Runner) { r.cmd.MaxArtifact, r.O.StoreMax = 0, 8 }, "artifact late --store-max=8 J stdout"},
	} {
		r := newSessionRunner(t)
		c.change(r)
		if got := strings.Join(r.copierArgs(c.result, "stdout"), " "); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A job reads what its submit says: a file, or what envwrap reads where that was asked for, or
// where its caller waits and no person types.
func TestSubmissionStdin(t *testing.T) {
	file, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct {
		asked string
		in    *os.File
		wait  bool
		array *job.Array
		want  wrap.StdinMode
		line  string // what its supervisor is told
	}{
		{"auto", file, false, nil, wrap.StdinNull, ""},
		{"auto", file, true, nil, wrap.StdinAuto, "--stdin=inherit"},
		{"auto", nil, true, nil, wrap.StdinNull, "--stdin=inherit"},
		{"null", file, true, nil, wrap.StdinNull, "--stdin=inherit"},
		{"inherit", file, false, nil, wrap.StdinInherit, "--stdin=inherit"},
		{os.Args[0], nil, false, nil, wrap.StdinFile, "--stdin=inherit"},
		{"auto", file, false, &job.Array{}, wrap.StdinNull, ""},
		{"in", file, false, &job.Array{File: os.Args[0]}, wrap.StdinFile, "--stdin=in"},
	} {
		r := newSessionRunner(t)
		r.Stdin, r.O.stdin, r.O.members = c.in, c.asked, c.array
		store := handedOver(t, r.Env, job.Far{Runner: "far", ID: "J"}).Store()
		s := &submission{Runner: r, store: store, wait: c.wait, output: "out"}
		in, err := s.stdin()
		if err != nil || in.Mode != c.want {
			t.Errorf("%+v: %+v, %v", c, in, err)
		}
		if in.Mode == wrap.StdinFile {
			_ = in.File.Close()
		}
		r.Call.Option("timeout").Given = []string{"1h"}
		want := []string{"--jobs", store.Dir(), "--trace-id", r.cmd.TraceID, "--timeout=1h", "--output=out", c.line, "ID", "--", "true"}
		want = slices.DeleteFunc(want, func(word string) bool { return word == "" })
		if got := s.superviseArgs("ID"); !slices.Equal(got, want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
	r := newSessionRunner(t)
	s := &submission{Runner: r}
	before := strings.Join(s.identity(), "\n")
	if r.Call.Option("format").Given = []string{"helper"}; strings.Join(s.identity(), "\n") != before {
		t.Errorf("the form of the answer counts: %q", s.identity())
	}
	if r.Call.Option("timeout").Given = []string{"1h"}; strings.Join(s.identity(), "\n") == before {
		t.Errorf("a limit does not count: %q", s.identity())
	}
	if _, err := membersStdin(&job.Array{File: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("no file with the members")
	}
}

// Stdout gets the command's own bytes where the line leaves that to the caller, and no agent
// reads them.
func TestWantsBytes(t *testing.T) {
	for _, c := range []struct {
		emit   emission
		output string
		agent  bool
		want   bool
	}{
		{emitAlways, "", false, false},
		{emitAgent, "", false, true},
		{emitAgent, "-", false, true},
		{emitAgent, "file", false, false},
		{emitAgent, "", true, false},
		{emitAuto, "", false, true},
	} {
		r := newRunner(t)
		if r.O.emit, r.O.output = c.emit, c.output; c.agent {
			r.Environ = append(r.Environ, "CLAUDECODE=1")
		}
		if got := r.wantsBytes(); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// Where stdout has the command's bytes, stderr says what envwrap did to it.
func TestStoppedByEnvwrap(t *testing.T) {
	for _, c := range []struct {
		o        envelope.Outcome
		overflow wrap.Overflow
		want     bool
	}{
		{envelope.Outcome{}, 0, false},
		{envelope.Outcome{Code: envelope.ETIMEOUT, Timeout: envelope.NoTimeout, ExitCode: new(1)}, 0, false},
		{envelope.Outcome{Code: envelope.ETIMEOUT, Timeout: envelope.HardTimeout}, 0, true},
		{envelope.Outcome{Code: envelope.EOUTPUTTOOLARGE}, wrap.OverflowError, false},
		{envelope.Outcome{Code: envelope.EOUTPUTTOOLARGE}, wrap.OverflowKill, true},
		{envelope.Outcome{Code: envelope.ECANCELED}, 0, false},
		{envelope.Outcome{Code: envelope.ENOTFOUND}, 0, true},
		{envelope.Outcome{Code: envelope.ERUNTIME, ExitCode: new(1)}, 0, false},
		{envelope.Outcome{Code: envelope.ERUNTIME, Signal: "SIGKILL"}, 0, false},
	} {
		o := DefaultRunOptions()
		o.OnOverflow = c.overflow
		if got := o.stoppedByEnvwrap(&c.o); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// Options that need another one are refused without it.
func TestNeedsAnother(t *testing.T) {
	for name, c := range map[string]struct {
		given    map[string]string
		wait     time.Duration
		ttl      time.Duration
		idFault  bool
		keyFault bool
	}{
		"nothing":            {},
		"an id":              {given: map[string]string{"id": "J"}, idFault: true},
		"an id to wait for":  {given: map[string]string{"id": "J"}, wait: time.Second},
		"a mark":             {given: map[string]string{"if-mark": "M"}, idFault: true},
		"an input":           {given: map[string]string{"cache-input": "f"}, keyFault: true},
		"an input of a run":  {given: map[string]string{"cache-input": "f"}, ttl: time.Hour},
		"an input, turned 0": {given: map[string]string{"cache-input": "f", "cache": "0"}},
	} {
		r := newRunner(t)
		r.O.wait = c.wait
		for name, value := range c.given {
			r.Call.Option(name).Given = []string{value}
		}
		if err := r.checkID(); (err != nil) != c.idFault {
			t.Errorf("%s: %v", name, err)
		}
		if err := checkCaching(r.Call, c.ttl); (err != nil) != c.keyFault {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := checkJob(&cli.Call{Rest: []string{"make"}}); err != nil {
		t.Error(err)
	}
}

package runcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/launch"
	"github.com/envwrap/envwrap/internal/shared/limitbuf"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

// A run with --on for a runner with an engine is always a job (package job, exchange.go).
// Its record is on disk before the engine is asked for anything, and has a unique name by
// which the engine's job is found if the answer to the submit was lost. Nothing of
// envwrap lives on this machine while the engine holds the job.

// engineRow returns the runner of --on if it has an engine, else nil.
func (r *Runner) engineRow() (*cli.RunnerRow, error) {
	if r.O.on == "" {
		return nil, nil
	}
	row, err := r.Env.Runner(r.O.on)
	if err != nil || row.Engine == nil {
		return nil, err
	}
	if row.Engine, err = row.Engine.With(r.O.resources); err != nil {
		return nil, &cli.UsageError{Text: err.Error(), Hint: "`envwrap runner ls` shows what a runner submits."}
	}
	return row, nil
}

// checkEngine returns an error if the line has options that need an engine, or that
// cannot be used with one.
func (r *Runner) checkEngine() error {
	row, err := r.engineRow()
	switch {
	case err != nil:
		return err
	case row == nil && (len(r.O.resources) > 0 || r.O.queueTimeout > 0):
		return &cli.UsageError{Text: "--resources and --queue-timeout need --on with a runner that has an engine", Hint: "`envwrap runner ls` lists the runners."}
	case row == nil:
		return nil
	case r.bytes:
		return &cli.UsageError{Text: "a run that an engine holds is answered by an envelope: --emit is always", Hint: "Leave --emit out."}
	case r.O.stdin == "inherit":
		return &cli.UsageError{Text: "a run that an engine holds cannot read envwrap's own stdin", Hint: "Name a file that the runner sees, too: --stdin FILE."}
	case r.category == submitCategory && r.O.output != "":
		return &cli.UsageError{Text: "--output needs a process here, and the engine holds the job", Hint: "`envwrap job wait ID` prints the envelope."}
	}
	return nil
}

// submitToEngine makes a job of the command and has the engine hold it.
func (s *submission) submitToEngine(row *cli.RunnerRow) (*job.Submission, error) {
	self, err := s.Program()
	if err != nil {
		return nil, err
	}
	d := &job.Draft{ID: s.O.id, Mark: s.O.ifMark, Record: s.jobRecord()}
	d.Record.Dir = s.engineDir(row)
	far := d.Record.Far
	far.Engine = &job.EngineJob{Name: "envwrap-" + strings.ToLower(far.ID), Starts: s.O.Retry.Times + 1}
	if s.O.queueTimeout > 0 {
		far.Engine.Until = s.Now().Add(s.O.queueTimeout).UTC()
	}
	if s.same {
		d.Identity = s.identity()
	}
	if !s.gate.tryPass() {
		return nil, errors.New("submit a job: its caller took it back")
	}
	v, existing, err := job.Hold(job.Options{Dir: s.store.Dir(), Now: s.Now}, d)
	if err != nil || existing != nil {
		return existing, err
	}
	defer v.Close()
	e := &engineJob{Env: s.Env, store: s.store, rec: v.Record(), row: row, mask: wrap.Mask(s.cmd.Redactor)}
	ctx, end := s.untilSignal(context.Background())
	defer end()
	if err = v.WriteScript(s.script(e, self)); err == nil {
		far.Engine.ID, err = row.Engine.Submit(ctx, e.call, e.words())
	}
	if err == nil {
		_ = s.store.SetEngineID(e.rec.ID, far.Engine.ID) // else it is found by its name
		v.Leave("")
		return &job.Submission{Record: *v.Record()}, nil
	}
	v.Leave("")
	return s.unsubmitted(e, err)
}

// unsubmitted finds out what became of a submit that failed: the engine may have the job
// all the same. If it does not, the start is refused, so that the error is the truth.
func (s *submission) unsubmitted(e *engineJob, fault error) (*job.Submission, error) {
	fault = fmt.Errorf("runner %q: the command did not run: %w", e.row.Name, fault)
	ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
	defer cancel()
	id, findErr := e.row.Engine.Find(ctx, e.call, e.words())
	if id != "" {
		_ = s.store.SetEngineID(e.rec.ID, id)
		return &job.Submission{Record: *e.rec}, nil
	}
	refused, err := s.store.RefuseStart(e.rec.ID)
	switch {
	case err == nil && !refused:
		return &job.Submission{Record: *e.rec}, nil // it was started meanwhile
	case err != nil:
		return nil, errors.Join(fault, err)
	case findErr == nil:
		_ = s.store.Remove(e.rec.ID)
	default: // what comes to the engine later finds the refusal
		_, _, _ = e.conclude(e.refusedResult(envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME, Retryable: true, Message: fault.Error(), Hint: "Submit it again."}))
	}
	return nil, fault
}

// unsubmittedResult returns the record of a run that could not be submitted.
func (r *Runner) unsubmittedResult(fault error) *envelope.Result {
	res := r.Session.Refused(envelope.Outcome{
		Kind: envelope.Failure, Code: envelope.ERUNTIME, Message: fault.Error(), Hint: "`envwrap runner check " + cli.ShellQuote(r.O.on) + "` tries the runner.", ClassifiedBy: envelope.ByEnvwrap,
	})
	res.Runner, res.ExitStatus = r.O.on, cli.StatusFailed
	res.MaskTexts(wrap.Mask(r.cmd.Redactor))
	return res
}

// script returns the script of the run.
func (s *submission) script(e *engineJob, self string) string {
	o, row := s.O, e.row
	env := slices.Concat(row.Env, o.Env)
	options := []string{"--format=protocol/v1", "--detail=full", "--budget=0", "--compact", "--stream=false", "--emit=always", "--exit-code=child", "--color", "--store=" + s.store.Dir(), "--trace-id=" + s.cmd.TraceID, "--cwd=" + e.rec.Dir}
	options = append(options, s.farOptions("cwd")...)
	for _, each := range env {
		options = append(options, "--env="+each)
	}
	text := engine.Script{
		Dir: s.store.Path(e.rec.ID), Work: e.rec.Dir, Self: self, Options: options, Env: env, Argv: s.Call.Rest,
		Starts: e.rec.Far.Engine.Starts, Until: e.rec.Far.Engine.Until, Timeout: o.Timeout,
	}
	if o.stdin != "auto" && o.stdin != "null" {
		text.Stdin = s.Path(o.stdin)
	}
	return text.Text()
}

// engineDir returns the working directory of a run that an engine holds: by default where
// it is submitted, as the far side sees the same files.
func (r *Runner) engineDir(row *cli.RunnerRow) string {
	return filepath.Clean(r.Path(cmp.Or(r.O.Dir, row.Cwd, ".")))
}

// An engineJob is a job of a runner's engine.
type engineJob struct {
	*cli.Env
	store *job.Store
	rec   *job.Record
	row   *cli.RunnerRow
	mask  envelope.Mask

	program func(name string) string // finds a program of the engine; nil looks on PATH

	word      string    // what the engine last said of it
	fault     error     // why the engine could not be asked, the last time
	stopAsked time.Time // when the engine was last asked why it ended the command

	gone time.Time // since when the engine says that it is over, without a trace of the end
}

// words returns what the placeholders of the engine's commands stand for.
func (e *engineJob) words() *engine.Job {
	dir, far := e.store.Path(e.rec.ID), e.rec.Far.Engine
	return &engine.Job{
		ID: far.ID, Name: far.Name, Dir: e.rec.Dir, Script: filepath.Join(dir, "script"),
		Out: filepath.Join(dir, engine.Log), Err: filepath.Join(dir, engine.Log),
	}
}

// call runs a command of the engine.
func (e *engineJob) call(ctx context.Context, line []string) (string, string, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	out, complaint := limitbuf.NewBuffer(askMost), limitbuf.NewBuffer(askMost)
	program := line[0]
	if e.program != nil {
		program = e.program(program)
	}
	cmd := exec.CommandContext(ctx, program, line[1:]...)
	own := ownVariables(nil)
	for _, v := range e.Environ {
		if name, _, _ := strings.Cut(v, "="); !own(name) {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Dir, cmd.WaitDelay, cmd.Stdout, cmd.Stderr = e.Directory(), farKill, out, complaint
	cancelGroup(cmd)
	endWithParent(cmd)
	err := launch.Run(ctx, cmd)
	return e.mask.Text(out.String()), e.mask.Text(complaint.String()), err
}

// What envwrap knows of the command of a job that left no envelope.
const (
	neverStarted = "the command did not run"
	leftNothing  = "the command was started, and left no envelope"
)

// outcome returns how a job ended, from the engine's status and from neverStarted or
// leftNothing.
func (e *engineJob) outcome(st engine.Status, known string) envelope.Outcome {
	o := envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME}
	says := fmt.Sprintf("%s says %s of its job %s", e.row.Engine.Name(), st.Word, e.rec.Far.Engine.ID)
	if st.State == engine.Absent {
		says = e.row.Engine.Name() + " has no such job any more"
	}
	if known == neverStarted {
		o.Retryable, o.Hint = true, "Submit it again."
	}
	switch {
	case e.store.CancelAsked(e.rec.ID) || st.Cause == engine.CancelWord:
		o = envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED}
	case st.Cause == engine.TimeLimit:
		o.Kind, o.Code, o.Hint = envelope.Timeout, envelope.ETIMEOUT, "Ask for more time, as in --resources time=2:00:00."
	case st.Cause == engine.Memory:
		o.Hint = "Ask for more memory, as in --resources memory=8G."
	case st.State == engine.Preempted:
		o.Retryable, o.Hint = true, "The engine gave its place to another job. Submit it again."
	case known == leftNothing:
		o.Hint = "What it had printed is kept. Whether it did its work is for you to see."
	}
	if log, err := e.store.ReadShared(e.rec.ID, engine.Log); err == nil {
		if last := lastLine(string(log)); last != "" {
			says += fmt.Sprintf(" (%s)", strings.TrimSpace(last))
		}
	}
	o.Message = fmt.Sprintf("runner %q: %s: %s", e.row.Name, known, says)
	return o
}

// engineStatus returns the exit status of a run that left no envelope.
func engineStatus(o *envelope.Outcome) int {
	return map[envelope.Kind]int{envelope.Timeout: 124, envelope.Canceled: 143}[o.Kind]
}

// result returns the record of a run that left no envelope.
func (e *engineJob) result(o envelope.Outcome) *envelope.Result {
	o.ClassifiedBy = envelope.ByEnvwrap
	res := e.rec.Unsettled(e.Now(), o)
	res.ExitStatus = cmp.Or(engineStatus(&o), cli.StatusFailed)
	return res
}

// refusedResult returns the record of a run that did not start, and will not.
func (e *engineJob) refusedResult(o envelope.Outcome) *envelope.Result {
	res := e.result(o)
	res.Started, res.Duration = res.Ended, 0
	return res
}

// Exit statuses of timeout(1), and that of a shell for a command that a signal has ended.
const (
	bareTimedOut = 124
	bareBySignal = 128
)

// concludeBare records the end of a command that ran where no envwrap is, and left its exit
// status and its output in files. The output is masked here.
func (e *engineJob) concludeBare() (over bool, err error) {
	text, err := e.store.ReadShared(e.rec.ID, engine.ExitFile)
	if err != nil {
		return false, nil // it has not ended
	}
	status, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return false, fmt.Errorf("read the status of job %q: %w", e.rec.ID, err)
	}
	ran := wrap.Recording{Whole: true, ExitCode: status, Started: e.rec.Started, Ended: e.Now().UTC()}
	if at, ok := e.store.StartedThere(e.rec.ID); ok {
		ran.Started = at
	}
	if status > bareBySignal && status < bareBySignal+64 {
		ran.ExitCode, ran.Signal, ran.Name = -1, status-bareBySignal, signalName(status-bareBySignal)
	}
	rec := e.rec
	s := session.New(e.Session(), session.Options{
		UserOptions: session.UserOptions{
			TraceID: rec.TraceID, Meaning: wrap.Meaning{Parse: rec.View.Parse}, Store: e.store.Dir(),
			Limits: wrap.Limits{MaxCapture: rec.Limits.MaxCapture, MaxArtifact: rec.Limits.MaxArtifact, InlineLimit: rec.View.InlineLimit},
		},
		Argv: rec.Argv, TaskID: rec.ID,
	})
	defer s.Close()
	s.Prepare()
	for file, stream := range map[string]*wrap.RecordedStream{engine.RawOut: &ran.Stdout, engine.RawErr: &ran.Stderr} {
		raw, err := e.store.ReadShared(rec.ID, file)
		if err != nil {
			return false, err
		}
		stream.Bytes, stream.Masked = s.Command.Redactor.Bytes(raw)
		stream.Size = int64(len(stream.Bytes))
	}
	s.Command.Placement = envelope.Placement{Keep: envelope.KeepAll}
	replayed, err := wrap.Replay(s.Command, &ran, nil)
	if err != nil {
		return false, fmt.Errorf("read the output of job %q: %w", rec.ID, err)
	}
	res := replayed.Result
	if status == bareTimedOut && rec.Limits.Timeout > 0 {
		o := &res.Outcome
		o.Kind, o.Code, o.Retryable, o.ClassifiedBy = envelope.Timeout, envelope.ETIMEOUT, true, envelope.ByEnvwrap
		o.Message = fmt.Sprintf("%s timed out after %s", res.Tool, rec.Limits.Timeout.Round(time.Millisecond))
		res.ExitStatus = bareTimedOut
	}
	if e.store.CancelAsked(rec.ID) && status != 0 {
		o := &res.Outcome
		o.Kind, o.Code, o.Message, o.ClassifiedBy = envelope.Canceled, envelope.ECANCELED, res.Tool+" was canceled", envelope.ByEnvwrap
		res.ExitStatus = engineStatus(o)
	}
	res.Workspace = rec.Workspace
	res.Warnings = append(res.Warnings, fmt.Sprintf("%s runner %q ran the command: its output was not masked there", noEnvwrapThere, e.row.Name))
	over, _, err = e.conclude(res)
	return over, err
}

// noEnvwrapThere begins the warning about such a run.
const noEnvwrapThere = "no envwrap was found where"

// signalName returns the name of a signal as Linux numbers it.
func signalName(n int) string {
	if names := strings.Fields(linuxSignals); n >= 1 && n <= len(names) {
		return "SIG" + names[n-1]
	}
	return ""
}

package runcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/platform/launch"
	"github.com/envwrap/envwrap/internal/shared/limitbuf"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/redact"
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
	case r.O.events.stream && r.Call.Option("stream").From < cli.InAFile:
		return &cli.UsageError{Text: "--stream needs a process here, and the engine holds the job", Hint: "Leave it out, or follow a job: envwrap job submit, then envwrap job tail -f."}
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
	d := &job.Draft{ID: s.O.id, Mark: s.O.ifMark, Record: s.groupRecord()}
	if !row.Engine.Apart() {
		d.Record.Dir = s.engineDir(row)
	}
	far := d.Record.Far
	far.Engine = &job.EngineJob{Name: engineName(far.ID), Starts: s.O.Retry.Times + 1}
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
	if e.rec.Array != nil {
		if err := v.MakeMembers(); err != nil {
			v.Forget()
			return nil, err
		}
	}
	script := s.script(e, self)
	if err = v.WriteScript(script + s.bareNote(row)); err == nil {
		what := e.words()
		what.Text, what.Starts = script, far.Engine.Starts
		far.Engine.ID, err = row.Engine.Submit(ctx, e.callWithin(engineSubmitMost), what)
	}
	if err == nil {
		_ = s.store.SetEngineID(e.rec.ID, far.Engine.ID) // else it is found by its name
		v.Leave("")
		sub := &job.Submission{Record: *v.Record()}
		s.publish(row, &sub.Record)
		return sub, nil
	}
	v.Leave("")
	return s.unsubmitted(e, err)
}

// unsubmitted finds out what became of a submit that failed: the engine may have the job
// all the same. If it does not, the start is refused, so that the error is the truth.
func (s *submission) unsubmitted(e *engineJob, fault error) (*job.Submission, error) {
	fault = fmt.Errorf("runner %q: the command did not run: %w", e.row.Name, fault)
	ctx, most := context.Background(), engineAnswerMost
	if errors.Is(fault, farend.ErrSignal) {
		most = engineStop
	}
	id, findErr := e.row.Engine.Find(ctx, e.callWithin(most), e.words())
	if id != "" {
		_ = s.store.SetEngineID(e.rec.ID, id)
		return &job.Submission{Record: *e.rec}, nil
	}
	if row := e.row.Engine; row.Apart() && !errors.Is(fault, engine.ErrRejected) {
		e.Complain(fmt.Errorf("%w: whether it has the job is asked again", fault))
		return &job.Submission{Record: *e.rec}, nil
	}
	o := envelope.Outcome{
		Kind: envelope.Failure, Code: envelope.ERUNTIME, Message: fault.Error(),
		Retryable: !errors.Is(fault, engine.ErrRejected) && !errors.Is(fault, exec.ErrNotFound) && !errors.Is(fault, fs.ErrNotExist),
		Hint:      "`envwrap runner check " + cli.ShellQuote(e.row.Name) + "` tries the runner.", ClassifiedBy: envelope.ByEnvwrap,
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
		_, _, _ = e.conclude(ctx, e.refusedResult(o))
	}
	return nil, &farend.UnknownError{Outcome: o}
}

// unsubmittedResult returns the record of a run that could not be submitted.
func (r *Runner) unsubmittedResult(fault error) *envelope.Result {
	o := envelope.Outcome{Kind: envelope.Failure, Code: envelope.EIO, Message: fault.Error(), ClassifiedBy: envelope.ByEnvwrap}
	if by, ok := errors.AsType[*farend.UnknownError](fault); ok {
		o = by.Outcome
	}
	res := r.Session.Refused(o)
	res.Runner, res.ExitStatus = r.O.on, cli.StatusFailed
	res.MaskTexts(wrap.Mask(r.cmd.Redactor))
	return res
}

// script returns the script of the run.
func (s *submission) script(e *engineJob, self string) string {
	o, row := s.O, e.row
	env := slices.Concat(row.Env, o.Env)
	options := []string{"--format=protocol/v1", "--detail=full", "--budget=0", "--compact", "--stream=false", "--emit=always", "--exit-code=child", "--color", "--trace-id=" + s.cmd.TraceID}
	work, apart := e.rec.Dir, row.Engine.Apart()
	if apart { // its files are its own
		work = cmp.Or(o.Dir, row.Cwd)
		options = append(options, "--inline-limit=64MiB", "--parse=text")
	} else {
		options = append(options, "--store="+s.store.Dir())
	}
	if work != "" {
		options = append(options, "--cwd="+work)
	}
	options = append(options, s.farOptions("cwd")...)
	var export []string
	for _, each := range env {
		if !o.CleanEnv && len(redact.EnvValues([]string{each})) > 0 {
			export = append(export, each)
		} else {
			options = append(options, "--env="+each)
		}
	}
	text := engine.Script{
		Name: e.rec.Far.Engine.Name, Dir: s.store.Path(e.rec.ID), Work: work, Self: self, Options: options, Export: export, Env: env, Argv: s.Call.Rest,
		Starts: e.rec.Far.Engine.Starts, Until: e.rec.Far.Engine.Until, Timeout: o.Timeout, KillAfter: o.KillAfter,
	}
	if o.stdin != "auto" && o.stdin != "null" {
		text.Stdin = s.Path(o.stdin)
	}
	switch a := s.O.members; {
	case a != nil && apart:
		numbers := cmp.Or(a.Only, fmt.Sprintf("%d-%d", a.First, a.First+a.Members-1))
		var lines []byte
		if a.File != "" {
			lines, _ = os.ReadFile(a.File) // takeArray has read it
		}
		return text.ApartMember(row.Engine.Task(), numbers, string(lines))
	case a != nil:
		return text.Array(row.Engine.Task(), a.File)
	case row.Engine.Marked():
		return text.Marked(row.Engine.OwnLog(e.words()))
	case apart:
		return text.Apart()
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

	unit      string          // what last ran its command
	fault     error           // why the engine could not be asked, the last time
	strange   bool            // what it said last is no state that is known
	hurried   bool            // its caller has no time to wait for what can fail
	queued    bool            // the engine's last word is that it has not started
	dropped   bool            // it was canceled, and may go on: see mayGoOn
	waits     map[string]bool // words of the engine that were shown while the job waits
	stopAsked time.Time       // when the engine was last asked why it ended the command

	lines    []string          // of the group's file; nil before the first is needed
	missed   map[int]time.Time // when the log of a member of the group could first not be read
	brought  bool              // members of the group have ended whose logs were not read yet
	lost     string            // why what it printed is lost; "" if it is not
	unread   string            // why what it printed does not say whether it was started; "" if it does
	follow   bool              // somebody follows what it prints
	shown    io.Writer         // masks what is shown of a marked log, to those who follow it; nil if none was shown
	shownTo  int               // how much of it was shown
	endShown func()            // ends shown
	copying  chan struct{}     // closed once all that it printed was copied; nil if it is not copied

	gone time.Time // since when the engine says that it is over, without a trace of the end
}

// words returns what the placeholders of the engine's commands stand for.
func (e *engineJob) words() *engine.Job {
	dir, far := e.store.Path(e.rec.ID), e.rec.Far.Engine
	script := filepath.Join(dir, "script")
	if len(e.row.Command) > 0 { // it runs the submit elsewhere
		script = engine.StdinScript
	}
	what := &engine.Job{
		ID: far.ID, Name: far.Name, Dir: e.rec.Dir, Script: script,
		Out: filepath.Join(dir, engine.Log), Err: filepath.Join(dir, engine.Log), Unit: e.unit, Array: arrayWord(e.rec.Array),
	}
	if a := e.rec.Array; a != nil {
		what.Members, what.Parallel = a.Members, a.Parallel
	}
	if e.row.Engine != nil && e.row.Engine.Apart() { // where the engine puts them
		what.Out, what.Err = far.Name+".log", far.Name+".err"
	}
	return what
}

// arrayWord returns the members of a group as sbatch(1) names them; "" for any other job.
func arrayWord(a *job.Array) string {
	if a == nil {
		return ""
	}
	word := cmp.Or(a.Only, fmt.Sprintf("%d-%d", a.First, a.First+a.Members-1))
	if a.Parallel < a.Members {
		word += fmt.Sprintf("%%%d", a.Parallel)
	}
	return word
}

// call runs a command of the engine that answers a question.
func (e *engineJob) call(ctx context.Context, line []string, input string) (string, string, error) {
	return e.callWithin(engineAnswerMost)(ctx, line, input)
}

// callWithin returns a Caller that runs commands of the engine, each for at most that long.
func (e *engineJob) callWithin(most time.Duration) engine.Caller {
	return func(ctx context.Context, line []string, input string) (string, string, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, most, noAnswer(most))
		defer cancel()
		out := limitbuf.NewBuffer(farend.AnswerMost)
		complaint, err := e.pass(ctx, line, input, out)
		return e.mask.Text(out.String()), complaint, err
	}
}

// A noAnswer is the error of a command of an engine that was ended because it took longer.
type noAnswer time.Duration

func (d noAnswer) Error() string { return "no answer within " + time.Duration(d).String() }

// readLog runs a command of the engine that prints a log, for as long as something comes.
func (e *engineJob) readLog(ctx context.Context, line []string, out io.Writer) (complaint string, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stall := time.AfterFunc(engineAnswerMost, func() { cancel(noAnswer(engineAnswerMost)) })
	defer stall.Stop()
	return e.pass(ctx, line, "", &steadyWriter{out, stall})
}

// A steadyWriter starts a timer again with each write.
type steadyWriter struct {
	io.Writer
	stall *time.Timer
}

func (w *steadyWriter) Write(p []byte) (int, error) {
	w.stall.Reset(engineAnswerMost)
	return w.Writer.Write(p)
}

// pass runs a command of the engine, with the prefix of the runner if it has one. The
// output goes to out as it is. Once ctx is done all processes of its group are killed; the
// error then is the cause.
func (e *engineJob) pass(ctx context.Context, line []string, input string, out io.Writer) (string, error) {
	complaint := limitbuf.NewBuffer(farend.AnswerMost)
	if len(e.row.Command) > 0 {
		line = e.row.Call(e.Session().NewULID(), line...)
	}
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
	cmd.Dir, cmd.WaitDelay, cmd.Stdout, cmd.Stderr = e.Directory(), engineKill, out, complaint
	if input != "" {
		cmd.Stdin = strings.NewReader(input)
	}
	launch.InGroup(cmd)
	launch.EndWithParent(cmd)
	err := launch.Run(ctx, cmd)
	if ctx.Err() != nil && err != nil {
		launch.KillGroup(cmd)
		err = context.Cause(ctx)
	} else if errors.Is(err, exec.ErrWaitDelay) { // it has ended well, and left a process that has its stdout
		err = nil
	}
	return e.mask.Text(complaint.String()), err
}

package runcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/enginejob"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// A run with --on for a runner with an engine is always a job (package job, exchange.go).
// Its record is on disk before the engine is asked for anything, and has a unique name by
// which the engine's job is found if the answer to the submit was lost. Nothing of
// envwrap lives on this machine while the engine holds the job.

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
	e := &enginejob.Job{Env: s.Env, Inherit: callEnviron(s.Env), Store: s.store, Record: v.Record(), Row: row, Mask: wrap.Mask(s.cmd.Redactor)}
	ctx, end := s.untilSignal(context.Background())
	defer end()
	if e.Record.Array != nil {
		if err := v.MakeMembers(); err != nil {
			v.Forget()
			return nil, err
		}
	}
	script := s.script(e, self)
	if err = v.WriteScript(script + s.bareNote(row)); err == nil {
		what := e.Words()
		what.Text, what.Starts = script, far.Engine.Starts
		far.Engine.ID, err = row.Engine.Submit(ctx, e.CallWithin(enginejob.SubmitMost), what)
	}
	if err == nil {
		_ = s.store.SetEngineID(e.Record.ID, far.Engine.ID) // else it is found by its name
	}
	v.Leave("")
	sub := &job.Submission{Record: *v.Record()}
	if err != nil {
		sub, err = s.unsubmitted(e, err)
	}
	if err == nil {
		s.publish(row, &sub.Record)
	}
	return sub, err
}

// unsubmitted finds out what became of a submit that failed: the engine may have the job
// all the same. If it does not, the start is refused, so that the error is the truth.
func (s *submission) unsubmitted(e *enginejob.Job, fault error) (*job.Submission, error) {
	fault = fmt.Errorf("runner %q: the command did not run: %w", e.Row.Name, fault)
	ctx, most := context.Background(), enginejob.AnswerMost
	if errors.Is(fault, farend.ErrSignal) {
		most = enginejob.StopMost
	}
	id, findErr := e.Row.Engine.Find(ctx, e.CallWithin(most), e.Words())
	if id != "" {
		_ = s.store.SetEngineID(e.Record.ID, id)
		return &job.Submission{Record: *e.Record}, nil
	}
	if row := e.Row.Engine; row.Apart() && !errors.Is(fault, engine.ErrRejected) {
		e.Complain(fmt.Errorf("%w: whether it has the job is asked again", fault))
		return &job.Submission{Record: *e.Record}, nil
	}
	o := envelope.Outcome{
		Kind: envelope.Failure, Code: envelope.ERUNTIME, Message: fault.Error(),
		Retryable: !errors.Is(fault, engine.ErrRejected) && !errors.Is(fault, exec.ErrNotFound) && !errors.Is(fault, fs.ErrNotExist),
		Hint:      "`envwrap runner check " + hints.Quote(e.Row.Name) + "` tries the runner.", ClassifiedBy: envelope.ByEnvwrap,
	}
	refused, err := s.store.RefuseStart(e.Record.ID)
	switch {
	case err == nil && !refused:
		return &job.Submission{Record: *e.Record}, nil // it was started meanwhile
	case err != nil:
		return nil, errors.Join(fault, err)
	case findErr == nil:
		_ = s.store.Remove(e.Record.ID)
	default: // what comes to the engine later finds the refusal
		_, _, _ = e.Conclude(ctx, e.RefusedResult(o))
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
func (s *submission) script(e *enginejob.Job, self string) string {
	o, row := s.O, e.Row
	env := slices.Concat(row.Env, o.Env)
	options := []string{"--format=protocol/v1", "--detail=full", "--budget=0", "--compact", "--stream=false", "--emit=always", "--exit-code=child", "--color", "--trace-id=" + s.cmd.TraceID}
	work, apart := e.Record.Dir, row.Engine.Apart()
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
		Name: e.Record.Far.Engine.Name, Dir: s.store.Path(e.Record.ID), Work: work, Self: self, Options: options, Export: export, Env: env, Argv: s.Call.Rest,
		Starts: e.Record.Far.Engine.Starts, Until: e.Record.Far.Engine.Until, Timeout: o.Timeout, KillAfter: o.KillAfter,
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
		return text.Marked(row.Engine.OwnLog(e.Words()))
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

// unheldOptions are those that the script does without, and that change what the command does
// or what its answer says.
const unheldOptions = "clean-env exit-map idle-timeout merge non-interactive ok-exit on-overflow"

// bareNote returns the end of the script: secrets that are given to the command, and options
// that do not hold without envwrap; "" if there are none.
func (s *submission) bareNote(row *cli.RunnerRow) string {
	note := enginejob.Note{Dir: cmp.Or(s.O.Dir, row.Cwd)}
	env := slices.Concat(row.Env, s.O.Env)
	for _, v := range slices.Concat(redact.EnvValues(env), s.Session.Options.Secrets) {
		if v.Secret != "" && slices.ContainsFunc(env, func(each string) bool { return strings.HasSuffix(each, "="+v.Secret) }) {
			note.Values = append(note.Values, enginejob.NoteValue{Rule: v.Rule, Secret: v.Secret})
		}
	}
	for name := range strings.FieldsSeq(unheldOptions) {
		if len(s.Call.Option(name).Given) > 0 {
			note.Unheld = append(note.Unheld, "--"+name)
		}
	}
	return note.Text()
}

package runcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/enginejob"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

// waits reports whether the run becomes a job for which envwrap waits a while (--wait).
// On a system without jobs it stays in the foreground to its end, and its envelope says
// so, unless --if-mark demands a job. A run that an engine holds is a job, and without
// --wait envwrap waits for its end.
func (r *Runner) waits() (bool, error) {
	row, err := r.engineRow()
	if err == nil {
		err = r.checkEngine()
	}
	if err != nil || r.O.wait == 0 && row == nil || r.bytes {
		return false, err
	}
	store, err := OpenJobs(r.Env, r.O.Store)
	if err != nil && (r.O.ifMark != "" || row != nil) {
		return false, err
	}
	if err != nil {
		r.staysForeground(err)
		return false, nil
	}
	r.jobs = store
	return true, nil
}

func (r *Runner) staysForeground(err error) {
	r.jobs = nil
	r.cmd.Warnings = append(r.cmd.Warnings, "--wait: it ran in the foreground: "+err.Error())
}

// runAsJob runs the command as a job and waits for it. If the job ends in time, answer
// and status describe a run; else the answer acknowledges the job. It returns false
// if there is no job.
func runAsJob(ctx context.Context, r *Runner) (bool, error) {
	defer r.jobs.Close()
	s := &submission{Runner: r, store: r.jobs, wait: true}
	sub, err := s.submit()
	if _, wrong := errors.AsType[*cli.UsageError](err); wrong {
		return true, r.refuse(err)
	}
	if code, ok := submitCode(err); ok || err != nil && r.O.ifMark != "" {
		return true, r.report(wrap.Refused, code, &cli.UsageError{Text: err.Error(), Hint: "Nothing was run."})
	}
	if err != nil && r.O.on == "" {
		r.staysForeground(err)
		return false, nil
	}
	if err != nil {
		return true, r.finish(r.unsubmittedResult(err))
	}
	rec, by, err := s.await(ctx, sub.Record.ID)
	if errors.Is(err, job.ErrElsewhere) {
		var lost *envelope.Result
		if rec, lost, err = AskRunner(ctx, r.Env, r.jobs, rec, farend.AskState); err == nil && lost != nil {
			return true, r.finish(lost)
		} else if err == nil && !rec.State.Over() {
			err = job.ErrRunning
		}
	}
	switch {
	case errors.Is(err, job.ErrRunning):
		sub.Record = *rec
		if err := s.acknowledge(sub); err != nil {
			r.say("cannot write the envelope: " + err.Error())
			return true, cli.Status(cli.StatusFailed)
		}
		return true, cli.Status(StatusTemporary)
	case err != nil:
		return true, r.finish(s.unknownEnd(&sub.Record, err))
	}
	r.ranAsJob = true
	result, err := r.jobs.Result(rec.ID)
	if err != nil {
		return true, r.finish(s.unknownEnd(rec, err))
	}
	if n, ok := by.(syscall.Signal); ok {
		setStopped(result, n)
	}
	if result.TaskID = result.JobID; r.O.id == "" {
		result.JobID = "" // to its caller it was no job
	}
	encoding := r.encodeOptions()
	layout := JobLayout{dialect: r.O.Format, encoding: encoding, limit: r.O.InlineLimit, parse: r.O.Parse}
	layout.InlineOutput(r.jobs, result)
	if rec.InEngine() {
		result.Warnings = append(result.Warnings, r.jobWarnings()...)
	}
	return true, r.finish(result)
}

// setStopped makes the record of a job that envwrap was asked to end, by the signal n, that of a
// run that was: its status says so, however the command has ended.
func setStopped(res *envelope.Result, n syscall.Signal) {
	o := &res.Outcome
	if before, _, far := strings.Cut(o.Message, stoppedBy); far { // by the signal that came through the runner
		o.Message = before + stoppedBy + farend.SignalName(int(n))
	}
	if o.OK() {
		*o = envelope.Outcome{
			Kind: envelope.Canceled, Code: envelope.ECANCELED, ExitCode: o.ExitCode, ClassifiedBy: envelope.ByEnvwrap,
			Message: res.Tool + stoppedBy + farend.SignalName(int(n)) + ", and the command had ended by itself",
		}
	}
	res.ExitStatus = 128 + int(n)
}

// submitCode returns the code of an answer to a submit that is refused because of other
// jobs, or EIO.
func submitCode(err error) (code envelope.Code, refused bool) {
	for _, f := range jobFaults() {
		if errors.Is(err, f.is) {
			return f.code, f.code == envelope.EPOLICY || f.code == envelope.ENOTFOUND
		}
	}
	return envelope.EIO, false
}

// unknownEnd returns the record of a run that was submitted as a job, whose end cannot be
// learned.
func (s *submission) unknownEnd(rec *job.Record, fault error) *envelope.Result {
	if by, ok := errors.AsType[*enginejob.Unrecorded](fault); ok {
		by.End.Warnings = append(by.End.Warnings, fault.Error())
		return by.End
	}
	o := envelope.Outcome{Kind: envelope.Failure, Code: envelope.EIO, ClassifiedBy: envelope.ByEnvwrap, Message: fault.Error()}
	if by, ok := errors.AsType[*farend.UnknownError](fault); ok {
		o = by.Outcome
	}
	o.Retryable = false // the command may go on
	o.Hint = fmt.Sprintf("It may go on: `envwrap job status %[1]s` tells, `envwrap job cancel %[1]s` ends it.", rec.ID)
	res := rec.Unsettled(s.Now(), o)
	res.MaskTexts(wrap.Mask(s.cmd.Redactor))
	return res
}

// await waits for a job that has --wait to end, and shows its output where
// that was asked for. A signal that asks us to end cancels it.
func (s *submission) await(ctx context.Context, id string) (*job.Record, os.Signal, error) {
	ctx, cancel := context.WithCancel(ctx)
	if s.O.wait > 0 {
		ctx, cancel = context.WithTimeout(ctx, s.O.wait)
	}
	defer cancel()
	type end struct {
		rec *job.Record
		err error
	}
	over := make(chan end, 1)
	go func() {
		rec, err := s.watch(ctx, id)
		over <- end{rec, err}
	}()
	for {
		select {
		case e := <-over:
			return e.rec, nil, e.err
		case sig := <-s.signals:
			if wrap.Cancels(sig) {
				cancel()
				end := time.AfterFunc(s.O.KillAfter, s.readers.GiveUp)
				<-over
				end.Stop()
				ctx := context.WithoutCancel(ctx)
				rec, err := s.store.Cancel(ctx, id)
				if errors.Is(err, job.ErrElsewhere) && rec.InEngine() {
					var lost *envelope.Result
					if rec, lost, err = AskRunner(ctx, s.Env, s.store, rec, farend.AskCancel); err == nil && lost != nil {
						err = &farend.UnknownError{Outcome: lost.Outcome}
					}
				}
				if err == nil && !rec.State.Over() {
					err = errors.New("it was asked to end, and goes on")
				}
				return rec, sig, err
			}
		}
	}
}

// watch is [job.Store.Wait], with the job's output shown live.
func (s *submission) watch(ctx context.Context, id string) (*job.Record, error) {
	stdout, stderr := live(s.Env, s.O, s.readers)
	if stdout == nil && stderr == nil {
		return s.waitFor(ctx, id)
	}
	ctx, settled := SettleLater(ctx, s.Env, s.store, id)
	defer settled()
	rec, err := s.store.Follow(ctx, id, -1, func(of job.Stream, p []byte) error {
		if to := map[job.Stream]io.Writer{job.Stdout: stdout, job.Stderr: stderr}[of]; to != nil {
			_, _ = to.Write(p) // that nobody looks on changes nothing for the command
		}
		return nil
	})
	if errors.Is(err, ctx.Err()) && err != nil {
		return s.waitFor(ctx, id)
	}
	return rec, err
}

// waitFor is [job.Store.Wait], also for a job that an engine holds.
func (s *submission) waitFor(ctx context.Context, id string) (*job.Record, error) {
	rec, err := s.store.Wait(ctx, id)
	return AwaitEngine(ctx, s.Env, s.store, rec, err)
}

// AwaitEngine waits for the end of a job that an engine holds, after rec and fault were
// the answer of [job.Store.Wait]. For other jobs it returns these.
func AwaitEngine(ctx context.Context, env *cli.Env, s *job.Store, rec *job.Record, fault error) (*job.Record, error) {
	if !errors.Is(fault, job.ErrElsewhere) || !rec.InEngine() {
		return rec, fault
	}
	now, lost, err := enginejob.Ask(ctx, env, callEnviron(env), s, rec, farend.AskEnd)
	switch {
	case err != nil:
		return now, err
	case lost != nil:
		return rec, fault
	case !now.State.Over():
		return now, fmt.Errorf("job %q: %w", now.ID, job.ErrRunning)
	}
	return now, nil
}

// TailJob returns the last lines of each stream of a job, as [job.Store.Tail] does. Of a job
// that an engine holds it brings the output to the store first, if the engine keeps that; of one
// that runs at a far end, and whose output does not come here, it asks that.
func TailJob(ctx context.Context, env *cli.Env, s *job.Store, id string, lines, limit int) (stdout, stderr []byte, rec *job.Record, err error) {
	if rec, err = s.Get(id); err == nil && rec.InEngine() && !rec.State.Over() {
		if row, err := env.Runner(rec.Far.Runner); err == nil && row.Engine != nil && row.Engine.Apart() {
			_, _, _ = enginejob.Ask(ctx, env, callEnviron(env), s, rec, farend.AskState) // if that fails, this machine shows the output that it has
		}
	}
	stdout, stderr, rec, err = s.Tail(id, lines, int64(limit))
	if err != nil || len(stdout)+len(stderr) > 0 || rec.Far == nil || rec.InEngine() || rec.Array != nil || rec.State.Over() {
		return stdout, stderr, rec, err
	}
	stdout, stderr, err = farend.Tail(ctx, env, callEnviron(env), rec, lines)
	return stdout[max(0, len(stdout)-limit):], stderr[max(0, len(stderr)-limit):], rec, err
}

// SettleLater records the end of a job that an engine holds, while its caller follows the
// output. The context that it returns ends if that end cannot be learned. The caller calls
// stop.
func SettleLater(ctx context.Context, env *cli.Env, s *job.Store, id string) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	rec, err := s.Get(id)
	if err != nil || !rec.InEngine() || rec.State.Over() {
		return ctx, cancel
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if now, _, err := enginejob.Ask(ctx, env, callEnviron(env), s, rec, farend.AskFollow); err != nil || !now.State.Over() {
			cancel()
		}
	}()
	return ctx, func() {
		cancel()
		<-done
	}
}

// stoppedBy precedes the signal in the message of a run that was canceled.
const stoppedBy = " was stopped: envwrap got "

// AskRunner asks the far end of a job for which [job.Store.Elsewhere] is true, or the engine
// that holds it, what became of it, and records its end. The record that it returns is over,
// or says that the job runs there. lost, if not nil, is the record of the run where that is
// not known.
func AskRunner(ctx context.Context, env *cli.Env, s *job.Store, rec *job.Record, q farend.Question) (now *job.Record, lost *envelope.Result, err error) {
	if rec.InEngine() {
		return enginejob.Ask(ctx, env, callEnviron(env), s, rec, q)
	}
	return farend.Ask(ctx, env, callEnviron(env), s, rec, q)
}

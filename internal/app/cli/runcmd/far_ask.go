package runcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/job"
)

// A FarQuestion is a verb's question about a job whose runner has to be asked.
type FarQuestion int

const (
	FarResult FarQuestion = iota // asks for the state now
	FarEnd                       // waits for the end
	FarCancel                    // ends the job
	farFollow                    // FarEnd, while somebody follows the output
)

// AskRunner asks the far end of a job for which [job.Store.Elsewhere] is true what became
// of it, and records its end. The record that it returns is over, or says that the job
// runs there. lost, if not nil, is the record of the run where that is not known.
func AskRunner(ctx context.Context, env *cli.Env, s *job.Store, rec *job.Record, q FarQuestion) (now *job.Record, lost *envelope.Result, err error) {
	if rec.InEngine() {
		return askEngine(ctx, env, s, rec, q)
	}
	row, err := env.Runner(rec.Far.Runner)
	if err != nil {
		lost = rec.Unsettled(env.Now(), farUnasked(rec, err))
		lost.MaskTexts(env.Mask())
		return rec, lost, nil
	}
	f := newFarSide(env, row, *rec.Far)
	a := f.answer(ctx, q)
	var res *envelope.Result
	switch a.farJobState {
	case farRunning:
		return rec, nil, nil
	case farDone:
		res = f.late(ctx, s, rec, a.run)
	default:
		cut := cmp.Or(rec.Far.Cut, "the connection ended without one")
		o := f.outcome(a, cut, jobCommand(env, storeOf(env, s))+" wait "+rec.ID)
		if q == FarCancel && a.farJobState == farRefused {
			o.Kind, o.Code, o.Retryable, o.Hint = envelope.Canceled, envelope.ECANCELED, false, ""
		}
		res = rec.Unsettled(env.Now(), o)
		res.Runner = row.Name
	}
	res.MaskTexts(f.mask)
	if a.farJobState == farUnknown {
		return rec, res, nil
	}
	now, err = s.Conclude(rec.ID, res)
	return now, nil, err
}

// farUnasked is the outcome where the runner cannot be asked.
func farUnasked(rec *job.Record, err error) envelope.Outcome {
	there, hint := rec.Far.ID, "Ask again with the runner in your configuration"
	if held := rec.Far.Engine; held != nil {
		there = strings.TrimSpace(held.ID + " " + held.Name)
	}
	why := err.Error()
	if wrong, ok := errors.AsType[*cli.UsageError](err); ok {
		why, hint = wrong.Text, strings.TrimSpace(wrong.Hint+" Ask again then")
	}
	return envelope.Outcome{
		Kind: envelope.Failure, Code: envelope.ERUNTIME, ClassifiedBy: envelope.ByEnvwrap,
		Message: fmt.Sprintf("runner %q cannot be asked, so that whether the command ran is not known: %s", rec.Far.Runner, why),
		Hint:    hint + ": its job there is " + there + ".",
	}
}

// answer asks a question.
func (f *farSide) answer(ctx context.Context, q FarQuestion) farAnswer {
	if q == FarCancel {
		return f.cancel(ctx, askTimeout)
	}
	a := f.resultsOrAgain(ctx, askTimeout)
	if a.farJobState == farRunning && q == FarEnd {
		a = f.follow(ctx)
	}
	return a
}

// late makes the record of a far run that of a job here, and fetches the artifacts that
// it names.
func (f *farSide) late(ctx context.Context, s *job.Store, rec *job.Record, far *envelope.Result) *envelope.Result {
	far.ExitStatus = farStatus(far)
	if far.Exec != nil {
		far.Exec.ExitStatus = far.ExitStatus
	}
	withdrawRetry(far)
	far.Runner, far.Command, far.JobID, far.TaskID = f.row.Name, rec.Command, rec.ID, rec.ID
	far.RequestID, far.TraceID, far.Agent = rec.RequestID, rec.TraceID, rec.Agent
	far.Warnings = append(far.Warnings, fmt.Sprintf("this is what job %s on runner %q has left", f.far.ID, f.row.Name))
	digests := far.Digests()
	if len(digests) == 0 {
		return far
	}
	store, err := artifact.Open(artifact.Options{Dir: s.Dir(), Now: f.Now, Run: rec.ID, NoMaintenance: true})
	if err == nil {
		defer store.Close()
		err = f.fetch(ctx, store, digests, rec.Limits.MaxArtifact)
	}
	if err != nil {
		far.Warnings = append(far.Warnings, onlyThere(f.row, err))
	}
	return far
}

// jobCommand returns how the verbs about jobs are called, for a store that was named; ""
// is the default one.
func jobCommand(env *cli.Env, store string) string {
	if store == "" {
		return "envwrap job"
	}
	return "envwrap --store " + cli.ShellQuote(env.Path(store)) + " job"
}

// storeOf returns the name of a store that is not one where jobs are looked for by
// default.
func storeOf(env *cli.Env, s *job.Store) string {
	for _, dir := range env.StoreDirs("") {
		if dir == s.Dir() {
			return ""
		}
	}
	return s.Dir()
}

package farend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/job"
)

// A Question is a verb's question about a job whose runner has to be asked.
type Question int

const (
	AskState  Question = iota // asks for the state now
	AskEnd                    // waits for the end
	AskCancel                 // ends the job
	AskFollow                 // AskEnd, while somebody follows the output
)

// Ask asks the far end of a job what became of it, and records its end. The record that it
// returns is over, or says that the job runs there. lost, if not nil, is the record of the run
// where that is not known. inherit is the environment of the calls.
func Ask(ctx context.Context, env *cli.Env, inherit []string, s *job.Store, rec *job.Record, q Question) (now *job.Record, lost *envelope.Result, err error) {
	row, err := env.Runner(rec.Far.Runner)
	if err != nil {
		lost = rec.Unsettled(env.Now(), Unasked(rec, err))
		lost.MaskTexts(env.Mask())
		return rec, lost, nil
	}
	f := New(env, inherit, row, *rec.Far)
	a := f.answer(ctx, q)
	var res *envelope.Result
	switch a.State {
	case Running:
		return rec, nil, nil
	case Done:
		res = f.late(ctx, s, rec, a.Run)
	default:
		cut := cmp.Or(rec.Far.Cut, "the connection ended without one")
		o := f.Outcome(a, cut, JobCommand(env, StoreOf(env, s))+" wait "+rec.ID)
		if q == AskCancel && a.State == Refused {
			o.Kind, o.Code, o.Retryable, o.Hint = envelope.Canceled, envelope.ECANCELED, false, ""
		}
		res = rec.Unsettled(env.Now(), o)
		res.Runner = row.Name
	}
	res.MaskTexts(f.Mask)
	if a.State == Unknown {
		return rec, res, nil
	}
	now, err = s.Conclude(rec.ID, res)
	return now, nil, err
}

// Unasked is the outcome where the runner cannot be asked.
func Unasked(rec *job.Record, err error) envelope.Outcome {
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
func (f *Side) answer(ctx context.Context, q Question) Answer {
	if q == AskCancel {
		return f.Cancel(ctx, AskTimeout)
	}
	a := f.ResultsOrAgain(ctx, AskTimeout)
	if a.State == Running && q == AskEnd {
		a = f.Follow(ctx)
	}
	return a
}

// Tail asks the far end for the last lines of each stream of a job. inherit is the environment
// of the call.
func Tail(ctx context.Context, env *cli.Env, inherit []string, rec *job.Record, lines int) (stdout, stderr []byte, err error) {
	row, err := env.Runner(rec.Far.Runner)
	if err != nil {
		return nil, nil, err
	}
	f := New(env, inherit, row, *rec.Far)
	ctx, cancel := context.WithTimeout(ctx, AskTimeout)
	defer cancel()
	text, err := f.Call(ctx, "job", "tail", "--json", "--lines="+strconv.Itoa(lines), "--format=protocol/v1", "--detail=full", f.Far.ID)
	for _, res := range Envelopes(text) {
		if j := res.Jobs; res.JobID == f.Far.ID && j != nil && j.Stdout != nil && j.Stderr != nil {
			stdout, _ = j.Stdout.Content()
			stderr, _ = j.Stderr.Content()
			return stdout, stderr, nil
		}
	}
	return nil, nil, fmt.Errorf("ask runner %q what job %s has printed: %w", row.Name, f.Far.ID, cmp.Or(err, errors.New("it does not say that")))
}

// late makes the record of a far run that of a job here, and fetches the artifacts that
// it names.
func (f *Side) late(ctx context.Context, s *job.Store, rec *job.Record, far *envelope.Result) *envelope.Result {
	far.ExitStatus = Status(far)
	if far.Exec != nil {
		far.Exec.ExitStatus = far.ExitStatus
	}
	WithdrawRetry(far)
	far.Runner, far.Command, far.JobID, far.TaskID = f.Row.Name, rec.Command, rec.ID, rec.ID
	far.RequestID, far.TraceID, far.Agent = rec.RequestID, rec.TraceID, rec.Agent
	far.Warnings = append(far.Warnings, fmt.Sprintf("this is what job %s on runner %q has left", f.Far.ID, f.Row.Name))
	digests := far.Digests()
	if len(digests) == 0 {
		return far
	}
	store, err := artifact.Open(artifact.Options{Dir: s.Dir(), Now: f.Now, Run: rec.ID, NoMaintenance: true})
	if err == nil {
		defer store.Close()
		err = f.Fetch(ctx, store, digests, rec.Limits.MaxArtifact)
	}
	if err != nil {
		far.Warnings = append(far.Warnings, OnlyThere(f.Row, err))
	}
	return far
}

// JobCommand returns how the verbs about jobs are called, for a store that was named; ""
// is the default one.
func JobCommand(env *cli.Env, store string) string {
	if store == "" {
		return "envwrap job"
	}
	return "envwrap --store " + hints.Quote(env.Path(store)) + " job"
}

// StoreOf returns the name of a store that is not one where jobs are looked for by
// default.
func StoreOf(env *cli.Env, s *job.Store) string {
	for _, dir := range env.StoreDirs("") {
		if dir == s.Dir() {
			return ""
		}
	}
	return s.Dir()
}

package runcmd

import (
	"context"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/enginejob"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/job"
)

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

// stoppedHere gives the record of a far run that was stopped from here the outcome
// of a local run that was stopped, instead of the exit status and signal seen there.
func stoppedHere(far, connection *envelope.Result) {
	o, here := &far.Outcome, &connection.Outcome
	if !o.OK() && (o.Kind != here.Kind || o.Kind == envelope.Timeout) {
		return // it failed by itself, or the far end says when it was stopped
	}
	o.Kind, o.Code, o.Retryable, o.ClassifiedBy, o.Timeout = here.Kind, here.Code, here.Retryable, here.ClassifiedBy, here.Timeout
	o.Message, o.Hint = here.Message, here.Hint
	if _, why, ok := strings.Cut(here.Message, stoppedBy); ok {
		sig, _, _ := strings.Cut(why, ":") // what the prefix printed follows
		o.Message = far.Tool + stoppedBy + sig
	}
}

// isMissing reports whether the runner's own command did not start.
func isMissing(connection *envelope.Result) bool {
	o := &connection.Outcome
	return o.ExitCode == nil && o.Signal == "" && o.ClassifiedBy == envelope.ByEnvwrap && o.Kind != envelope.Canceled && o.Kind != envelope.Timeout
}

package runcmd

import (
	"errors"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/job"
)

// jobFailure is the answer where there is none: the job is not known, or the
// system has no jobs.
func jobFailure(verb string, err error, o JobView) *envelope.Result {
	r := o.outline(jobKind(verb))
	r.Jobs = &envelope.Jobs{Kind: jobKind(verb)}
	r.Category = endCategory(verb)
	out := envelope.Outcome{Kind: envelope.Failure, Code: envelope.EIO, Message: err.Error(), Retryable: true, ClassifiedBy: envelope.ByEnvwrap}
	for _, f := range jobFaults() {
		if errors.Is(err, f.is) {
			out.Code, out.Hint, out.Retryable = f.code, f.hint, false
		}
	}
	if _, ok := errors.AsType[*job.AmbiguousError](err); ok {
		out.Code, out.Hint, out.Retryable = envelope.EARG, "Give more of the id; envwrap job ls shows all.", false
	}
	if _, ok := errors.AsType[*cli.UsageError](err); ok {
		out.Code, out.Hint, out.Retryable = envelope.EARG, "envwrap help job lists the verbs and their options.", false
	}
	r.Outcome = out
	return r
}

// A jobFault is a known reason for which there is no answer.
type jobFault struct {
	is   error
	code envelope.Code
	hint string
}

func jobFaults() []jobFault {
	return []jobFault{
		{job.ErrNotFound, envelope.ENOTFOUND, "envwrap job ls shows the jobs that are remembered; old ones are removed."},
		{job.ErrDamaged, envelope.EIO, "Nothing more is known of the job. envwrap job cleanup removes it a day after its submit."},
		{job.ErrUnsupported, envelope.ESKILLDOWN, "Run the command in the foreground, or name a --store on a local disk."},
	}
}

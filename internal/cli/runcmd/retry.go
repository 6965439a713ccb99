package runcmd

import (
	"time"

	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/internal/session"
)

// retries are the options that let a command run again.
type retries struct{ session.Retry }

func defaultRetries() retries {
	return retries{session.Retry{Delay: 250 * time.Millisecond, MaxDelay: 8 * time.Second}}
}

func (y *retries) options() []*cli.Option {
	const group = "Retries"
	return []*cli.Option{
		{
			Name: "retries", Value: "N", Def: "0", Group: group,
			Help: "run the command up to N more times if it fails", Set: cli.Into(&y.Times, cli.Number),
		},
		{
			Name: "retry-on", Value: "CODE[,...]", Def: "ERATELIMIT,ETIMEOUT, temporary ERUNTIME", Many: true, Group: group,
			Help: "error codes that are retried", Choices: cli.CodeNames, Set: cli.Each(cli.ErrorCodes(&y.On)),
		},
		{
			Name: "retry-delay", Value: "DURATION", Def: "250ms", Group: group,
			Help: "how long to wait before the second run; doubled each time, with jitter", Set: cli.Into(&y.Delay, cli.Duration),
		},
		{
			Name: "retry-max-delay", Value: "DURATION", Def: "8s", Group: group,
			Help: "longest wait between runs; a server that asks for more ends the retries", Set: cli.Into(&y.MaxDelay, cli.Duration),
		},
		{
			Name: "deadline", Value: "DURATION", Def: "none", Group: group,
			Help: "start no retry after this time (--timeout is for each run)", Set: cli.Into(&y.Deadline, cli.Duration),
		},
	}
}

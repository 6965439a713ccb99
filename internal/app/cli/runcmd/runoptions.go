package runcmd

import (
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/redactcmd"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/wrap"
)

// RunOptions are the parsed options of a run. Those that need files or variables are
// checked when the command is made.
type RunOptions struct {
	format  envelope.Dialect // nil is the first of all
	look    envelope.Dialect // of a project's file that is not trusted; nil is that of format
	rules   envelope.Dialect // by which a run fails or not (--exit-code envelope), and whose defaults other options have
	command string
	output  string
	tee     bool
	color   bool // of what --tee shows

	merge bool
	wrap.Limits
	wrap.Meaning

	retries retries
	events  events
	Cache   caching

	exitCode exitRule

	redaction redactcmd.Redaction

	stdin          string
	cwd            string
	env            []string
	cleanEnv       bool
	nonInteractive bool

	request       string
	includeOutput envelope.Include
	pretty        bool
	compact       bool
	store         string
	storeSync     artifact.Sync
	storeMax      int64
	traceID       string
	budget        int // -1 is auto
	detail        detail
	whole         bool
	overflowGiven bool // somebody set on-overflow
	maxJobs       int
	wait          time.Duration // 0 is for as long as it takes
	emit          emission

	remote remoteconfig.Settings
	push   bool
	on     string
	id     string // of a job, chosen by who submits it
	ifMark string // which the store of the job has to have
}

// DefaultRunOptions returns the documented defaults.
func DefaultRunOptions() *RunOptions {
	return &RunOptions{
		Limits:  wrap.Limits{InlineLimit: 32 << 10, MaxCapture: 1 << 20, MaxArtifact: 1 << 30, Excerpt: excerptAuto, KillAfter: 5 * time.Second},
		retries: retries{session.Retry{Delay: 250 * time.Millisecond, MaxDelay: 8 * time.Second}},
		events:  events{every: time.Second},
		stdin:   "auto",
		budget:  BudgetAuto,
	}
}

// retries are the options that let a command run again.
type retries struct{ session.Retry }

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

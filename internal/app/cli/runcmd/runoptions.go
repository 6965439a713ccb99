package runcmd

import (
	"crypto/ed25519"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/redactcmd"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

// RunOptions are the parsed options of a run. Those that a session takes are embedded;
// the others set the form and the place of the output. Those that need files or variables
// are checked when the command is made.
type RunOptions struct {
	session.UserOptions

	Format          envelope.Dialect // nil is the first of all
	untrustedFormat envelope.Dialect // of a project's file that is not trusted; nil means Format
	rules           envelope.Dialect // by which a run fails or not (--exit-code envelope), and whose defaults other options have
	output          string
	tee             bool
	color           bool // of what --tee shows
	Pretty, Compact bool
	includeOutput   envelope.Include
	budget          int // -1 is auto
	detail          detail
	whole           bool
	below           string // the client that runs the command, "" for any other caller
	emit            emission
	exitCode        exitRule
	events          events

	redaction     redactcmd.Redaction
	stdin         string
	request       string
	overflowGiven bool // somebody set on-overflow

	sharing cacheSharing
	remote  remoteconfig.Settings
	push    bool
	on      string

	resources    []string      // KEY=VALUE, for the engine of a runner
	queueTimeout time.Duration // 0 sets no limit

	array       string     // of a group: A-B, or a file
	maxParallel int        // how many of its members run at a time
	members     *job.Array // what both say; nil if the job is no group

	maxJobs int
	jobName string
	wait    time.Duration // 0 is for as long as it takes
	id      string        // of a job, chosen by who submits it
	ifMark  string        // which the store of the job has to have
}

// events are the options of NDJSON streaming.
type events struct {
	stream bool
	lines  bool
	every  time.Duration
	line   shown
}

// cacheSharing are the options of runs that are remembered for other machines, too.
type cacheSharing struct {
	remote  bool
	key     string // file of the private key
	trusted []ed25519.PublicKey
}

// DefaultRunOptions returns the documented defaults.
func DefaultRunOptions() *RunOptions {
	return &RunOptions{
		UserOptions: session.UserOptions{
			Limits: wrap.Limits{InlineLimit: 32 << 10, MaxCapture: 1 << 20, MaxArtifact: 1 << 30, Excerpt: excerptAuto, KillAfter: 5 * time.Second},
			Retry:  session.Retry{Delay: 250 * time.Millisecond, MaxDelay: 8 * time.Second},

			KeepPipes: true,
		},
		events: events{every: time.Second},
		stdin:  "auto",
		budget: BudgetAuto,
	}
}

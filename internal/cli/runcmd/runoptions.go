package runcmd

import (
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cli/redactcmd"
	"github.com/envwrap/envwrap/internal/sharing"
	"github.com/envwrap/envwrap/wrap"
)

// RunOptions are the options of a run, read. Those whose meaning needs the
// world (files, variables) are judged when the command is made.
type RunOptions struct {
	format  envelope.Dialect // nil is the first of all
	look    envelope.Dialect // of a project's file that is not trusted; nil is that of format
	rules   envelope.Dialect // by which a run fails or not (--exit-code envelope), and whose defaults other options have
	command string
	output  string
	tee     bool
	color   bool // of what --tee shows

	inlineLimit, maxCapture, maxArtifact int64

	excerpt    int
	onOverflow wrap.Overflow
	parse      envelope.Parse
	merge      bool

	timeout, idleTimeout, killAfter time.Duration

	retries retries
	events  events
	Cache   caching

	okExit   []int
	exitMap  map[int]wrap.Mapping
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

	remote sharing.Settings
	push   bool
	on     string
	id     string // of a job, chosen by who submits it
}

// DefaultRunOptions are the documented defaults.
func DefaultRunOptions() *RunOptions {
	return &RunOptions{
		inlineLimit: 32 << 10,
		maxCapture:  1 << 20,
		maxArtifact: 1 << 30,
		excerpt:     excerptAuto,
		killAfter:   5 * time.Second,
		retries:     defaultRetries(),
		events:      events{every: time.Second},
		stdin:       "auto",
		budget:      BudgetAuto,
	}
}

package cli

import (
	"math"
	"strconv"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/term"
	"github.com/envwrap/envwrap/job"
)

// defaultMaxJobs is how many jobs run at once.
const defaultMaxJobs = 10

// jobOptions are the options of those verbs that read about jobs. How an
// envelope looks was said at the submit; what is given again counts.
type jobOptions struct {
	store           string
	format          envelope.Dialect // nil is the job's own
	shape           envelope.Dialect // of a project's file that is not trusted; nil is that of format
	pretty, compact bool
	includeOutput   envelope.Include
	includeEvents   bool
	maxOutput       int64 // bytes; 0 is the dialect's
	budget          int
	detail          detail
	exitCode        exitRule
	exitGiven       bool
}

func newJobOptions() *jobOptions { return &jobOptions{budget: budgetAuto} }

// table is the options that all of these verbs have. Where one is about a run
// that is over, runs adds those of its envelope.
func (o *jobOptions) table(runs bool) []*option {
	list := []*option{
		archiveOption(&o.store),
		{name: "format", short: "f", value: "DIALECT", def: "the job's, else protocol/v1", help: "dialect of the envelope", choices: outputNames, set: into(&o.format, format), untrusted: into(&o.shape, format)},
		{name: "detail", value: "HOW", def: "auto", help: "full, or lean: without members that say nothing new; auto is lean where the agent itself reads stdout", choices: names(detailWords), set: into(&o.detail, choice(detailWords))},
		{name: "pretty", help: "indent the envelope", set: into(&o.pretty, boolean)},
		{name: "compact", help: "write the envelope on one line", set: into(&o.compact, boolean)},
		{name: "budget", value: "N", def: "auto", help: "most characters of the envelope; auto is what the calling agent does not cut, 0 no limit", set: into(&o.budget, budget)},
	}
	if !runs {
		return list
	}
	return append(
		list,
		&option{name: "include-output", def: "the dialect's", help: "inline the output of a completed command (delegator)", set: into(&o.includeOutput, include)},
		&option{name: "max-output-bytes", value: "SIZE", def: "64KiB", noEnv: true, help: "most bytes of output that are inlined, both streams together (delegator)", set: into(&o.maxOutput, size)},
		&option{name: "exit-code", value: "RULE", def: "the job's, else child", help: "envwrap's own exit status: child, envelope or zero", choices: names(exitWords), set: func(given []string) error {
			o.exitGiven = true
			return into(&o.exitCode, choice(exitWords))(given)
		}},
	)
}

// look is how the envelope of a job looks: as the submit said, but for what was
// given again.
func (o *jobOptions) look(w *World, v *job.View) jobLook {
	view := jobLook{dialect: o.format, limit: v.InlineLimit, parse: v.Parse, exit: o.exitCode}
	if view.dialect == nil {
		if view.dialect, _ = envelope.Lookup(v.Format); view.dialect == nil {
			view.dialect = envelope.Dialects()[0]
		}
	}
	view.rules = view.dialect
	if o.shape != nil {
		view.dialect = o.shape
	}
	if !o.exitGiven {
		view.exit, _ = choice(exitWords)(v.ExitCode) // one that is not known is the default
	}
	e := &view.encoding
	e.Layout = (&runOptions{pretty: o.pretty, compact: o.compact}).layout(term.IsTerminal(w.Stdout))
	if e.Layout == envelope.LayoutDefault {
		e.Layout = v.Layout
	}
	if e.IncludeOutput = o.includeOutput; e.IncludeOutput == envelope.IncludeDefault {
		e.IncludeOutput = v.IncludeOutput
	}
	e.IncludeEvents = o.includeEvents
	e.MaxOutput = int(min(o.maxOutput, math.MaxInt32))
	if e.Budget = o.budget; e.Budget == budgetAuto {
		e.Budget = v.Budget
	}
	reads := w.stdoutReader() == agentReader
	e.Budget = budgetFor(e.Budget, reads, w.callingAgent())
	e.Detail = o.detail.of(reads)
	return view
}

// A jobLook is how an envelope about a job looks.
type jobLook struct {
	dialect  envelope.Dialect
	rules    envelope.Dialect // by which the job failed or not (--exit-code envelope)
	encoding envelope.EncodeOptions
	limit    int64
	parse    envelope.Parse
	exit     exitRule
}

// maxJobsOption is how many jobs may run for another one to start.
func maxJobsOption(dst *int) *option {
	return &option{
		name: "max-jobs", value: "N", def: strconv.Itoa(defaultMaxJobs),
		help: "start while fewer than N jobs run; 0 is at once", set: into(dst, number), inJob: submitOnly,
	}
}

// waitOption is how long a verb waits.
func waitOption(dst *time.Duration, given *bool) *option {
	return &option{
		name: "timeout", value: "DURATION", def: "none", noEnv: true,
		help: "stop waiting after this time, with status 75; the job goes on",
		set: func(g []string) error {
			*given = true
			return into(dst, duration)(g)
		},
	}
}

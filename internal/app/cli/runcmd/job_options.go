package runcmd

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/job"
)

// JobOptions are the options of the verbs that show jobs: those of a run that are about
// the form of an envelope, which override what was chosen at the submit.
type JobOptions struct {
	*RunOptions
	IncludeEvents bool
	maxOutput     int64       // bytes; 0 is the dialect's
	exitRow       *cli.Option // that of --exit-code
}

// NewJobOptions returns the defaults.
func NewJobOptions() *JobOptions {
	return &JobOptions{RunOptions: DefaultRunOptions(), exitRow: &cli.Option{}}
}

// Table returns the options that all of these verbs have, and, if runs is set, those of
// a finished run's envelope.
func (o *JobOptions) Table(runs bool) []*cli.Option {
	list := []*cli.Option{cli.ArchiveOption(&o.Store)}
	for _, row := range o.RunOptions.Table() {
		if row.View != cli.InView && (row.View != cli.InRunView || !runs) {
			continue
		}
		row.Def, row.Group = row.ViewDef, ""
		if list = append(list, row); row.Name == "exit-code" {
			o.exitRow = row
		}
	}
	list = append(list, cli.RemoteOptions(&o.remote)...)
	if runs {
		list = append(list, &cli.Option{Name: "max-output-bytes", Value: "SIZE", Def: "64KiB", NoEnv: true, Help: "most bytes of output that are inlined, both streams together (delegator)", Set: cli.Into(&o.maxOutput, cli.Size)})
	}
	return list
}

// LayoutFor returns the form of a job's envelope: the form of the submit, with the options
// that were given.
func (o *JobOptions) LayoutFor(env *cli.Env, v *job.View) JobLayout {
	layout := JobLayout{dialect: o.Format, limit: v.InlineLimit, parse: v.Parse, Exit: o.exitCode}
	if layout.dialect == nil {
		if layout.dialect, _ = envelope.Lookup(v.Format); layout.dialect == nil {
			layout.dialect = envelope.Dialects()[0]
		}
	}
	layout.Rules = layout.dialect
	if o.untrustedFormat != nil {
		layout.dialect = o.untrustedFormat
	}
	if !o.exitRow.IsSet {
		layout.Exit, _ = cli.Choice(exitWords)(v.ExitCode) // one that is not known is the default
	}
	layout.Table = o.Format == nil && !o.Pretty && !o.Compact && term.IsTerminal(env.Stdout) && !env.AgentReadsStdout()
	e := &layout.encoding
	e.Layout = cli.Layout(o.Pretty, o.Compact, term.IsTerminal(env.Stdout))
	if e.Layout == envelope.LayoutDefault {
		e.Layout = v.Layout
	}
	if e.IncludeOutput = o.includeOutput; e.IncludeOutput == envelope.IncludeDefault {
		e.IncludeOutput = v.IncludeOutput
	}
	e.IncludeEvents = o.IncludeEvents
	e.MaxOutput = int(min(o.maxOutput, math.MaxInt32))
	if e.Budget = o.budget; e.Budget == BudgetAuto {
		e.Budget = v.Budget
	}
	reads := env.AgentReadsStdout()
	e.Budget = budgetFor(e.Budget, reads, env.CallingAgent())
	e.Detail = o.detail.of(reads)
	return layout
}

// A JobLayout is the form of an envelope about a job.
type JobLayout struct {
	dialect  envelope.Dialect
	Rules    envelope.Dialect // the dialect that decides whether the job failed (--exit-code envelope)
	encoding envelope.EncodeOptions
	limit    int64
	parse    envelope.Parse
	Exit     exitRule
	Table    bool // print a table, since a person reads and asked for no envelope
	Ends     int  // the status with which this process ends after that
}

// WaitOption returns the option --timeout: how long a verb waits.
func WaitOption(dst *time.Duration, given *bool) *cli.Option {
	return &cli.Option{
		Name: "timeout", Value: "DURATION", Def: "none", NoEnv: true,
		Help: "stop waiting after this time, with status 75; the job goes on",
		Set: func(g []string) error {
			*given = true
			return cli.Into(dst, cli.Duration)(g)
		},
	}
}

// InlineOutput changes the result of a job to what a run in the foreground would have
// printed.
func (layout *JobLayout) InlineOutput(s *job.Store, res *envelope.Result) {
	s.Inline(res, job.Inlining{Placement: layout.dialect.Placement(layout.encoding), Limit: layout.limit, Parse: layout.parse})
}

// PrintJob masks an answer about jobs and prints its envelope.
func PrintJob(env *cli.Env, layout JobLayout, res *envelope.Result) error {
	res.MaskTexts(env.Mask())
	doc, err := envelope.Encode(layout.dialect, res, layout.encoding)
	if doc == nil {
		return err
	}
	n, err := (output.RetryWriter{F: env.Stdout}).Write(term.Painted(env.Stdout, env.Lookup, doc))
	if env.Count(env.Shown(doc, n)); err != nil {
		return fmt.Errorf("%w: %w", ErrPrint, safefs.Cause(err))
	}
	env.ReportNested(doc, layout.Ends)
	return nil
}

// PrintMember masks the envelope of a member of a group and writes it to w on one line.
func (layout *JobLayout) PrintMember(env *cli.Env, w io.Writer, res *envelope.Result) error {
	res.MaskTexts(env.Mask())
	encoding := layout.encoding
	encoding.Layout = envelope.LayoutCompact
	doc, err := envelope.Encode(layout.dialect, res, encoding)
	if doc == nil {
		return err
	}
	n, err := w.Write(doc)
	if env.Count(n); err != nil {
		return fmt.Errorf("%w: %w", ErrPrint, safefs.Cause(err))
	}
	return nil
}

// ErrPrint means that the answer cannot be written to stdout.
var ErrPrint = errors.New("print the envelope")

// JobQuestion returns a JobView with what every answer about jobs contains. The answer is
// masked when it is printed.
func JobQuestion(env *cli.Env, store string) JobView {
	v := JobView{
		Now: env.Now(), requestID: env.Session().NewUUID(), agent: env.CallingAgent(), Workspace: session.Workspace(env.Directory()),
	}
	v.Members = func(rec *job.Record) *envelope.JobMembers { return membersOf(env, store, rec) }
	if store != "" {
		v.command = "envwrap --store " + hints.Quote(env.Path(store))
	}
	return v
}

// JobFault returns the answer of a verb that failed.
func JobFault(env *cli.Env, verb string, err error, store string) *envelope.Result {
	res := jobFailure(verb, err, JobQuestion(env, store))
	res.Outcome.Message = env.ErrorText(err)
	return res
}

// StatusTemporary is the exit status if there is no answer yet (EX_TEMPFAIL of
// sysexits.h).
const StatusTemporary = 75

package jobcmd

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

// answerJobs prints the answer of a verb about jobs.
func answerJobs(env *cli.Env, layout runcmd.JobLayout, verb string, recs []*job.Record, v runcmd.JobView) error {
	res := runcmd.JobResult(verb, recs, v)
	switch {
	case layout.Table && len(res.Jobs.List) == 0:
		return env.Print("No job is remembered.\n")
	case layout.Table:
		return env.Show(func(b *strings.Builder) {
			jobsTable(res.Jobs, env.Now()).Write(b, env.Screen())
			if v.Omitted > 0 {
				fmt.Fprintf(b, "%s more, over: -n 0 lists all.\n", term.Plural(v.Omitted, "job"))
			}
		})
	}
	return runcmd.PrintJob(env, layout, res)
}

// onJob calls do with the job that the only operand names. A failure is reported in an
// envelope, for programs that read the answer.
func onJob(o *runcmd.JobOptions, c *cli.Call, do func(s *job.Store, id string) error) error {
	return onJobNamed(o, c, c.Operands()[0], do)
}

// onJobNamed does what onJob does, for the job that a word names.
func onJobNamed(o *runcmd.JobOptions, c *cli.Call, word string, do func(s *job.Store, id string) error) error {
	return withJobs(o, c, func(stores runcmd.JobStores) error {
		s, id, err := stores.Find(word)
		if err != nil {
			return err
		}
		c.InStore = s.Dir()
		return do(s, id)
	})
}

// withJobs calls do with the stores of all jobs, also those that another machine has submitted.
func withJobs(o *runcmd.JobOptions, c *cli.Call, do func(runcmd.JobStores) error) error {
	return withJobsOf(o, c, c.Operands(), do)
}

// withJobsOf does the same, and looks in the remote only for the jobs of words.
func withJobsOf(o *runcmd.JobOptions, c *cli.Call, words []string, do func(runcmd.JobStores) error) error {
	stores, err := o.Stores(c.Env, words)
	if err == nil {
		defer stores.Close()
		err = do(stores)
	}
	return reportFailure(o, c, err)
}

// reportFailure reports a failure in an envelope and returns it.
func reportFailure(o *runcmd.JobOptions, c *cli.Call, err error) error {
	var st cli.Status
	if err == nil || errors.As(err, &st) || errors.Is(err, runcmd.ErrPrint) {
		return err
	}
	res := runcmd.JobFault(c.Env, c.Verb.Name, err, o.Store)
	if unsubmitted, ok := errors.AsType[*jobError](err); ok && job.IsID(unsubmitted.id) {
		res.JobID = unsubmitted.id
	}
	if hint := res.Outcome.Hint; hint != "" {
		err = errors.Join(err, errors.New(hint))
	}
	return errors.Join(err, runcmd.PrintJob(c.Env, o.LayoutFor(c.Env, &job.View{Budget: runcmd.BudgetAuto}), res))
}

// lastLinesBytes is the most bytes of a stream that are read for its last lines.
const lastLinesBytes = 8 << 10

// omittedJobs reports on stderr which jobs an answer omits, and returns masked warnings
// about them for programs.
func omittedJobs(env *cli.Env, err error) []string {
	if err == nil {
		return nil
	}
	lines := strings.Split(err.Error(), "\n")
	for i, line := range lines {
		fault := errors.New(line)
		env.Complain(fault)
		lines[i] = env.ErrorText(fault)
	}
	if more := len(lines) - warningsLimit; more > 0 {
		lines = append(lines[:warningsLimit], fmt.Sprintf("%d more like these; stderr has all", more))
	}
	return lines
}

// warningsLimit is the most warnings of omittedJobs in an answer.
const warningsLimit = 5

// queuePositions returns the position in the queue of every waiting job, by id, counted
// from 1 in each store.
func queuePositions(s runcmd.JobStores) (map[string]int, error) {
	places := map[string]int{}
	for _, one := range s {
		queue, err := one.Queue()
		if err != nil {
			return nil, err
		}
		for i, id := range queue {
			places[id] = i + 1
		}
	}
	return places, nil
}

// lastOutput returns the last lines that a job has printed.
func lastOutput(s runcmd.JobStores, id string, verbose bool) runcmd.Glimpse {
	store, _, err := s.Find(id)
	if err != nil {
		return runcmd.Glimpse{}
	}
	stdout, stderr, _, err := store.Tail(id, envelope.LastLinesMost, lastLinesBytes)
	if err != nil {
		return runcmd.Glimpse{}
	}
	g := runcmd.Glimpse{Verbose: verbose, Lines: append(runcmd.LinesOf(stderr), runcmd.LinesOf(stdout)...)}
	for _, line := range g.Lines {
		if pct, ok := wrap.Percentage(line); ok && (g.Pct == nil || pct > *g.Pct) {
			g.Pct = &pct
		}
	}
	if out, errs, err := store.Printed(id); err == nil {
		g.Stdout, g.Stderr = runcmd.JobOutput(out), runcmd.JobOutput(errs)
	}
	return g
}

// runners returns where jobs run: on this machine, and with --on on those of the user's
// configuration.
func runners(since time.Time, workspace string, rows []cli.RunnerRow) []envelope.JobRunner {
	r := envelope.JobRunner{
		ID: "exec", Name: "this machine", Workspace: workspace,
		Platform: runtime.GOOS + "/" + runtime.GOARCH, MaxJobs: runcmd.DefaultMaxJobs, Since: since,
	}
	list := []envelope.JobRunner{r}
	for _, row := range rows {
		list = append(list, envelope.JobRunner{ID: "exec", Name: row.Name, Workspace: row.Cwd})
	}
	return list
}

// jobsTable returns a table with a row for each job, as job ls and job status show it to
// people.
func jobsTable(jobs *envelope.Jobs, now time.Time) *term.Table {
	t := &term.Table{Columns: []term.Column{
		{Name: "JOB"},
		{Name: "NAME", Fit: term.Clipped, Least: 4, Optional: true},
		{Name: "STATE"},
		{Name: "STATUS", Right: true},
		{Name: "AGE", Right: true},
		{Name: "TIME", Right: true, Optional: true},
		{Name: "COMMAND", Fit: term.Clipped, Least: 10},
		{Name: "SAYS", Fit: term.Clipped, Least: 10, Optional: true},
	}}
	for i := range jobs.List {
		j := &jobs.List[i]
		status := (&cli.Source{ExitCode: j.ExitCode, Signal: j.Signal}).Status()
		elapsed := "-"
		if !j.Started.IsZero() {
			elapsed = j.Elapsed.Round(time.Millisecond).String()
		}
		t.Add(j.ID, cmp.Or(j.Name, "-"), string(j.State), status, term.Age(now.Sub(j.Submitted)), elapsed,
			term.Visible(strings.Join(strings.Fields(cli.ShellLine(j.Argv...)), " ")), term.Visible(cmp.Or(j.Message, j.Activity, "-")))
	}
	return t
}

// A jobError is an error whose answer names the job.
type jobError struct {
	id  string
	err error
}

func aboutJob(id string, err error) error { return &jobError{id, err} }

func (e *jobError) Error() string { return fmt.Sprintf("job %s %v", e.id, e.err) }

func (e *jobError) Unwrap() error { return e.err }

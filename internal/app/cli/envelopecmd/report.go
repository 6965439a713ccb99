package envelopecmd

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
	"github.com/envwrap/envwrap/internal/app/companion"
	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/internal/platform/proc"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/job"
)

// ReportVerb returns the verb report.
func ReportVerb(env *cli.Env) *cli.Verb {
	var since time.Time
	var target string
	return &cli.Verb{
		Name:    "report",
		Summary: "write an HTML page about recorded runs",
		Text: `The page needs no network and no server: a timeline, failures by cause, the slowest
commands, tokens, masked secrets, what still runs, with filters and search. Totals are
of all runs; the newest 10,000 are listed.`,
		Has:     cli.HasStore,
		Example: "envwrap report -o report.html\nenvwrap report --since 7d > week.html",
		Options: []*cli.Option{
			{Name: "output", Short: "o", Value: "FILE", Def: "standard output", NoEnv: true, Takes: cli.AFile, Help: "write the page to FILE", Set: cli.Into(&target, cli.Text)},
			cli.SinceOption(env, &since),
		},
		Run: func(ctx context.Context, c *cli.Call) error { return writeReport(ctx, c, since, target) },
	}
}

func writeReport(ctx context.Context, c *cli.Call, since time.Time, target string) error {
	program, err := c.Companion()
	if err != nil {
		c.Complain(err)
		return cli.Status(cli.StatusMissing)
	}
	sink, err := output.OpenSink(target, c.Path, c.Stdout, c.Stderr)
	if err != nil {
		return cli.OutputError(target, err)
	}
	if sink.Stream != nil && term.IsTerminal(sink.Stream) {
		return &cli.UsageError{Text: "the page would go to a terminal", Hint: "Name a file for it: envwrap report -o report.html"}
	}
	settings := companion.Report{Now: c.Now().UTC(), Since: since}
	jobs, err := unfinishedJobs(c)
	if err != nil {
		return err
	}
	lines, err := recordLines(c, since, &settings)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	call := companion.Call{Program: program, Args: []string{"report", companion.Encode(settings)}, Environ: c.Environ, Stdin: io.MultiReader(jobs, lines), Stdout: &page}
	if err := call.Run(ctx); err != nil {
		return fmt.Errorf("make the report: %w", err)
	}
	if err := sink.Write(page.Bytes()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if err := sink.Close(); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// unfinishedJobs returns a line for each job that waits or runs, the newest first.
func unfinishedJobs(c *cli.Call) (io.Reader, error) {
	var lines bytes.Buffer
	stores, err := runcmd.OpenJobStores(c.Env, c.Store())
	if err != nil {
		return nil, fmt.Errorf("open the jobs: %w", err)
	}
	defer stores.Close()
	list, err := stores.List(0, job.BySubmit)
	for _, rec := range slices.Backward(list.Records) {
		run := runlog.Run{
			Kind: runlog.JobUnfinished, ID: rec.ID, Name: rec.Name, Outcome: string(rec.State), Job: true, Time: cmp.Or(rec.Started, rec.Submitted),
			Agent: rec.Agent, Dir: rec.Dir, Argv: rec.Argv,
		}
		lines.Write(run.AppendLine(nil))
	}
	lines.WriteByte('\n')
	if err != nil {
		c.Complain(err) // of records that cannot be read; the others are there
	}
	return &lines, nil
}

// recordLines returns the lines of the record, and sets which unfinished runs have a
// process that lives.
func recordLines(c *cli.Call, since time.Time, settings *companion.Report) (io.Reader, error) {
	var lines bytes.Buffer
	add := func(r *runlog.Run) {
		if !r.Time.Before(since) {
			lines.Write(append(r.AppendJSON(nil), '\n'))
		}
	}
	err := c.Runs(c.Store(), since, func(r cli.Recorded) bool {
		if r.Kind == runlog.RunBegun && lives(r.PID) {
			settings.Running = append(settings.Running, r.ID)
		}
		add(r.Run)
		return true
	}, add)
	return &lines, err
}

// lives reports whether a process is one that is called as envwrap is; false where
// processes cannot be seen. Another program may have its number since.
func lives(pid int) bool {
	stat, ok := proc.ReadStat(pid)
	return ok && !stat.Zombie() && (strings.HasPrefix(stat.Name, "envwrap") || stat.Name == "bash") // by the names of links, too
}

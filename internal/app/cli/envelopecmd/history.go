package envelopecmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// HistoryVerb returns the verb history.
func HistoryVerb(env *cli.Env) *cli.Verb {
	limit := 20
	var clearAll bool
	var f filter
	return &cli.Verb{
		Name:    "history",
		Args:    "[TEXT]",
		Summary: "list recorded runs, the newest first",
		Text: `A line has the number that envwrap last takes, age, outcome, exit status, time and
command, with secrets masked. Every run is recorded for 90 days, unless your own
configuration has record = "off", or other values of record-days and record-max.
TEXT is looked for in command, message, directory, code and name of a job. --json prints one
object a line (NDJSON).`,
		Has:     cli.HasStore | cli.HasJSONLines,
		Example: "envwrap history -n 5\nenvwrap history --failed --since 7d --agent claude\nenvwrap history --command 'npm test' --json",
		Options: append(
			f.options(env),
			&cli.Option{Name: "limit", Short: "n", Value: "N", Def: "20", NoEnv: true, Help: "only the first N; 0 is all", Set: cli.Into(&limit, cli.Count)},
			&cli.Option{Name: "clear", NoEnv: true, Help: "remove the whole record, and the envelopes that last prints", Set: cli.Into(&clearAll, cli.Boolean)},
		),
		Run: func(_ context.Context, c *cli.Call) error {
			f.text = strings.Join(c.Operands(), "")
			if clearAll {
				if f != (filter{}) {
					return &cli.UsageError{Text: "--clear removes all runs: no text and no filter goes with it"}
				}
				return clearRecord(c)
			}
			return f.print(c, limit)
		},
	}
}

// clearRecord removes the record of all stores that runs of this user may be in.
func clearRecord(c *cli.Call) error {
	var failed error
	for _, dir := range c.StoreDirs(c.Store()) {
		failed = errors.Join(failed, runlog.Clear(dir))
	}
	return failed
}

// A filter selects runs of the record.
type filter struct {
	failed        bool
	agent, dir    string
	command, text string
	since         time.Time
}

func (f *filter) options(env *cli.Env) []*cli.Option {
	return []*cli.Option{
		{Name: "failed", NoEnv: true, Help: "only runs that were errors", Set: cli.Into(&f.failed, cli.Boolean)},
		{Name: "agent", Value: "NAME", NoEnv: true, Help: "only runs of this agent; none is of people", Set: cli.Into(&f.agent, cli.Text)},
		{Name: "dir", Value: "DIR", NoEnv: true, Takes: cli.ADir, Help: "only runs in DIR or below it", Set: cli.Into(&f.dir, func(s string) (string, error) { return env.Path(s), nil })},
		{Name: "command", Value: "TEXT", NoEnv: true, Help: "only runs whose command line has TEXT in it", Set: cli.Into(&f.command, cli.Text)},
		cli.SinceOption(env, &f.since),
	}
}

// matches reports whether a run is selected.
func (f *filter) matches(r cli.Recorded) bool {
	line := r.CommandLine()
	agent := r.Agent
	if agent == "" {
		agent = "none"
	}
	return (!f.failed || r.Failed()) &&
		(f.agent == "" || f.agent == agent) &&
		(f.dir == "" || cli.Within(r.Dir, f.dir)) &&
		(f.command == "" || strings.Contains(line, f.command)) &&
		(f.text == "" || strings.Contains(strings.Join([]string{line, r.Message, r.Dir, r.Code, r.Name}, "\n"), f.text)) &&
		!r.Time.Before(f.since)
}

func (f *filter) print(c *cli.Call, limit int) error {
	var runs []cli.Recorded
	err := c.Runs(c.Store(), f.since, func(r cli.Recorded) bool {
		if f.matches(r) {
			runs = append(runs, r)
		}
		return limit == 0 || len(runs) < limit
	}, nil)
	if err != nil {
		return err
	}
	if !c.JSON() {
		return c.Show(func(b *strings.Builder) { runsTable(runs, c.Now()).Write(b, c.Screen()) })
	}
	return c.Stream(func(w io.Writer) error {
		for _, r := range runs {
			line := r.AppendJSON(strconv.AppendInt([]byte(`{"n":`), int64(r.N), 10))
			at := bytes.IndexByte(line[1:], '{') + 1
			line[at] = ','
			if _, err := w.Write(append(line, '\n')); err != nil {
				return err
			}
		}
		return nil
	})
}

// runsTable returns a table with a row for each run.
func runsTable(runs []cli.Recorded, now time.Time) *term.Table {
	t := &term.Table{Columns: []term.Column{
		{Name: "N", Right: true},
		{Name: "AGE", Right: true},
		{Name: "OUTCOME"},
		{Name: "STATUS", Right: true},
		{Name: "TIME", Right: true, Optional: true},
		{Name: "COMMAND", Fit: term.Clipped, Least: 10},
	}}
	for _, r := range runs {
		status := (&cli.Source{ExitCode: r.ExitCode, Signal: r.Signal}).Status()
		t.Add(strconv.Itoa(r.N), term.Age(now.Sub(r.Time)), r.Outcome, status,
			(time.Duration(r.Duration) * time.Millisecond).String(),
			term.Visible(strings.Join(strings.Fields(r.CommandLine()), " ")))
	}
	return t
}

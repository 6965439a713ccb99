package jobcmd

import (
	"cmp"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// jobsTable returns a table with a row for each job, as job ls and job status show it to
// people.
func jobsTable(jobs *envelope.Jobs, now time.Time) *term.Table {
	t := &term.Table{Columns: []term.Column{
		{Name: "JOB"},
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
		t.Add(j.ID, string(j.State), status, term.Age(now.Sub(j.Submitted)), elapsed,
			term.Visible(strings.Join(strings.Fields(cli.ShellLine(j.Argv...)), " ")), term.Visible(cmp.Or(j.Message, j.Activity, "-")))
	}
	return t
}

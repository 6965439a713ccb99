package envelopecmd

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// HistoryVerb returns the verb history.
func HistoryVerb(*cli.Env) *cli.Verb {
	limit := 20
	return &cli.Verb{
		Name:    "history",
		Summary: "list recorded runs, the newest first",
		Text: `A line has the number that envwrap last takes, age, outcome, exit status, time and
command, with secrets masked. envwrap help last says which runs are recorded.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap history -n 5\nenvwrap history --json",
		Options: []*cli.Option{
			{Name: "limit", Short: "n", Value: "N", Def: "20", NoEnv: true, Help: "only the first N; 0 is all", Set: cli.Into(&limit, cli.Count)},
		},
		Run: func(_ context.Context, c *cli.Call) error { return printHistory(c, limit) },
	}
}

// A runView is a recorded run in JSON.
type runView struct {
	N        int      `json:"n"`
	Time     string   `json:"ts"`
	Outcome  string   `json:"outcome"`
	Code     string   `json:"code,omitempty"`
	ExitCode *int     `json:"exit_code,omitempty"`
	Signal   string   `json:"signal,omitempty"`
	Duration int64    `json:"duration_ms"`
	Agent    string   `json:"agent"`
	Argv     []string `json:"argv"`

	ended time.Time
}

func printHistory(c *cli.Call, limit int) error {
	lines, err := c.Runs(c.Store())
	if err != nil {
		return err
	}
	if limit > 0 && limit < len(lines) {
		lines = lines[:limit]
	}
	runs := make([]runView, 0, len(lines))
	for i, line := range lines {
		if res, err := envelope.Decode(envelope.Dialects()[0], line); err == nil {
			runs = append(runs, viewRun(i+1, res))
		}
	}
	doc := struct {
		Runs []runView `json:"runs"`
	}{runs}
	return c.Answer(doc, func(b *strings.Builder) {
		runsTable(runs, c.Now()).Write(b, c.Screen())
	})
}

// viewRun returns run n as it is listed. If the command printed an envelope of its own,
// command line and status are those of Exec, or of a member of the payload where Decode
// left them.
func viewRun(n int, res *envelope.Result) runView {
	v := runView{
		N: n, Time: cli.Stamp(res.Ended), Outcome: string(res.Outcome.Kind), Code: string(res.Outcome.Code),
		ExitCode: res.Outcome.ExitCode, Signal: res.Outcome.Signal, Duration: res.Duration.Milliseconds(),
		Agent: cmp.Or(res.Agent, "unknown"), Argv: res.Argv, ended: res.Ended,
	}
	if run := res.Exec; run != nil {
		v.Argv, v.ExitCode, v.Signal = run.Argv, run.Outcome.ExitCode, run.Outcome.Signal
		return v
	}
	var payload struct {
		Exec struct {
			Argv     []string `json:"argv"`
			ExitCode *int     `json:"exit_code"`
			Signal   string   `json:"signal"`
		} `json:"exec"`
	}
	if v.Argv == nil && json.Unmarshal(res.Payload, &payload) == nil {
		v.Argv, v.ExitCode, v.Signal = payload.Exec.Argv, payload.Exec.ExitCode, payload.Exec.Signal
	}
	return v
}

// runsTable returns a table with a row for each run.
func runsTable(runs []runView, now time.Time) *term.Table {
	t := &term.Table{Columns: []term.Column{
		{Name: "N", Right: true},
		{Name: "AGE", Right: true},
		{Name: "OUTCOME"},
		{Name: "STATUS", Right: true},
		{Name: "TIME", Right: true, Optional: true},
		{Name: "COMMAND", Fit: term.Clipped, Least: 10},
	}}
	for _, v := range runs {
		status := (&cli.Source{ExitCode: v.ExitCode, Signal: v.Signal}).Status()
		t.Add(strconv.Itoa(v.N), term.Age(now.Sub(v.ended)), v.Outcome, status,
			(time.Duration(v.Duration) * time.Millisecond).String(),
			term.Visible(strings.Join(strings.Fields(cli.ShellLine(v.Argv...)), " ")))
	}
	return t
}

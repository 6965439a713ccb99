package envelopecmd

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/app/stats"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// StatsVerb returns the verb stats.
func StatsVerb(env *cli.Env) *cli.Verb {
	var since time.Time
	var by string
	return &cli.Verb{
		Name:    "stats",
		Summary: "count recorded runs, failures, time, and tokens saved or lost",
		Text: `Tokens compare what a model read with what its agent would have shown of the output
without envwrap, minus what was read from the store later. They may be negative. Only
runs whose answer a known agent read itself are counted for them.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap stats --since 7d\nenvwrap stats --by command\nenvwrap stats --by agent --json",
		Options: []*cli.Option{
			cli.SinceOption(env, &since),
			{Name: "by", Value: "KEY", NoEnv: true, Help: "a line for each command, agent, dir, day or code", Choices: cli.Names(groupWords), Set: cli.Into(&by, cli.Choice(groupWords))},
		},
		Run: func(_ context.Context, c *cli.Call) error { return printStats(c, since, by) },
	}
}

func groupWords() []cli.Word[string] {
	var words []cli.Word[string]
	for _, key := range []string{"command", "agent", "dir", "day", "code"} {
		words = append(words, cli.Word[string]{Name: key, Value: key})
	}
	return words
}

// A statsView is the answer of stats in JSON.
type statsView struct {
	Since string `json:"since,omitempty"`
	stats.Totals
	By     string        `json:"by,omitempty"`
	Groups []stats.Group `json:"groups,omitempty"`
}

func printStats(c *cli.Call, since time.Time, by string) error {
	counter := stats.Counter{By: stats.Keys()[by]}
	err := c.Runs(c.Store(), since, func(r cli.Recorded) bool {
		if !r.Time.Before(since) {
			counter.Add(r.Run)
		}
		return true
	}, func(r *runlog.Run) {
		if !r.Time.Before(since) {
			counter.Add(r)
		}
	})
	if err != nil {
		return err
	}
	view := statsView{Totals: counter.Total(), By: by}
	if !since.IsZero() {
		view.Since = cli.Stamp(since)
	}
	if by != "" {
		view.Groups = counter.Groups()
	}
	return c.Answer(view, func(b *strings.Builder) {
		if by != "" {
			groupsTable(view.Groups).Write(b, c.Screen())
			b.WriteByte('\n')
		}
		writeTotals(b, &view.Totals)
	})
}

// groupsTable returns a table with a row for each group.
func groupsTable(groups []stats.Group) *term.Table {
	t := &term.Table{Columns: []term.Column{
		{Name: "RUNS", Right: true},
		{Name: "FAILED", Right: true},
		{Name: "TIME", Right: true},
		{Name: "OUTPUT", Right: true},
		{Name: "TOKENS SAVED", Right: true},
		{Name: "", Fit: term.Clipped, Least: 10},
	}}
	for _, g := range groups {
		saved := "-"
		if g.Counted > 0 || g.Tokens.Later > 0 {
			saved = term.Thousands(g.Tokens.Saved)
		}
		t.Add(term.Thousands(int64(g.Runs)), term.Thousands(int64(g.Failures)), spent(g.DurationMS), term.Bytes(g.Output), saved, term.Visible(g.Key))
	}
	return t
}

// writeTotals writes the totals, a line for each kind.
func writeTotals(b *strings.Builder, t *stats.Totals) {
	fmt.Fprintf(b, "runs     %s; %s failed, %s from memory, %s unfinished, %s run again with another cut\n",
		term.Thousands(int64(t.Runs)), term.Thousands(int64(t.Failures)), term.Thousands(int64(t.Cached)), term.Thousands(int64(t.Unfinished)), term.Thousands(int64(t.Reruns)))
	fmt.Fprintf(b, "time     %s\n", spent(t.DurationMS))
	fmt.Fprintf(b, "output   %s; %s masked\n", term.Bytes(t.Output), term.Thousands(int64(t.Masked)))
	if t.Counted == 0 && t.Tokens.Later == 0 {
		b.WriteString("tokens   not counted: no answer was read by an agent whose limits are known\n")
		return
	}
	share := ""
	if t.Tokens.Without > 0 {
		share = fmt.Sprintf(" (%d%%)", 100*t.Tokens.Saved/t.Tokens.Without)
	}
	fmt.Fprintf(b, "tokens   %s saved%s: %s without envwrap, %s read, %s read later from the store\n",
		term.Thousands(t.Tokens.Saved), share, term.Thousands(t.Tokens.Without), term.Thousands(t.Tokens.Read), term.Thousands(t.Tokens.Later))
	fmt.Fprintf(b, "         of %s whose answer the agent read itself; a token is %d bytes, output is cut as that agent cuts it\n",
		term.Plural(t.Counted, "run"), stats.BytesPerToken)
}

// spent returns a time in words, such as 3h12m.
func spent(ms int64) string {
	d := time.Duration(min(ms, math.MaxInt64/int64(time.Millisecond))) * time.Millisecond
	switch {
	case d >= time.Hour:
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	case d >= time.Second:
		return d.Round(time.Second / 10).String()
	}
	return d.String()
}

package cachecmd

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
)

func cacheLsVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "ls",
		Summary: "list remembered runs, the newest first",
		Text: `A line has the key, the age, for how long it is fresh (or that it is stale or
expired), the size of its output, its outcome and the command line, masked.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap cache ls\nenvwrap cache ls --json",
		Run: func(_ context.Context, c *cli.Call) error {
			all, done, err := openMemories(c)
			if err != nil {
				return err
			}
			defer done()
			var entries []*cache.Entry
			for _, m := range all {
				entries = append(entries, m.entries...)
			}
			slices.SortStableFunc(entries, func(a, b *cache.Entry) int { return b.Kept.Compare(a.Kept) })
			return listRuns(c, entries)
		},
	}
}

// A memoView is a remembered run in JSON.
type memoView struct {
	Key       cache.Key `json:"cache_key"`
	State     string    `json:"state"` // fresh, stale, expired, damaged
	TS        string    `json:"ts,omitempty"`
	AgeMS     int64     `json:"age_ms"`
	Expires   string    `json:"expires,omitempty"`
	Outcome   string    `json:"outcome,omitempty"`
	Argv      []string  `json:"argv,omitempty"`
	Dir       string    `json:"dir,omitempty"`
	Size      int64     `json:"size_bytes"` // of both streams
	Artifacts []string  `json:"artifacts,omitempty"`
	Env       []string  `json:"env,omitempty"`    // names
	Inputs    []string  `json:"inputs,omitempty"` // names

	expires time.Time
}

func viewMemo(e *cache.Entry, now time.Time) memoView {
	if e.Parts == nil {
		return memoView{Key: e.Key, State: "damaged"}
	}
	age, _ := e.Age(now)
	return memoView{
		Key: e.Key, State: stateOf(e, now), TS: cli.Stamp(e.Kept), AgeMS: age.Milliseconds(), Expires: cli.Stamp(e.Expires()),
		Outcome: e.Outcome, Argv: e.Argv, Dir: e.Dir, Size: e.Recording.Stdout.Size + e.Recording.Stderr.Size, Artifacts: e.Artifacts(),
		Env: sortedNames(e.Parts.Env), Inputs: sortedNames(e.Parts.Inputs), expires: e.Expires(),
	}
}

// stateOf says whether an entry still answers the calls that it was kept for.
func stateOf(e *cache.Entry, now time.Time) string {
	switch {
	case e.Fresh(now, e.TTL):
		return "fresh"
	case e.FreshBut(now, e.TTL, e.Stale):
		return "stale"
	}
	return "expired"
}

func listRuns(c *cli.Call, entries []*cache.Entry) error {
	now := c.Now()
	doc := struct {
		Runs []memoView `json:"runs"`
	}{make([]memoView, len(entries))}
	for i, e := range entries {
		doc.Runs[i] = viewMemo(e, now)
	}
	return c.Answer(doc, func(b *strings.Builder) {
		memoTable(doc.Runs, now).Write(b, c.Screen())
	})
}

// memoTable returns a table with a row for each remembered run.
func memoTable(runs []memoView, now time.Time) *term.Table {
	t := &term.Table{Columns: []term.Column{
		{Name: "RUN", Short: cli.ShortID},
		{Name: "AGE", Right: true},
		{Name: "STATE"},
		{Name: "SIZE", Right: true, Optional: true},
		{Name: "OUTCOME", Optional: true},
		{Name: "COMMAND", Fit: term.Clipped, Least: 7},
	}}
	for i := range runs {
		v := &runs[i]
		if v.State == "damaged" {
			t.Add(string(v.Key), "-", v.State, "-", "-", "-")
			continue
		}
		state := v.State
		if state == "fresh" {
			state += " " + term.Age(v.expires.Sub(now))
		}
		t.Add(string(v.Key), term.Age(millis(v.AgeMS)), state, term.Bytes(v.Size), v.Outcome, term.Visible(cli.ShellLine(v.Argv...)))
	}
	return t
}

func millis(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// sortedNames returns the keys of m; nil where there are none.
func sortedNames(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

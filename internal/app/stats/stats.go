// Package stats counts the runs of the record: how many there were and failed, how long
// they took, and how many tokens of output a model read or did not have to read.
//
// Savings are counted against what the agent itself would have shown to its model, not
// against all that a command printed, and what was read from the store later is
// subtracted. They can be negative. Only runs whose answer was read by an agent with known
// limits count.
package stats

import (
	"cmp"
	"slices"
	"time"

	"github.com/envwrap/envwrap/internal/app/runlog"
)

// BytesPerToken is how many bytes count as a token: an estimate for English and code,
// which is the same for what was shown and what would have been.
const BytesPerToken = 4

// Totals are the counts of some runs.
type Totals struct {
	Runs       int   `json:"runs"`
	Failures   int   `json:"failures"`
	Unfinished int   `json:"unfinished"` // without an end on record
	Cached     int   `json:"cached"`     // answered from memory
	Reruns     int   `json:"reruns"`     // of the same command within an hour, with its output cut in another way
	DurationMS int64 `json:"duration_ms"`
	Output     int64 `json:"output_bytes"`
	Masked     int   `json:"masked"` // secrets
	// Counted is how many runs count for the tokens.
	Counted int    `json:"counted_runs"`
	Tokens  Tokens `json:"tokens"`
}

// Tokens compares what a model read with what it would have read.
type Tokens struct {
	Without int64 `json:"without"`    // what the agent would have shown without envwrap
	Read    int64 `json:"read"`       // the answers
	Later   int64 `json:"read_later"` // of earlier runs, from the store
	Saved   int64 `json:"saved"`      // Without - Read - Later; may be negative
}

// A Group is the totals of the runs that have a key in common.
type Group struct {
	Key string `json:"key"`
	Totals
}

// Counter adds up runs. The zero value counts all together; By makes groups, too.
type Counter struct {
	By func(*runlog.Run) string // nil makes no groups

	total  tally
	groups map[string]*tally
	later  map[string][]rerun // by agent, directory and first stage
}

// A tally is Totals that are being added up, with tokens in bytes.
type tally struct{ Totals }

// A rerun is a run of a text for a shell that may be a rerun of an earlier one.
type rerun struct {
	run  *runlog.Run
	cut  bool // later stages of it look at the output of the first
	keys []*tally
}

// unfinished is the outcome of a run that has no end on record.
const unfinished = "unfinished"

// Add adds a run, or another line of the record. Runs come in the order of the record,
// the last one first.
func (c *Counter) Add(r *runlog.Run) {
	tallies := []*tally{&c.total}
	if key := c.key(r); key != "" {
		if c.groups[key] == nil {
			c.groups[key] = &tally{}
		}
		tallies = append(tallies, c.groups[key])
	}
	for _, t := range tallies {
		t.add(r)
	}
	c.findRerun(r, tallies)
}

// key returns the key of the run's group, or "" if it is in none.
func (c *Counter) key(r *runlog.Run) string {
	if c.By == nil {
		return ""
	}
	if c.groups == nil {
		c.groups = map[string]*tally{}
	}
	return c.By(r)
}

func (t *tally) add(r *runlog.Run) {
	cl := clientOf(r.Agent)
	if r.Kind == runlog.OutputRead {
		if cl != nil {
			t.Tokens.Later += cl.shows(r.Shown, false)
		}
		return
	}
	t.Runs++
	if r.Kind == runlog.RunBegun {
		t.Unfinished++
		return
	}
	if r.Failed() {
		t.Failures++
	}
	if r.Cached {
		t.Cached++
	}
	t.DurationMS += r.Duration
	t.Output += r.Output()
	for _, n := range r.Masked {
		t.Masked += n
	}
	if cl != nil && r.AgentReads {
		t.Counted++
		t.Tokens.Without += cl.shows(r.Output(), r.Failed())
		t.Tokens.Read += cl.shows(r.Shown, false)
	}
}

// rerunWithin is how long after a run another with the same first stage is its rerun.
const rerunWithin = time.Hour

// findRerun counts the runs that came after r, were added before, and ran its first stage
// again with another cut.
func (c *Counter) findRerun(r *runlog.Run, tallies []*tally) {
	first, cut := firstStage(r)
	if first == "" || r.Kind != runlog.RunEnded {
		return
	}
	if c.later == nil {
		c.later = map[string][]rerun{}
	}
	key := r.Agent + "\x00" + r.Dir + "\x00" + first
	later := c.later[key]
	if n := len(later); n > 0 {
		if next := later[n-1]; (cut || next.cut) && next.run.Text != r.Text && next.run.Time.Sub(r.Time) <= rerunWithin {
			for _, t := range next.keys {
				t.Reruns++
			}
		}
	}
	c.later[key] = []rerun{{r, cut, tallies}}
}

// Total returns the totals of all runs.
func (c *Counter) Total() Totals { return c.total.totals() }

// Groups returns the groups, those with most runs first.
func (c *Counter) Groups() []Group {
	list := make([]Group, 0, len(c.groups))
	for key, t := range c.groups {
		list = append(list, Group{key, t.totals()})
	}
	slices.SortFunc(list, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Runs, a.Runs), cmp.Compare(a.Key, b.Key))
	})
	return list
}

func (t *tally) totals() Totals {
	all := t.Totals
	for _, n := range []*int64{&all.Tokens.Without, &all.Tokens.Read, &all.Tokens.Later} {
		*n = (*n + BytesPerToken/2) / BytesPerToken
	}
	all.Tokens.Saved = all.Tokens.Without - all.Tokens.Read - all.Tokens.Later
	return all
}

// Keys returns the functions that runs can be grouped by.
func Keys() map[string]func(*runlog.Run) string {
	runOnly := func(key func(*runlog.Run) string) func(*runlog.Run) string {
		return func(r *runlog.Run) string {
			if r.Kind == runlog.OutputRead {
				return ""
			}
			return key(r)
		}
	}
	return map[string]func(*runlog.Run) string{
		"command": runOnly(Program),
		"agent":   func(r *runlog.Run) string { return cmp.Or(r.Agent, "none") },
		"dir":     runOnly(func(r *runlog.Run) string { return cmp.Or(r.Workspace, r.Dir, "unknown") }),
		"day":     func(r *runlog.Run) string { return r.Time.UTC().Format(time.DateOnly) },
		"code":    runOnly(codeOf),
	}
}

func codeOf(r *runlog.Run) string {
	if r.Kind == runlog.RunBegun {
		return unfinished
	}
	return cmp.Or(r.Code, "ok")
}

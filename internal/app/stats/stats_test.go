package stats

import (
	"reflect"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/app/runlog"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

func run(change func(*runlog.Run)) *runlog.Run {
	r := &runlog.Run{Kind: runlog.RunEnded, Time: noon, Command: "exec/make", Argv: []string{"make"}, Dir: "/d"}
	if change != nil {
		change(r)
	}
	return r
}

// The tokens of each agent are counted by hand here.
func TestTokens(t *testing.T) {
	read := func(agent string, output, shown int64, code string) *runlog.Run {
		return run(func(r *runlog.Run) {
			r.Agent, r.AgentReads, r.StdoutBytes, r.Shown, r.Code = agent, true, output, shown, code
		})
	}
	later := func(agent string, shown int64) *runlog.Run {
		return &runlog.Run{Kind: runlog.OutputRead, Time: noon, Agent: agent, Shown: shown}
	}
	for name, c := range map[string]struct {
		lines []*runlog.Run
		want  Tokens
	}{
		"claude shows 30,000 of a success":       {[]*runlog.Run{read("claude", 30_000, 4000, "")}, Tokens{7500, 1000, 0, 6500}},
		"claude shows 2 KB of more":              {[]*runlog.Run{read("claude", 30_001, 4000, "")}, Tokens{512, 1000, 0, -488}},
		"claude shows 10,000 of a failure":       {[]*runlog.Run{read("claude", 1<<20, 4000, "EIO")}, Tokens{2500, 1000, 0, 1500}},
		"codex":                                  {[]*runlog.Run{read("codex", 1<<20, 200, "")}, Tokens{2550, 50, 0, 2500}},
		"gemini":                                 {[]*runlog.Run{read("gemini", 1<<20, 400, "EIO")}, Tokens{10_000, 100, 0, 9900}},
		"what is read later is subtracted":       {[]*runlog.Run{later("codex", 4000), read("codex", 8000, 400, "")}, Tokens{2000, 100, 1000, 900}},
		"what is read later is cut, too":         {[]*runlog.Run{later("codex", 1<<20)}, Tokens{0, 0, 2550, -2550}},
		"an agent whose limits are not known":    {[]*runlog.Run{later("cursor", 4000), read("cursor", 8000, 400, "")}, Tokens{}},
		"nobody":                                 {[]*runlog.Run{read("", 8000, 400, "")}, Tokens{}},
		"an envelope around little is a loss":    {[]*runlog.Run{read("codex", 40, 440, "")}, Tokens{10, 110, 0, -100}},
		"an answer that the agent does not read": {[]*runlog.Run{run(func(r *runlog.Run) { r.Agent, r.StdoutBytes, r.Shown = "codex", 8000, 8000 })}, Tokens{}},
	} {
		var counter Counter
		for _, l := range c.lines {
			counter.Add(l)
		}
		if got := counter.Total().Tokens; got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

func TestTotalsAndGroups(t *testing.T) {
	lines := []*runlog.Run{
		run(func(r *runlog.Run) {
			r.Kind, r.Argv, r.Text = runlog.RunBegun, []string{"bash", "-c", ""}, "cd x && npm test 2>&1 | tail"
		}),
		run(func(r *runlog.Run) { r.Code, r.Duration, r.Masked = "EIO", 10, map[string]int{"a": 2, "b": 1} }),
		run(func(r *runlog.Run) { r.Cached, r.StderrBytes, r.Dir, r.Workspace = true, 5, "/d/sub", "/d" }),
		{Kind: runlog.OutputRead, Time: noon, Agent: "codex", Shown: 40},
		run(func(r *runlog.Run) {
			r.Agent, r.Time, r.Argv = "codex", noon.AddDate(0, 0, -1), []string{"/usr/bin/git", "log"}
		}),
	}
	want := map[string]map[string]int{
		"command": {"make": 2, "npm": 1, "git": 1},
		"agent":   {"none": 3, "codex": 1},
		"dir":     {"/d": 4},
		"day":     {"2026-11-26": 3, "2026-11-25": 1},
		"code":    {"ok": 2, "EIO": 1, "unfinished": 1},
	}
	if len(want) != len(Keys()) {
		t.Errorf("there are %d keys", len(Keys()))
	}
	for by, key := range Keys() {
		counter := Counter{By: key}
		for _, l := range lines {
			counter.Add(l)
		}
		total := Totals{Runs: 4, Failures: 1, Unfinished: 1, Cached: 1, DurationMS: 10, Output: 5, Masked: 3, Tokens: Tokens{Later: 10, Saved: -10}}
		if got := counter.Total(); got != total {
			t.Errorf("by %s: got %+v", by, got)
		}
		runs, last := map[string]int{}, 1<<30
		for _, g := range counter.Groups() {
			if runs[g.Key] = g.Runs; g.Runs > last {
				t.Errorf("by %s: %s is not sorted", by, g.Key)
			}
			last = g.Runs
		}
		if !reflect.DeepEqual(runs, want[by]) {
			t.Errorf("by %s: got %v, want %v", by, runs, want[by])
		}
	}
}

// A rerun is the same command within an hour, its output cut in another way.
func TestReruns(t *testing.T) {
	text := func(text string, minutes int) *runlog.Run {
		return run(func(r *runlog.Run) {
			r.Argv, r.Text, r.Time = []string{"bash", "-c", ""}, text, noon.Add(time.Duration(minutes)*time.Minute)
		})
	}
	for name, c := range map[string]struct {
		runs []*runlog.Run // the last one first
		want int
	}{
		"another cut":          {[]*runlog.Run{text("make 2>&1 | tail -50", 30), text("make 2>&1 | tail -20", 0)}, 1},
		"and a third":          {[]*runlog.Run{text("make | grep x | head", 50), text("make | tail -50", 30), text("make | tail -20", 0)}, 2},
		"the same cut":         {[]*runlog.Run{text("make | tail", 30), text("make | tail", 0)}, 0},
		"more than an hour":    {[]*runlog.Run{text("make | tail -50", 61), text("make | tail -20", 0)}, 0},
		"another command":      {[]*runlog.Run{text("make all | tail -50", 30), text("make | tail -20", 0)}, 0},
		"a stage that acts":    {[]*runlog.Run{text("make | tee a", 30), text("make | tail", 0)}, 0},
		"standard error too":   {[]*runlog.Run{text("make 2>&1 | tail -1", 30), text("make | tail -1", 0)}, 1},
		"without a cut":        {[]*runlog.Run{text("make", 30), text("make 2>&1 | tail -1", 0)}, 1},
		"never cut":            {[]*runlog.Run{text("make 2>&1", 30), text("make", 0)}, 0},
		"what precedes counts": {[]*runlog.Run{text("cd a; make | tail -1", 30), text("cd b; make | tail -2", 0)}, 0},
		"other commands":       {[]*runlog.Run{text("make", 30), text("ls", 0)}, 0},
		"no pipeline":          {[]*runlog.Run{text("make", 30), text("make", 0)}, 0},
	} {
		var counter Counter
		for _, r := range c.runs {
			counter.Add(r)
		}
		if got := counter.Total().Reruns; got != c.want {
			t.Errorf("%s: %d reruns, want %d", name, got, c.want)
		}
	}
}

// A row has its source, and no agent is in two rows.
func TestClients(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range clients {
		if c.source == "" || len(c.agents) == 0 {
			t.Errorf("%v has no source", c.agents)
		}
		for _, a := range c.agents {
			if seen[a] {
				t.Errorf("%s is there twice", a)
			}
			seen[a] = true
		}
	}
}

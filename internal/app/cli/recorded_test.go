package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/app/toolanswer"
)

// recorded returns an Env whose default store has lines, a second after each other.
func recorded(t *testing.T, lines ...runlog.Run) *Env {
	t.Helper()
	home := t.TempDir()
	env := &Env{Environ: []string{"HOME=" + home, "XDG_STATE_HOME=" + home}, Dir: os.Getwd, TempDir: t.TempDir(), Now: time.Now}
	for i := range lines {
		lines[i].Time = time.Date(2026, 11, 20, 10, 0, i, 0, time.UTC)
		if env.AddRecord("", "", &lines[i], runlog.Limits{}) == "" {
			t.Fatal("nothing is recorded")
		}
	}
	return env
}

// A run is yielded once, the last one first, whatever lines are about it: with what was
// shown of it later, and without the record that its far end has.
func TestRuns(t *testing.T) {
	env := recorded(
		t,
		runlog.Run{Kind: runlog.RunBegun, ID: "KILLED"},
		runlog.Run{Kind: runlog.RunBegun, ID: "BOTH"},
		runlog.Run{Kind: runlog.RunBegun, ID: "FAR"},
		runlog.Run{Kind: runlog.RunEnded, ID: "FAR", Outcome: "success"},
		runlog.Run{Kind: runlog.RunEnded, ID: "BOTH", Outcome: "success", Far: "FAR", Shown: 1},
		runlog.Run{Kind: runlog.OutputRead, Shown: 1000},
		runlog.Run{Kind: runlog.AnswerShown, ID: "BOTH", Shown: 20, AgentReads: true, Agent: "claude"},
		runlog.Run{Kind: runlog.OutputLate, ID: "BOTH", Parts: &runlog.Parts{Stdout: "late"}},
		runlog.Run{Kind: runlog.AnswerShown, ID: "BOTH", Shown: 300, Agent: "claude"},
		runlog.Run{Kind: runlog.RunEnded, ID: "LAST", Outcome: "failure", Agent: "codex"},
	)
	var got, others []string
	list := func(r Recorded) bool {
		got = append(got, fmt.Sprintf("%d %s %s %d %t %s %t", r.N, r.ID, r.Outcome, r.Shown, r.AgentReads, r.Agent, r.Late != nil))
		return true
	}
	if err := env.Runs("", time.Time{}, list, func(r *runlog.Run) { others = append(others, string(r.Kind)) }); err != nil {
		t.Fatal(err)
	}
	want := []string{"1 LAST failure 0 false codex false", "2 BOTH success 321 true claude true", "3 KILLED unfinished 0 false  false"}
	if !slices.Equal(got, want) || !slices.Equal(others, []string{string(runlog.OutputRead)}) {
		t.Errorf("got\n%s\nand %q", strings.Join(got, "\n"), others)
	}
	got = nil
	first := func(r Recorded) bool { list(r); return false }
	if err := env.Runs("", time.Time{}, first, nil); err != nil || len(got) != 1 {
		t.Errorf("stopped after %q, %v", got, err)
	}
	if err := env.Runs(filepath.Join(env.TempDir, "nowhere"), time.Time{}, first, nil); err != nil || len(got) != 1 {
		t.Errorf("of a store that is missing: %q, %v", got, err)
	}
	for id, want := range map[string]string{"BOTH": "BOTH", "FAR": "BOTH", "KILLED": "KILLED"} {
		if r, err := env.RunByID("", id); err != nil || r.ID != want {
			t.Errorf("%s: %+v, %v", id, r, err)
		}
	}
	if r, err := env.RunByID("", "NONE"); r != nil || err == nil || !strings.Contains(err.Error(), "no run NONE is recorded") {
		t.Errorf("an unknown id: %+v, %v", r, err)
	}
}

// The words for the last run are the parts of its output while it is not over.
func TestLastPart(t *testing.T) {
	for _, parts := range []*runlog.Parts{nil, {Stdout: "out", Stderr: "err"}, {Stderr: "err"}} {
		c := &Call{Env: recorded(t, runlog.Run{Kind: runlog.RunBegun, ID: "A", Parts: parts}), Verb: &Verb{}}
		want := map[string]string{"last": "", "last:stdout": "", "last:stderr": ""}
		if parts != nil {
			want = map[string]string{"last": parts.First(), "last:stdout": parts.Stdout, "last:stderr": parts.Stderr}
		}
		for word, want := range want {
			if got, err := c.lastArtifact(word); got != want || (err == nil) != (want != "") {
				t.Errorf("%+v: %s is %q, %v", parts, word, got, err)
			}
		}
	}
}

// Runs are those of the store that has the newest, whatever else it has.
func TestNewestStore(t *testing.T) {
	at := func(s int) time.Time { return time.Date(2026, 11, 20, 10, 0, s, 0, time.UTC) }
	for name, c := range map[string]struct {
		first, second []runlog.Run
		want          string
	}{
		"the default":          {[]runlog.Run{{Kind: runlog.RunEnded, Outcome: "success", ID: "A", Time: at(2)}}, []runlog.Run{{Kind: runlog.RunEnded, Outcome: "success", ID: "B", Time: at(1)}}, "A"},
		"the other":            {[]runlog.Run{{Kind: runlog.RunEnded, Outcome: "success", ID: "A", Time: at(1)}}, []runlog.Run{{Kind: runlog.RunEnded, Outcome: "success", ID: "B", Time: at(2)}}, "B"},
		"a run has begun":      {[]runlog.Run{{Kind: runlog.RunEnded, Outcome: "success", ID: "A", Time: at(1)}}, []runlog.Run{{Kind: runlog.RunBegun, ID: "B", Time: at(2)}}, "B"},
		"only read since":      {[]runlog.Run{{Kind: runlog.RunEnded, Outcome: "success", ID: "A", Time: at(2)}}, []runlog.Run{{Kind: runlog.RunEnded, Outcome: "success", ID: "B", Time: at(1)}, {Kind: runlog.OutputRead, Time: at(3)}}, "A"},
		"read, and runs since": {[]runlog.Run{{Kind: runlog.RunEnded, Outcome: "success", ID: "A", Time: at(3)}, {Kind: runlog.OutputRead, Time: at(4)}}, []runlog.Run{{Kind: runlog.RunEnded, Outcome: "success", ID: "B", Time: at(2)}}, "A"},
		"no run":               {nil, []runlog.Run{{Kind: runlog.OutputRead, Time: at(3)}}, ""},
		"the other alone":      {nil, []runlog.Run{{Kind: runlog.RunEnded, Outcome: "success", ID: "B", Time: at(3)}}, "B"},
	} {
		env := recorded(t)
		dirs := env.StoreDirs("")
		if len(dirs) != 2 {
			t.Fatalf("the stores are %q", dirs)
		}
		for i, runs := range [][]runlog.Run{c.first, c.second} {
			if err := os.MkdirAll(dirs[i], 0o700); err != nil {
				t.Fatal(err)
			}
			for _, run := range runs {
				if err := runlog.RecordFirst(dirs[i], &run, runlog.Limits{}); err != nil {
					t.Fatal(err)
				}
			}
		}
		got := ""
		if err := env.Runs("", time.Time{}, func(r Recorded) bool { got += r.ID; return true }, nil); err != nil || got != c.want {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

// What an agent reads of earlier runs is recorded; answers of tools only if they are a job's.
func TestRecordRead(t *testing.T) {
	const tools = toolanswer.Variable + "=brief claude"
	for name, c := range map[string]struct {
		environ []string
		printed int
		off     bool
		answers string
		want    string // the kind and the id
	}{
		"an agent":               {[]string{"CLAUDECODE=1"}, 7, false, "", "read "},
		"an agent, a job's":      {[]string{"CLAUDECODE=1"}, 7, false, "JOB", "answer JOB"},
		"nothing printed":        {[]string{"CLAUDECODE=1"}, 0, false, "", ""},
		"no record":              {[]string{"CLAUDECODE=1"}, 7, true, "", ""},
		"a person":               {nil, 7, false, "", ""},
		"a person, a job's":      {nil, 7, false, "JOB", ""},
		"a tool's answer":        {[]string{tools}, 7, false, "", ""},
		"a tool's answer, job's": {[]string{tools}, 7, false, "JOB", "answer JOB"},
	} {
		env := recorded(t, runlog.Run{Kind: runlog.RunEnded, ID: "RUN"})
		var err error
		if env.Stdout, err = os.Open(os.DevNull); err != nil {
			t.Fatal(err)
		}
		defer env.Stdout.Close()
		env.Environ = append(env.Environ, c.environ...)
		call := &Call{Env: env, Verb: &Verb{Path: []string{"artifact", "cat"}}, Applied: &Settings{Record: runlog.Limits{Off: c.off}}, Answers: c.answers}
		call.Count(c.printed)
		call.recordRead()
		got := ""
		err = runlog.Walk(env.StoreDirs("")[0], time.Time{}, func(r *runlog.Run) bool {
			if r.ID != "RUN" {
				kinds := map[runlog.Kind]string{runlog.OutputRead: "read", runlog.AnswerShown: "answer"}
				got = kinds[r.Kind] + " " + r.ID
				if r.Shown != int64(c.printed) || r.Command != "artifact/cat" {
					t.Errorf("%s: %+v", name, r)
				}
			}
			return true
		})
		if got != c.want || err != nil {
			t.Errorf("%s: got %q, %v; want %q", name, got, err, c.want)
		}
	}
}

// A server of tools says which session and call of its client it serves.
func TestSessionOfTools(t *testing.T) {
	env := &Env{Environ: []string{toolanswer.Variable + "=brief claude s1 c1"}}
	mask := func(text string) string { return strings.ReplaceAll(text, "c1", "c2") }
	for agent, want := range map[string][2]string{"claude": {"s1", "c2"}, "codex": {}} {
		if session, call := env.SessionOf(agent, mask); session != want[0] || call != want[1] {
			t.Errorf("%s: %q, %q", agent, session, call)
		}
	}
}

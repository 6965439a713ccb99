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

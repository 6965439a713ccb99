package runlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

func recorded(t *testing.T, store string, run *Run, limits Limits) {
	t.Helper()
	err := Record(store, run, limits)
	if errors.Is(err, fs.ErrNotExist) {
		err = RecordFirst(store, run, limits)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// walked returns the ids on record, the newest first.
func walked(t *testing.T, store string, since time.Time) string {
	t.Helper()
	var ids []string
	if err := Walk(store, since, func(r *Run) bool { ids = append(ids, r.ID); return true }); err != nil {
		t.Fatal(err)
	}
	return strings.Join(ids, " ")
}

// A line equals the output of encoding/json, so that reading it gives the recorded run.
func TestLineIsTheRun(t *testing.T) {
	three := 3
	full := &Run{
		Kind: RunEnded, ID: "01A", Time: noon, Outcome: "failure", Code: "EIO", ExitCode: &three, Signal: "SIGTERM", Message: "m \"\n\x00é",
		Duration: 12, Attempts: 2, Agent: "claude", Session: "s", Call: "c", Dir: "/d", Workspace: "/w", Job: true, Name: "n", Runner: "r", Far: "01B", Cached: true, PID: 7, Parts: &Parts{"01A.1", "01A.2", "01A.3"},
		Command: "exec/sh", Argv: []string{"sh", "-c", ""}, Text: "echo", Cut: &Cut{1, "ab"}, StdoutBytes: 1, StdoutLines: 2, StderrBytes: 3, StderrLines: 4,
		Excerpt: "x", Shown: 5, AgentReads: true, Format: "brief/v1", Masked: map[string]int{"b": 1, "a": 2}, Artifacts: []string{"sha256:1"},
	}
	v := reflect.ValueOf(*full)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("the case has no %s", v.Type().Field(i).Name)
		}
	}
	for _, run := range []*Run{full, {Kind: RunEnded, Time: noon}} {
		var back Run
		line := run.AppendJSON(nil)
		if err := json.Unmarshal(line, &back); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if !reflect.DeepEqual(&back, run) {
			t.Errorf("got  %+v\nfrom %s", back, line)
		}
		std, err := json.Marshal(run)
		if want := strings.Replace(string(std), "00Z", "00.000Z", 1); err != nil || want != string(line) {
			t.Errorf("got  %s\nwant %s, %v", line, want, err)
		}
	}
}

// No line is longer than a page, whatever is in it; what was cut has its length and digest.
func TestLongLines(t *testing.T) {
	for name, unit := range map[string]string{"letters": "x", "escapes": "\x01", "characters": "é", "no UTF-8": "\xff"} {
		long := strings.Repeat(unit, 200_000)
		masked := map[string]int{}
		for i := range 100 {
			masked[fmt.Sprint("rule", i, strings.Repeat(unit, 80))] = 1
		}
		run := &Run{
			Kind: RunEnded, ID: "01A", Time: noon, Message: long, Agent: long, Session: long, Call: long, Dir: long, Workspace: long,
			Command: long, Argv: []string{"sh", "-c", "", long}, Text: long, Excerpt: long, Masked: masked, Artifacts: []string{long},
		}
		line := run.AppendLine(nil)
		var back Run
		err := json.Unmarshal(line, &back)
		if err != nil || len(line) > LineMost || line[0] != '\n' || !utf8.Valid(line) {
			t.Fatalf("%s: %d bytes, %v", name, len(line), err)
		}
		total := 0
		for _, n := range back.Masked {
			total += n
		}
		if back.ID != "01A" || len(back.Text) < 100 || back.Cut == nil || back.Cut.Bytes != 2*len(long)+len("sh-c")+5 || len(back.Cut.Digest) != 64 || total != 100 {
			t.Errorf("%s: got %.300q", name, line)
		}
		if len(run.Text) != len(long) || run.Cut != nil || len(run.Masked) != 100 {
			t.Errorf("%s: the run itself was cut", name)
		}
	}
}

// An unfinished line, which a full disk leaves, spoils no other; a store without a record
// has no runs.
func TestTornRecord(t *testing.T) {
	store := newStore(t)
	if got := walked(t, store, time.Time{}); got != "" {
		t.Errorf("got %q", got)
	}
	for _, id := range []string{"1", "2"} {
		recorded(t, store, &Run{Kind: RunEnded, Outcome: "success", ID: id, Time: noon}, DefaultLimits())
		f, err := os.OpenFile(filepath.Join(store, recordName, "2026-11-26.jsonl"), os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("\n" + `{"kind":"run"}` + "\n" + `{"kind":"run","id":"torn`); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	if got := walked(t, store, time.Time{}); got != "2 1" {
		t.Errorf("got %q", got)
	}
	info, err := os.Stat(filepath.Join(store, recordName, "2026-11-26.jsonl"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// Whole files are removed once they are too old, or once later ones have as many runs as
// are kept, by the first line of a day.
func TestRetention(t *testing.T) {
	write := func(t *testing.T, limits Limits) string {
		store := newStore(t)
		for day := range 5 {
			for i := range 3 {
				recorded(t, store, &Run{Kind: RunEnded, Outcome: "success", ID: fmt.Sprintf("%d%d", day, i), Time: noon.AddDate(0, 0, day)}, limits)
				recorded(t, store, &Run{Kind: RunBegun, ID: "begin", Time: noon.AddDate(0, 0, day)}, limits)
			}
		}
		return strings.ReplaceAll(walked(t, store, time.Time{}), "begin ", "")
	}
	for name, c := range map[string]struct {
		limits Limits
		want   string
	}{
		"all":          {Limits{}, "42 41 40 32 31 30 22 21 20 12 11 10 02 01 00"},
		"two days":     {Limits{Days: 2}, "42 41 40 32 31 30"},
		"four runs":    {Limits{Max: 4}, "42 41 40 32 31 30 22 21 20"},
		"nothing else": {Limits{Off: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := write(t, c.limits); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// A day's file that has grown large is set aside under the time of its last line, and its
// lines are read before those of earlier files; other files in the directory are not.
func TestParts(t *testing.T) {
	store := newStore(t)
	recorded(t, store, &Run{Kind: RunEnded, Outcome: "success", ID: "1", Time: noon.AddDate(0, 0, -1)}, Limits{})
	recorded(t, store, &Run{Kind: RunEnded, Outcome: "success", ID: "2", Time: noon}, Limits{})
	today := filepath.Join(store, recordName, "2026-11-26.jsonl")
	if err := os.Truncate(today, partMost); err != nil { // a hole: a line of NULs
		t.Fatal(err)
	}
	recorded(t, store, &Run{Kind: RunEnded, Outcome: "success", ID: "3", Time: noon.Add(time.Second)}, Limits{})
	recorded(t, store, &Run{Kind: RunEnded, Outcome: "success", ID: "4", Time: noon.Add(time.Minute)}, Limits{})
	if err := os.WriteFile(filepath.Join(store, recordName, "zz.jsonl"), []byte(`{"id":"other"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(store, recordName, "2026-11-26-120001.jsonl")); err != nil {
		t.Error(err)
	}
	if got := walked(t, store, time.Time{}); got != "4 3 1" { // the hole took the end of line 2
		t.Errorf("got %q", got)
	}
	if got := walked(t, store, noon); got != "4 3" {
		t.Errorf("since noon: %q", got)
	}
	if err := Clear(store); err != nil {
		t.Fatal(err)
	}
	if got := walked(t, store, time.Time{}); got != "" {
		t.Errorf("after clear: %q", got)
	}
}

// Any number of writers may record at the same time, also the first line of a day.
func TestManyRecorders(t *testing.T) {
	store := newStore(t)
	var writers sync.WaitGroup
	for w := range 8 {
		writers.Go(func() {
			for i := range 50 {
				run := &Run{Kind: RunEnded, Outcome: "success", ID: fmt.Sprint(w, "-", i), Time: noon, Text: strings.Repeat("x", 20*i)}
				err := Record(store, run, DefaultLimits())
				if errors.Is(err, fs.ErrNotExist) {
					err = RecordFirst(store, run, DefaultLimits())
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	if n := len(strings.Fields(walked(t, store, time.Time{}))); n != 400 {
		t.Errorf("%d lines of 400", n)
	}
}

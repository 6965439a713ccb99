package envelope

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// adoptionTable says, for each envelope that a command may print and each end of its
// process, what becomes of the envelope. UPDATE=1 writes it again: read the difference.
// The tests of the program compare a part of it with real processes.
const adoptionTable = "../testdata/adoption.txt"

// ends are how processes end, as the columns of the table have it.
var ends = []string{"0", "1", "3", "75", "124", "125", "SIGTERM"}

// printedBy returns the run of a process that ended so.
func printedBy(end string) *Result {
	r := newRun(0, "", "", "x")
	if end == "SIGTERM" {
		r.Outcome.ExitCode, r.Outcome.Signal = nil, end
		return r.failed(Failure, ERUNTIME, "x was ended by SIGTERM", "", ByStatus)
	}
	_, _ = fmt.Sscan(end, r.Outcome.ExitCode)
	if end != "0" {
		r.failed(Failure, ERUNTIME, "x ended with status "+end, "", ByStatus)
	}
	return r
}

// A claim is an envelope's claim about its run, with the status that it names.
type claim struct{ says, names string }

var claims = []claim{
	{"ok", "-"},
	{"ok", "0"},
	{"ok", "3"},
	{"error", "-"},
	{"error", "0"},
	{"error", "3"},
	{"error", "SIGTERM"},
	{"timeout", "-"},
	{"timeout", "0"},
	{"timeout", "SIGTERM"},
	{"job", "-"},
}

// record returns a record that says so.
func (s claim) record() *Result {
	r := newRun(0, `{"rows":3}`, "", "gather")
	switch {
	case s.says == "job":
		return &Result{
			Tool: "gather", Argv: []string{"gather"}, Ended: r.Ended, Workspace: "/w", RequestID: r.RequestID, TraceID: r.TraceID, Agent: r.Agent,
			Jobs: &Jobs{Kind: JobsSubmit, List: []Job{{ID: jobA, State: JobRunning, Started: r.Started, Submitted: r.Started, Position: new(int)}}},
		}
	case s.says == "error":
		r.failed(Failure, ERUNTIME, "gather: no journal", "", ByTable)
	case s.says == "timeout":
		r.failed(Timeout, ETIMEOUT, "gather timed out after 1 s", "", ByEnvwrap)
		r.Outcome.Timeout = HardTimeout
	}
	switch {
	case s.names == "-":
		r.Outcome.ExitCode = nil
	case wire.IsSignal(s.names):
		r.Outcome.ExitCode, r.Outcome.Signal = nil, s.names
	default:
		_, _ = fmt.Sscan(s.names, r.Outcome.ExitCode)
	}
	return r
}

// The table has the result for each claim of an envelope and each end of the process that
// printed it; EENVELOPE means that the envelope contradicts the end.
func TestAdoptionTable(t *testing.T) {
	proofs := []struct {
		name           string
		printed, ended bool
	}{{"-", false, false}, {"printed", true, false}, {"ended", true, true}}
	var b strings.Builder
	row := func(cells ...string) {
		for i, width := range []int{18, 9, 9, 9} {
			cells[i] = fmt.Sprintf("%-*s", width, cells[i])
		}
		for i := range cells[4:] {
			cells[4+i] = fmt.Sprintf("%-10s", cells[4+i])
		}
		b.WriteString(strings.TrimRight(strings.Join(cells, ""), " ") + "\n")
	}
	row(append([]string{"dialect", "says", "names", "proof"}, ends...)...)
	for _, d := range Dialects() {
		for _, s := range claims {
			doc, err := Encode(d, s.record(), EncodeOptions{IncludeOutput: IncludeAlways})
			if err != nil {
				t.Fatal(err)
			}
			for _, proof := range proofs {
				cells := []string{d.Name(), s.says, s.names, proof.name}
				for _, end := range ends {
					cells = append(cells, adoptionOutcome(t, doc, printedBy(end), proof.printed, proof.ended))
				}
				row(cells...)
			}
		}
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(adoptionTable, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(filepath.FromSlash(adoptionTable))
	if err != nil {
		t.Fatal(err)
	}
	got, lines := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(lines)) {
		if g, w := at(got, i), at(lines, i); g != w {
			t.Errorf("line %d:\n%s\nwant\n%s", i+1, g, w)
		}
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "(none)"
}

// adoptionOutcome returns how an envelope of a command is adopted. In brief/v1 its number is always the end of
// the process, and ok stands beside a failure only where the envelope says so, or where
// an envwrap below ended with it.
func adoptionOutcome(t *testing.T, doc []byte, run *Result, printed, ended bool) string {
	t.Helper()
	a, claims, err := Adopt(run, doc, Adoption{
		Reported:   func([]byte) (bool, bool) { return printed, ended },
		SignalName: func(n int) string { return map[int]string{15: "SIGTERM"}[n] },
	})
	if !claims {
		t.Fatalf("it is no envelope: %s", doc)
	}
	if err != nil {
		return string(EENVELOPE)
	}
	text := brief(t, a)
	last := text[strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1:]
	end := cmp.Or(run.Outcome.Signal, strings.TrimPrefix(run.Outcome.status(), "status "))
	if !strings.HasPrefix(last, "[exit "+end) || !slices.Contains([]byte(" ]"), last[len("[exit "+end)]) {
		t.Errorf("the process ended with %s: %s", end, last)
	}
	if a.Outcome.OK() {
		return "ok"
	}
	return "error"
}

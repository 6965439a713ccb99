package testreport

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// A report is the output of a tool that failed.
type report struct {
	name   string // begins with that of the runner or of the tool
	reason string // "" if the output does not say it
	output string
}

// readReports reads testdata/reports.txtar, in whose files the reason is the first line.
// Most were recorded; paths are changed, and long outputs cut.
func readReports(t *testing.T) []report {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/reports.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all []report
	for _, f := range archive.Files {
		reason, output, _ := strings.Cut(string(f.Data), "\n")
		all = append(all, report{f.Name, reason, output})
	}
	return all
}

// say returns what the package says of an output, as its callers ask it.
func say(output string) string { return cmp.Or(Reason(output), Sentence(output)) }

func TestReports(t *testing.T) {
	reports := readReports(t)
	for _, r := range reports {
		if got := say(r.output); got != r.reason {
			t.Errorf("%s:\n got %q\nwant %q", r.name, got, r.reason)
		}
	}
	for _, runner := range runners {
		if !slices.ContainsFunc(reports, func(r report) bool { return strings.HasPrefix(r.name, runner.name) }) {
			t.Errorf("no report of %s", runner.name)
		}
	}
}

// What tests that passed printed, in front of a report, is not the reason.
func TestPassedTestsAreNoReason(t *testing.T) {
	for _, r := range readReports(t) {
		if r.reason == "" || strings.HasPrefix(r.name, "Python, an exception without") {
			continue
		}
		for _, passed := range []string{
			"=== RUN   TestOther\n    other_test.go:7: got 1, want 2, as it should\n--- PASS: TestOther (0.00s)\n",
			"ok 1 - other\n  ---\n  error: 'of a test that passed'\n  ...\n",
			"OtherTest > other() PASSED\n    java.lang.IllegalStateException: expected\n",
			"  ✓ other\nError: expected\n    at other.js:1\n",
		} {
			if got := say(passed + r.output); got != r.reason {
				t.Errorf("%s, after %q:\n got %q\nwant %q", r.name, passed, got, r.reason)
			}
		}
	}
}

// A report that is cut anywhere, as one too long for memory is, does no harm.
func TestCutReports(t *testing.T) {
	for _, r := range readReports(t) {
		for i := 0; i < len(r.output); i += 7 {
			say(r.output[:i])
			say(r.output[i:])
		}
	}
}

// Runners on Windows end lines with CR LF.
func TestReasonWithCRLF(t *testing.T) {
	for _, r := range readReports(t) {
		want := Reason(r.output)
		if got := Reason(strings.ReplaceAll(r.output, "\n", "\r\n")); got != want {
			t.Errorf("%s: %q, want %q", r.name, got, want)
		}
	}
}

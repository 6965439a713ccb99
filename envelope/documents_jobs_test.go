package envelope

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// A like is an envelope of ours that says what an example of a document says of
// a job.
type like struct {
	example string // file in testdata/documents, or the name of a fragment
	text    string // the fragment
	at      string // where in the envelope the fragment stands
	command string // the words that are answered so
	dialect Dialect
	result  *Result
	opt     EncodeOptions
	lacks   string // members of the example that ours has not, and why
	why     string
}

const (
	noThread = "there is no thread"
	noTests  = "a command tells of no files, tests or threads"
)

// likes are all examples that concern jobs, but for the guide to a service that
// envwrap has nothing to do with.
func likes(t *testing.T) []like {
	cases := map[string]testCase{}
	for _, c := range append(append(taskCases(t), answerCases()...), failureCases()...) {
		cases[c.name] = c
	}
	files := "/data/metadata/file_operations /data/metadata/file_operations/modified_files /data/metadata/file_operations/added_files /data/metadata/file_operations/deleted_files /data/metadata/file_operations/lines_changed"
	tests := " /data/metadata/test_results /data/metadata/test_results/passed /data/metadata/test_results/failed /data/metadata/test_results/skipped /data/metadata/test_results/failed_tests"
	thread := " /data/metadata/thread_info /data/metadata/thread_info/thread_id /data/metadata/thread_info/cache_hit_rate /data/metadata/thread_info/token_usage /data/metadata/thread_info/token_usage/input_tokens /data/metadata/thread_info/token_usage/cached_input_tokens /data/metadata/thread_info/token_usage/output_tokens"
	of := func(example, name, command, lacks, why string) like {
		c, ok := cases[name]
		if !ok {
			t.Fatalf("no case %q", name)
		}
		return like{example: example, dialect: &delegatorV36, result: c.result, opt: c.opt, command: command, lacks: lacks, why: why}
	}
	fragment := func(name, text, at string, base like) like {
		base.example, base.text, base.at, base.lacks, base.why = name, text, at, "", ""
		return base
	}
	waited := cases["job-wait"]
	waited.result.Outcome.ExitCode = new(0)
	remembered := newRun(0, "", "", "make")
	remembered.JobID, remembered.CacheKey, remembered.Source = jobA, digestB, "cache"
	remembered.Stdout = inStore(lines(3000), digestA)
	wait := of("3-04-wait-result-ok.json", "job-wait", "job wait", files+tests+thread, noTests)
	included := of("", "job-results-output", "job results --include-output", "", "")
	cut := of("", "job-wait-output", "job wait --include-output --max-output-bytes 400", "", "")
	return []like{
		of("3-02-execution-ack-error.json", "idle-timeout", "--idle-timeout 5m -- cat", "/error/details/partial_results/last_events/type /error/details/partial_results/last_events/turnId /error/details/partial_results/last_events/itemId", "a command has no events"),
		of("3-03-execution-ack-ok.json", "jobs-submit-queued", "job submit", "/data/thread_id", noThread),
		wait,
		of("3-05-status-snapshot-ok.json", "jobs-info-all", "job status", "/data/tasks/progress/completed_steps /data/tasks/progress/total_steps", "a command tells of no steps"),
		of("3-06-result-set-ok.json", "job-results", "job results", files+tests+thread+" /data/metadata/error_context", noTests+"; error_context is left out rather than null"),
		of("3-07-result-set-ok.json", "job-results-failed", "job results", files+" /data/metadata/error_context/failed_files /data/metadata/error_context/error_locations /data/metadata/error_context/error_locations/file /data/metadata/error_context/error_locations/line /data/metadata/error_context/error_locations/column", "a command tells of no files"),
		of("3-08-registry-info-ok.json", "jobs-ls", "job ls", "", ""),
		of("3-10-registry-info-ok.json", "jobs-cleanup", "job cleanup", "", ""),
		fragment("Output Inclusion Policy: left out", `{"included":false,"reason":"Output excluded by default","truncated":false,"max_bytes":0}`, "/data/output", wait),
		fragment("Output Inclusion Policy: included", `{"included":true,"stdout":"Full stdout content...","stderr":"Full stderr content...","truncated":false,"max_bytes":65536}`, "/data/output", included),
		fragment("Output Inclusion Policy: truncated", `{"included":true,"stdout":"First 32KB... [truncated] ...last 32KB","stderr":"","truncated":true,"max_bytes":65536,"original_size":250000}`, "/data/output", cut),
		{
			example: "2-envelope-shape.json", dialect: &protocolV1, result: remembered, command: "job wait` and `envwrap --cache 1h -- make",
			lacks: "/meta/skill_version /error/details", why: "the program is no skill; without an error there are no details",
		},
	}
}

// Every example of the documents that concerns a job has its like: an envelope
// of ours with the members of the example, but for those that no command can
// tell of, which the strict check takes. UPDATE=1 writes the table of them anew.
func TestExamplesOfJobsHaveTheirLikes(t *testing.T) {
	var b strings.Builder
	b.WriteString("| example | envwrap's like | what that has not |\n|---|---|---|\n")
	for _, l := range likes(t) {
		doc, err := Encode(l.dialect, l.result, l.opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Validate(l.dialect, doc, ValidateOptions{Strict: true}) {
			t.Errorf("%s: %s\n%s", l.example, f, doc)
		}
		var lacks []string
		ours := memberPaths(doc)
		for _, p := range l.examplePaths(t) {
			if !slices.Contains(ours, p) {
				lacks = append(lacks, p)
			}
		}
		want := strings.Fields(l.lacks)
		slices.Sort(want)
		if !slices.Equal(lacks, want) {
			t.Errorf("%s: ours has not %v, want %v\n%s", l.example, lacks, want, doc)
		}
		fmt.Fprintf(&b, "| %s | `envwrap %s` | %s |\n", l.example, l.command, describeLacks(lacks, l.why))
	}
	testenv.KeepSections(t, "../docs/reference/examples.md", map[string]string{"likes": b.String()})
}

// describeLacks names the outermost members of a list.
func describeLacks(lacks []string, why string) string {
	var outer []string
	for _, p := range lacks {
		inside := func(o string) bool { return strings.HasPrefix(p, o+"/") }
		if !slices.ContainsFunc(outer, inside) {
			outer = append(outer, p)
		}
	}
	if outer == nil {
		return "nothing"
	}
	return "`" + strings.Join(outer, "`, `") + "`: " + why
}

// examplePaths are the members of the example.
func (l *like) examplePaths(t *testing.T) []string {
	t.Helper()
	if l.text != "" {
		var list []string
		for _, p := range memberPaths([]byte(l.text)) {
			list = append(list, l.at+p)
		}
		return list
	}
	doc, err := os.ReadFile(filepath.Join("..", "testdata", "documents", l.example))
	if err != nil {
		t.Fatal(err)
	}
	return memberPaths(doc)
}

// memberPaths are the pointers to all members of a document, sorted, without the
// indexes of arrays.
func memberPaths(doc []byte) []string {
	var list []string
	var walk func(at string, raw []byte)
	walk = func(at string, raw []byte) {
		for name, value := range jsontext.Members(raw) {
			list = append(list, at+"/"+name)
			walk(at+"/"+name, value)
		}
		for _, e := range jsontext.Elements(raw) {
			walk(at, e)
		}
	}
	walk("", jsontext.TrimSpace(doc))
	slices.Sort(list)
	return slices.Compact(list)
}

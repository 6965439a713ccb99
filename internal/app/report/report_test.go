package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/app/runlog"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// page returns the page about runs, the last one first.
func page(t *testing.T, runs []*runlog.Run, running ...string) string {
	t.Helper()
	var lines, out bytes.Buffer
	for _, r := range runs {
		lines.Write(append(r.AppendJSON(nil), '\n'))
	}
	lines.WriteString("{not a line\n")
	if err := Write(&out, &lines, noon, time.Time{}, running); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// value returns the page's data.
func value(t *testing.T, page string) *data {
	t.Helper()
	_, rest, _ := strings.Cut(page, `<script type="application/json" id="data">`)
	text, _, ok := strings.Cut(rest, "</script>")
	var d data
	if err := json.Unmarshal([]byte(text), &d); err != nil || !ok {
		t.Fatalf("the data is not JSON: %v", err)
	}
	return &d
}

const hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\x1b[2J\u202e &amp; <!--"

// Output and names of commands are only text in the page's data, and the content policy
// allows only the page's own script and style.
func TestHostileRuns(t *testing.T) {
	run := &runlog.Run{
		Kind: runlog.RunEnded, ID: hostile, Time: noon, Outcome: "failure", Code: hostile, Message: hostile, Excerpt: hostile + "\n" + hostile,
		Agent: hostile, Dir: hostile, Workspace: hostile, Argv: []string{hostile, hostile}, Masked: map[string]int{hostile: 1},
	}
	begun := *run
	begun.Kind = runlog.RunBegun
	got := page(t, []*runlog.Run{&begun, run})
	d := value(t, got)
	if len(d.Runs) != 1 || len(d.Running) != 1 || len(d.Causes) != 1 || len(d.Masked) != 1 || !strings.Contains(d.Causes[0].Message, "</script>") {
		t.Errorf("the runs are not in the data: %+v", d)
	}
	plain := page(t, nil)
	for _, tag := range []string{"<script", "</script", "<img", "<!--", "\x1b", "\u202e"} {
		if a, b := strings.Count(got, tag), strings.Count(plain, tag); a != b {
			t.Errorf("%q is there %d times, and %d times in a page without runs", tag, a, b)
		}
	}
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(got)
	want := fmt.Sprintf("default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'", digest(script), digest(style))
	if policy == nil || policy[1] != want {
		t.Errorf("the policy is %q", policy)
	}
	if !strings.Contains(got, "<style>"+style+"</style>") || !strings.HasSuffix(got, "<script>"+script+"</script>\n</body>\n</html>\n") {
		t.Error("script and style are not those that the policy has")
	}
}

// The page's script makes no markup of texts, and nothing in the page is fetched.
func TestScriptOnlyWritesText(t *testing.T) {
	for _, word := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch(", "XMLHttpRequest", "import(", "src="} {
		if strings.Contains(script, word) {
			t.Errorf("the script has %s", word)
		}
	}
	fetched := regexp.MustCompile(`(?i)\b(src|href|url|@import)\b\s*[=(]|https?://`)
	if found := fetched.FindAllString(strings.ReplaceAll(script, "http://www.w3.org/2000/svg", "")+style, -1); found != nil {
		t.Errorf("the page fetches %q", found)
	}
}

// Failures whose messages differ only in numbers have one cause, with the newest excerpt.
func TestCauses(t *testing.T) {
	failure := func(code, message, excerpt string) *runlog.Run {
		return &runlog.Run{Kind: runlog.RunEnded, Time: noon, Code: code, Message: message, Excerpt: excerpt, Argv: []string{"go", "test", "./..."}}
	}
	d := value(t, page(t, []*runlog.Run{
		failure("ERUNTIME", "3 tests failed in 1.25s", "newest\nlast line"), failure("ERUNTIME", "12 tests failed in 10.5s", "older"),
		failure("ETIMEOUT", "3 tests failed in 1.25s", ""),
		{Kind: runlog.RunEnded, Time: noon, Argv: []string{"go", "version"}},
	}))
	want := []cause{{"ERUNTIME", "go test", "# tests failed in #s", "newest\nlast line"}, {"ETIMEOUT", "go test", "# tests failed in #s", ""}}
	if fmt.Sprint(d.Causes) != fmt.Sprint(want) {
		t.Errorf("got %q", d.Causes)
	}
	var of []int64
	for _, row := range d.Runs {
		of = append(of, row[7])
	}
	if fmt.Sprint(of) != "[0 0 1 -1]" {
		t.Errorf("the runs have the causes %v", of)
	}
}

// Totals are of all runs on record; unfinished jobs and runs are listed once each; tokens
// are those of stats.
func TestTotals(t *testing.T) {
	d := value(t, page(t, []*runlog.Run{
		{Kind: runlog.JobUnfinished, ID: "01A", Name: "build", Outcome: "running", Time: noon.Add(-time.Hour), Argv: []string{"make"}, Job: true},
		{Kind: runlog.JobUnfinished, ID: "01B", Outcome: "queued", Time: noon.Add(-time.Hour), Argv: []string{"make"}, Job: true},
		{Kind: runlog.RunBegun, ID: "01A", Time: noon.Add(-time.Hour), Argv: []string{"make"}, Job: true},
		{Kind: runlog.RunBegun, ID: "lives", Time: noon.Add(-time.Hour), Argv: []string{"serve"}},
		{Kind: runlog.RunBegun, ID: "lost", Time: noon.Add(-time.Hour), Argv: []string{"serve"}},
		{Kind: runlog.OutputRead, Time: noon, Agent: "codex", Shown: 400},
		{Kind: runlog.RunEnded, Time: noon.Add(-time.Minute), Agent: "codex", AgentReads: true, StdoutBytes: 40_000, Shown: 800, Duration: 5, Argv: []string{"bash", "-c", ""}, Text: "cd x && make all | tail", Dir: "/d/x", Workspace: "/d"},
	}, "lives"))
	if d.Total.Runs != 4 || d.Total.Unfinished != 3 || d.Total.Tokens.Saved != 2550-200-100 {
		t.Errorf("totals %+v", d.Total)
	}
	var states []string
	for _, r := range d.Running {
		states = append(states, strings.Join([]string{r.Job, r.State, r.Line}, " "))
	}
	if want := "build running make, 01B queued make,  running serve,  no end on record serve"; strings.Join(states, ", ") != want {
		t.Errorf("running %q, want %q", states, want)
	}
	if fmt.Sprint(d.Runs, d.Agents, d.Dirs, d.Labels, d.Lines) != "[[60 5 0 0 0 0 0 -1]] [codex] [/d] [make all] [bash -c 'cd x && make all | tail']" {
		t.Errorf("got %v %v %v %v %v", d.Runs, d.Agents, d.Dirs, d.Labels, d.Lines)
	}
}

// A command line takes room once, and none is shown when there is no room left. An answer
// from memory has a code of its own.
func TestRow(t *testing.T) {
	b := newBuilder(noon, nil)
	b.room = len("make a") + 8 + 1
	var got []string
	for _, r := range []*runlog.Run{
		{Argv: []string{"make", "a"}, Time: noon},
		{Argv: []string{"make", "a"}, Time: noon, Cached: true},
		{Argv: []string{"make", "b"}, Time: noon, Code: "EIO"},
		{Argv: []string{"make", "c"}, Time: noon},
	} {
		row := b.row(r)
		got = append(got, b.codes.list[row[5]], fmt.Sprint(row[6]))
	}
	if want := "ok 0 memory 0 EIO 1 ok -1"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The page has at most 500 KB with 10,000 runs of which nothing is alike, and what is
// left out is the oldest.
func TestSize(t *testing.T) {
	var runs []*runlog.Run
	for i := range 12_000 {
		word := fmt.Sprint("<", i, ">", strings.Repeat("<&>", 100))
		runs = append(runs, &runlog.Run{
			Kind: runlog.RunEnded, Time: noon.Add(-time.Duration(i) * time.Hour), Duration: int64(i) * 1e6, Code: "E" + fmt.Sprint(i%300), Message: strings.Repeat(string(rune('a'+i%26)), i%90),
			Excerpt: word, Agent: word[:20], Dir: "/" + word, Argv: []string{word, word},
		})
	}
	got := page(t, runs)
	if len(got) > pageMost {
		t.Errorf("the page has %d bytes", len(got))
	}
	d := value(t, got)
	if d.Total.Runs != 12_000 || len(d.Runs) == 0 || d.Runs[0][0] != 0 {
		t.Errorf("%d runs in all, %d listed", d.Total.Runs, len(d.Runs))
	}
	for _, row := range d.Runs {
		if row[lineColumn] >= int64(len(d.Lines)) || row[7] >= int64(len(d.Causes)) {
			t.Fatalf("row %v of %d lines", row, len(d.Lines))
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestWriteFails(t *testing.T) {
	if err := Write(full{}, strings.NewReader(""), noon, noon, nil); err == nil || !strings.Contains(err.Error(), "write the report") {
		t.Errorf("got %v", err)
	}
	if err := Write(io.Discard, strings.NewReader(strings.Repeat("x", longestLine+1)), noon, noon, nil); err == nil {
		t.Error("a line without end was read")
	}
}

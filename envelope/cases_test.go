package envelope

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// A testCase is one run as the supervisor records it.
type testCase struct {
	name   string
	about  string // what the reader of the golden should look for
	result *Result
	opt    EncodeOptions
}

const (
	digestA = "sha256:3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f"
	digestB = "sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d"
)

// newRun is a run of argv that ended with status and printed both texts.
func newRun(status int, stdout, stderr string, argv ...string) *Result {
	r := &Result{
		Command: "exec/" + argv[0], Tool: argv[0], Argv: argv,
		RequestID: "32ecfadc-2b66-4daa-a7c0-a03c449fcea5", TaskID: "01JD3K5Y7Q8R9S0T1V2W3X4Y5Z",
		TraceID: "4bf92f3577b34da6a3ce929d0e0e4736", Workspace: "/home/dev/app", Agent: "claude",
		Started: time.Date(2026, 11, 20, 9, 59, 59, 959e6, time.UTC), Duration: 164 * time.Millisecond,
		Outcome: Outcome{Kind: Success, ExitCode: &status},
	}
	r.Ended = r.Started.Add(r.Duration)
	_ = r.Stdout.Interpret([]byte(stdout), ParseAuto)
	_ = r.Stderr.Interpret([]byte(stderr), ParseText)
	return r
}

// failed makes r an error.
func (r *Result) failed(kind Kind, code Code, message, hint string, by Classifier) *Result {
	o := &r.Outcome
	o.Kind, o.Code, o.Message, o.Hint, o.ClassifiedBy = kind, code, message, hint, by
	return r
}

// notStarted takes away what a run that never began does not have.
func (r *Result) notStarted() *Result {
	r.Outcome.ExitCode, r.Duration, r.Started = nil, 0, r.Ended
	return r
}

// inStore moves a stream to the store.
func inStore(text, digest string) Stream {
	return summarize(text, ParseAuto, 4096).Spilled(digest, "envwrap artifact cat "+digest, 256)
}

func lines(n int) string { return strings.Repeat("a line of output\n", n) }

// differing is n lines of which no two in a row are alike.
func differing(n int) string {
	words := strings.Fields("store index parser lexer writer reader cache session token")
	var b strings.Builder
	for i := range n {
		b.WriteString(words[i*7%9] + " read the " + words[i/9%9] + "\n")
	}
	return b.String()
}

// testCases returns cases that are made once: a test does not change their results.
func testCases(t testing.TB) []testCase {
	return slices.Clone(casesMade.of(&protocolV1, func() []testCase { return makeCases(t) }))
}

var casesMade memo[[]testCase]

func makeCases(t testing.TB) []testCase {
	cases := append(plainCases(), failureCases()...)
	cases = append(cases, storeCases()...)
	cases = append(cases, taskCases(t)...)
	cases = append(cases, answerCases()...)
	return append(cases, adoptedCases(t)...)
}

func plainCases() []testCase {
	negative := newRun(1, "", "", "grep", "-n", "TODO", "main.go")
	negative.Outcome.Kind = Negative
	retried := newRun(0, "done\n", "", "curl", "-fsS", "https://example.com")
	retried.Outcome.Details = wire.Fields{{Name: "attempts", Value: json.RawMessage(`2`)}}
	reported := newRun(0, "token ***\n", "", "cat", "notes")
	reported.Redactions = wire.Redactions{Total: 2, ByRule: map[string]int{"env:GITHUB_TOKEN": 1, "bearer": 1}}
	reported.Warnings = []string{"the project file asks for redact = off, which is not followed"}
	reported.Usage = &Usage{12, 3, 9 << 20}
	reported.Leftovers = []Leftover{{4711, "sleep"}}
	merged := newRun(0, "", "", "curl", "-s", "https://example.com/records")
	_ = merged.Stdout.Interpret([]byte("{\"n\":1}\n{\"n\":2}\n"), ParseNDJSON)
	scalar := newRun(0, "", "", "jq", ".id")
	_ = scalar.Stdout.Interpret([]byte("12345678901234567890\n"), ParseJSON)
	return []testCase{
		{"text", "Text stays text, with its final newline.", newRun(0, "v1.26.8\n", "", "go", "version"), EncodeOptions{}},
		{"empty", "No output is an empty text, not a missing one.", newRun(0, "", "", "true"), EncodeOptions{}},
		{"json-object", "A JSON object keeps its order and the spelling of its numbers.", newRun(0, `{"login": "dev", "id": 12345678901234567890, "e": 1.0e+2}`+"\n", "warning: old token\n", "gh", "api", "user"), EncodeOptions{}},
		{"json-array", "A JSON array is a value, where the helper's payload wants an object.", newRun(0, `[{"id":1},{"id":2}]`, "", "gh", "api", "repos"), EncodeOptions{}},
		{"json-scalar", "With --parse json a number is a value too, to its last digit.", scalar, EncodeOptions{}},
		{"ndjson", "With --parse ndjson lines are an array.", merged, EncodeOptions{}},
		{"reserved-names", "An object with names that the helper's envelope needs goes whole under payload.", newRun(0, `{"status":"green","exec":true,"n":1}`, "", "ci"), EncodeOptions{}},
		{"looks-like-error", "JSON that a reader of tool-envelope/v1 would take for an error is the run's output there.", newRun(0, `{"category":"lint","code":"X1","message":"unused"}`, "", "rules", "show", "X1"), EncodeOptions{}},
		{"looks-like-workflow", "So is JSON that is no workflow and has its name.", newRun(0, `{"instructionId":7}`, "", "rules", "next"), EncodeOptions{}},
		{"binary", "Bytes that are no UTF-8 are base64.", newRun(0, "\x89PNG\r\n\x1a\n\x00", "", "cat", "a.png"), EncodeOptions{}},
		{"hostile", "Marks, fences, markup and control characters in the output stay data.", newRun(0, "__ENVELOPE_V1__:e30=\n```\n<script>&amp;\u2028\x1b[31mred\x00\r\n__ENVELOPE_V2__:x\n", "", "cat", "evil`tool`"), EncodeOptions{}},
		{"negative", "No match is no error.", negative, EncodeOptions{}},
		{"retried", "A retry that helped is told in data.attempts.", retried, EncodeOptions{}},
		{"reported", "Redactions, warnings, usage and leftovers are there when there are some.", reported, EncodeOptions{}},
		{"include-output", "delegator/v3.6 shows the output when asked to.", newRun(0, "out\n", "err\n", "make"), EncodeOptions{IncludeOutput: IncludeAlways}},
		{"include-large-output", "Of a long stream delegator/v3.6 shows 16 KiB from both ends.", newRun(0, "A"+strings.Repeat("é", 20_000)+"Z", "", "yes"), EncodeOptions{IncludeOutput: IncludeAlways}},
	}
}

func failureCases() []testCase {
	limited := newRun(22, "", "curl: (22) The requested URL returned error: 429\n", "curl", "-fsS", "https://user:***@api.example.com/v1/items").
		failed(Failure, ERATELIMIT, "curl ended with status 22: curl: (22) The requested URL returned error: 429", "The server limits requests; wait, or lower the rate.", BySignature)
	limited.Outcome.Retryable, limited.Outcome.Meaning = true, "HTTP >= 400 with --fail"
	limited.Outcome.Details = wire.Fields{{Name: "attempts", Value: json.RawMessage(`3`)}, {Name: "backoff", Value: json.RawMessage(`"exponential"`)}, {Name: "retry_after", Value: json.RawMessage(`"7"`)}}
	refused := newRun(7, "", "curl: (7) Failed to connect to localhost port 1\n", "curl", "http://localhost:1").
		failed(Failure, ERUNTIME, "curl ended with status 7: curl: (7) Failed to connect to localhost port 1", "Check that the server runs.", ByTable)
	refused.Outcome.Network, refused.Outcome.Retryable = true, true
	missing := newRun(0, "", "", "gti", "status").notStarted().
		failed(NotStarted, ENOTFOUND, "gti: program not found on PATH", `No program named "gti" on PATH. Did you mean git?`, ByEnvwrap)
	missing.Outcome.Suggestions = []string{"git"}
	interpreter := newRun(0, "", "", "run.py").notStarted().
		failed(NotStarted, ENOTFOUND, "run.py: its interpreter /usr/bin/python9 is not there", "Install the interpreter, or correct the first line.", ByEnvwrap)
	interpreter.Outcome.Interpreter = "/usr/bin/python9"
	timeout := newRun(0, "started\n", "still waiting\n", "sleep", "60").
		failed(Timeout, ETIMEOUT, "sleep timed out after 1 s", "Raise --timeout, or run it in the background.", ByEnvwrap)
	timeout.Outcome.ExitCode, timeout.Outcome.Signal = nil, "SIGTERM"
	timeout.Outcome.Retryable, timeout.Outcome.Timeout = true, HardTimeout
	idle := newRun(0, "", "", "cat").failed(Timeout, ETIMEOUT, "cat printed nothing for 300 s", "Raise --idle-timeout.", ByEnvwrap)
	idle.Outcome.ExitCode, idle.Outcome.Timeout, idle.Duration = nil, IdleTimeout, 305*time.Second
	idle.Started = idle.Ended.Add(-idle.Duration)
	killed := newRun(0, "", "", "train").failed(Failure, ERUNTIME, "train was ended by SIGKILL", "Memory may have run out.", ByStatus)
	killed.Outcome.ExitCode, killed.Outcome.Signal, killed.Outcome.Retryable = nil, "SIGKILL", true
	canceled := newRun(0, "half", "", "make").failed(Canceled, ECANCELED, "make: envwrap was told to stop (SIGINT)", "Run it again if it is still wanted.", ByEnvwrap)
	canceled.Outcome.ExitCode, canceled.Outcome.Signal = nil, "SIGINT"
	partial := newRun(24, "sending incremental file list\n", "file has vanished: \"src/x\"\n", "rsync", "-a", "src/", "dst/").
		failed(Partial, ERUNTIME, "rsync ended with status 24: file has vanished", "Part of the work is done; stderr says what is missing.", ByTable)
	partial.SkippedSources = []string{"rsync: partial transfer: source files vanished"}
	usage := newRun(0, "", "", "envwrap").notStarted().
		failed(Failure, EARG, `option --timout is not known`, "envwrap help run lists the options.", ByEnvwrap)
	usage.Command, usage.Tool, usage.Argv = "exec/envwrap", "envwrap", nil
	return []testCase{
		{"failure", "A status that nobody knows is never ok.", newRun(3, "", "boom\n", "sh", "-c", "exit 3").failed(Failure, ERUNTIME, "sh ended with status 3: boom", "The command failed; read its output.", ByStatus), EncodeOptions{}},
		{"failure-json", "The output of a failed command is there whole where the dialect has room.", newRun(1, `{"errors":2}`, "", "lint").failed(Findings, ERUNTIME, "lint found faults", "Correct what it found.", ByTable), EncodeOptions{}},
		{"rate-limit", "A signature in stderr decided the code, and retries are told.", limited, EncodeOptions{}},
		{"network", "An error of the network has a category of its own in tool-envelope/v1.", refused, EncodeOptions{}},
		{"missing", "A missing program is tool-missing in helper/v1.", missing, EncodeOptions{}},
		{"interpreter", "A missing interpreter is named.", interpreter, EncodeOptions{}},
		{"timeout", "A timeout tells which limit passed and what there was until then.", timeout, EncodeOptions{}},
		{"idle-timeout", "The other limit.", idle, EncodeOptions{}},
		{"killed", "A signal from outside.", killed, EncodeOptions{}},
		{"canceled", "envwrap was told to stop.", canceled, EncodeOptions{}},
		{"partial", "Done in part: partial in helper/v1, an error elsewhere.", partial, EncodeOptions{}},
		{"usage", "A usage error of envwrap's own.", usage, EncodeOptions{}},
	}
}

func storeCases() []testCase {
	spilled := newRun(0, "", "", "go", "test", "-v", "./...")
	spilled.Stdout = inStore("=== RUN TestOpen\n"+lines(50)+"ok\n", digestA)
	records := newRun(0, "", "", "gh", "api", "repos")
	records.Stdout = inStore("["+strings.Repeat(`{"id":7,"name":"envwrap"},`, 40)+`{"id":8}]`, digestA)
	errorsOnly := newRun(0, "ok\n", "", "make")
	errorsOnly.Stderr = inStore(lines(40), digestB)
	both := newRun(0, "", "", "make", "-j8")
	both.Stdout, both.Stderr = inStore(lines(60), digestA), inStore(lines(40), digestB)
	beside := newRun(0, `{"rows":3}`, "", "gather")
	beside.Stderr = inStore(lines(200), digestB)
	image := newRun(0, "", "", "convert", "in.svg", "png:-")
	image.Stdout = inStore("\x89PNG\r\n\x1a\n"+strings.Repeat("\x00\xff", 400), digestA)
	kept := newRun(2, "", "", "make").failed(Failure, ERUNTIME, "make ended with status 2: make: *** [all] Error 1", "Read the output for the cause.", ByTable)
	kept.Stdout, kept.Stderr = inStore("cc -c a.c\n", digestA), inStore("a.c:1: error\nmake: *** [all] Error 1\n", digestB)
	overflow := newRun(0, "", "", "yes").failed(Partial, EOUTPUTTOOLARGE, "yes printed 104857600 bytes; --max-capture allows 1048576", "Read the artifact in parts.", ByEnvwrap)
	overflow.Stdout = inStore(lines(5000), digestA)
	overflow.Stdout.Truncated = true
	noStore := newRun(0, "", "", "yes").failed(Failure, EIO, "the artifact store failed: no space left on device", "Free some space, or name another --store.", ByEnvwrap)
	noStore.Outcome.Retryable = true
	noStore.Stdout = inStore(lines(5000), "")
	noStore.Stdout.Read, noStore.Stdout.Summary = "", nil
	return []testCase{
		{"spilled", "Large output is in the store; the envelope has both ends and a summary.", spilled, EncodeOptions{}},
		{"spilled-records", "Of an array of objects the summary counts the records and samples the first.", records, EncodeOptions{}},
		{"spilled-stderr", "Only stderr is in the store: it is the artifact.", errorsOnly, EncodeOptions{}},
		{"spilled-both", "Both are in the store, each with its own summary.", both, EncodeOptions{}},
		{"spilled-beside", "Beside a JSON value stderr has to be found all the same.", beside, EncodeOptions{}},
		{"spilled-binary", "What is no text has no ends to show.", image, EncodeOptions{}},
		{"failure-kept", "The output of a failed command is in the store although it is small.", kept, EncodeOptions{}},
		{"overflow", "Over the capture limit: an error with usable output, partial in helper/v1.", overflow, EncodeOptions{}},
		{"no-store", "Without a store the ends stand inline, and the stream says that it is cut.", noStore, EncodeOptions{}},
	}
}

// adoptedCases are runs whose output was an envelope itself, one of each
// dialect, printed by a helper that succeeded or failed.
func adoptedCases(t testing.TB) []testCase {
	ok := newRun(0, `{"rows":3}`, "", "gather")
	bad := newRun(1, "", "no such table\n", "gather").failed(Failure, ENOTFOUND, "gather: no such table", "Create the table.", ByTable)
	var cases []testCase
	for _, d := range Dialects() {
		name, _, _ := strings.Cut(d.Name(), "/")
		cases = append(cases,
			testCase{"adopted-" + name, "The child printed a " + d.Name() + " envelope.", mustAdopt(t, d, ok, 0), EncodeOptions{}},
			testCase{"adopted-" + name + "-error", "The child printed a " + d.Name() + " envelope of a failure.", mustAdopt(t, d, bad, 1), EncodeOptions{}})
	}
	return cases
}

// proved is the proof by which an envwrap below said that it printed the envelope, and the
// store has all objects.
var proved = Adoption{
	Reported: func([]byte) (printed, ended bool) { return true, true },
	Stored:   func(string) bool { return true },
}

// mustAdopt is a run of node that printed inner in dialect d.
func mustAdopt(t testing.TB, d Dialect, inner *Result, status int) *Result {
	t.Helper()
	doc, err := Encode(d, inner, EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	run := newRun(status, string(doc), "debug: connected\n", "node", "gather.js")
	if status != 0 {
		run.failed(Failure, ERUNTIME, "node ended with status 1", "Read the output for the cause.", ByStatus)
	}
	adopted, claims, err := Adopt(run, doc, proved)
	if !claims || err != nil {
		t.Fatalf("adopt %s: claims %v, %v\n%s", d.Name(), claims, err, doc)
	}
	return adopted
}

package envelope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/envwrap/envwrap/internal/test/matrix"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	excerpts "github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// The encoder gives what the documents' readers were promised in hand-written
// samples.
func TestSamples(t *testing.T) {
	at := time.Date(2026, 11, 20, 10, 0, 0, 123e6, time.UTC)
	run := func(ms int, agent string, r *Result) *Result {
		r.Ended, r.Duration, r.Agent = at, time.Duration(ms)*time.Millisecond, agent
		r.Started = at.Add(-r.Duration)
		return r
	}
	gather := run(88, "claude", newRun(0, `{"priorities":["ship"],"active_rows":3}`, "", "node", "gather.js"))
	enhance := run(41, "claude", newRun(0, `{"sections": ["examples"]}`, "", "enhance", "--json"))
	slow := run(120_000, "claude", newRun(0, "", "", "enhance").notStarted().
		failed(Timeout, ETIMEOUT, "enhance timed out after 120 s", "Raise --timeout, or run it in the background.", ByEnvwrap))
	slow.Duration = 120 * time.Second
	missing := run(0, "codex", newRun(0, "", "", "terraform", "plan").notStarted().
		failed(NotStarted, ENOTFOUND, "terraform: program not found on PATH", "Install it: brew install terraform.", ByEnvwrap))
	user := run(41, "claude", newRun(0, `{"login":"dev","id":12345678901234567890}`, "", "gh", "api", "user"))
	for _, c := range []struct {
		dialect string
		result  *Result
		want    string
	}{
		{"protocol", user, `{"version":1,"status":"ok","command":"exec/gh","data":{"argv":["gh","api","user"],"exit_code":0,"outcome":"success","stdout":{"bytes":41,"lines":1,"json":{"login":"dev","id":12345678901234567890}},"stderr":{"bytes":0,"lines":0,"text":""}},"meta":{"ts":"2026-11-20T10:00:00.123Z","duration_ms":41,"runner":"exec","workspace":"/home/dev/app","trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","profiles":["core/v1"],"source":"run","agent":"claude"},"error":{"code":null,"message":null}}`},
		{"helper", gather, `{"schema_version":"1.0.0","status":"ok","error":null,"agent":"claude","ts":"2026-11-20T10:00:00.123Z","priorities":["ship"],"active_rows":3,"exec":{"argv":["node","gather.js"],"exit_code":0,"duration_ms":88,"outcome":"success","stderr":""}}`},
		{"helper", missing, `{"schema_version":"1.0.0","status":"tool-missing","error":{"code":"ENOTFOUND","message":"terraform: program not found on PATH"},"agent":"codex","ts":"2026-11-20T10:00:00.123Z","exec":{"argv":["terraform","plan"],"exit_code":null,"duration_ms":0,"outcome":"not-started","stderr":"","hint":"Install it: brew install terraform."}}`},
		{"agent-response", enhance, `{"request_id":"32ecfadc-2b66-4daa-a7c0-a03c449fcea5","version":"1.0","status":"success","response":"{\"sections\": [\"examples\"]}","error_message":null,"error_type":null,"created_at":"2026-11-20T10:00:00.123Z","duration_seconds":0.041,"metadata":{"argv":["enhance","--json"],"exit_code":0,"outcome":"success","agent":"claude"}}`},
		{"agent-response", slow, `{"request_id":"32ecfadc-2b66-4daa-a7c0-a03c449fcea5","version":"1.0","status":"timeout","response":null,"error_message":"enhance timed out after 120 s","error_type":"timeout","created_at":"2026-11-20T10:00:00.123Z","duration_seconds":120.0,"metadata":{"argv":["enhance"],"outcome":"timeout","agent":"claude","hint":"Raise --timeout, or run it in the background."}}`},
	} {
		d, _ := Lookup(c.dialect)
		got, err := Encode(d, c.result, EncodeOptions{Layout: LayoutCompact})
		if err != nil || string(got) != c.want+"\n" {
			t.Errorf("%s: %v\n%swant\n%s", c.dialect, err, got, c.want)
		}
	}
}

func TestLookup(t *testing.T) {
	for name, want := range map[string]string{
		"protocol": "protocol/v1", "protocol/v1": "protocol/v1", "foxctl": "foxctl/v1", "helper/v1": "helper/v1",
		"delegator": "delegator/v3.6", "tool-envelope": "tool-envelope/v1", "agent-response/v1": "agent-response/v1",
	} {
		if d, ok := Lookup(name); !ok || d.Name() != want {
			t.Errorf("Lookup(%q) = %v, %v", name, d, ok)
		}
	}
	for _, name := range []string{"", "proto", "helper/v2", "Helper", "/v1"} {
		if d, ok := Lookup(name); ok {
			t.Errorf("Lookup(%q) = %v", name, d)
		}
	}
}

func TestLayouts(t *testing.T) {
	r := newRun(0, "x", "", "true")
	for _, d := range Dialects() {
		if d.Name() == "tool-envelope/v1" {
			continue // its blocks are what they are
		}
		for layout, want := range map[Layout]bool{LayoutPretty: true, LayoutCompact: false, LayoutDefault: d.Indented()} {
			doc, err := Encode(d, r, EncodeOptions{Layout: layout})
			if indented := bytes.Contains(doc, []byte("\n  \"")); err != nil || indented != want {
				t.Errorf("%s, layout %d: indented is %v (%v)", d.Name(), layout, indented, err)
			}
		}
	}
}

// A result of which nothing is known yet can be spelled, as each run does while its
// command begins.
func TestEncodeEmpty(t *testing.T) {
	empty := &Result{Outcome: Outcome{Kind: Success}}
	for _, d := range Formats() {
		for _, o := range []EncodeOptions{{}, {Layout: LayoutPretty}, {Detail: DetailLean}, {Whole: true}, {Budget: 1}} {
			if doc, err := Encode(d, empty, o); err != nil || len(doc) == 0 {
				t.Errorf("%s, %+v: %q, %v", d.Name(), o, doc, err)
			}
		}
	}
}

func TestFailedAndKeep(t *testing.T) {
	missing := newRun(0, "", "", "x").notStarted().failed(NotStarted, ENOTFOUND, "m", "h", ByEnvwrap)
	partial := newRun(23, "", "", "x").failed(Partial, ERUNTIME, "m", "h", ByTable)
	failed := newRun(1, "", "", "x").failed(Failure, ERUNTIME, "m", "h", ByStatus)
	ok := newRun(0, "", "", "x")
	for _, d := range Dialects() {
		lenient := d.Name() == "helper/v1"
		for _, c := range []struct {
			r    *Result
			want bool
		}{{ok, false}, {failed, true}, {partial, !lenient}, {missing, !lenient}} {
			if d.Failed(c.r) != c.want {
				t.Errorf("%s: %s failed is %v", d.Name(), c.r.Outcome.Kind, !c.want)
			}
		}
	}
	for name, want := range map[string][2]Keep{
		"protocol": {KeepLarge, KeepLarge}, "foxctl": {KeepLarge, KeepLarge}, "helper": {KeepLarge, KeepLarge},
		"delegator": {KeepAll, KeepFailed}, "tool-envelope": {KeepBeside, KeepBeside}, "agent-response": {KeepTailed, KeepTailed},
	} {
		d, _ := Lookup(name)
		if got := [2]Keep{d.Placement(EncodeOptions{}).Keep, d.Placement(EncodeOptions{IncludeOutput: IncludeAlways}).Keep}; got != want {
			t.Errorf("%s keeps %v, want %v", name, got, want)
		}
	}
}

// A stream that a dialect shows in part, or not at all, is in the store.
func TestKeepWants(t *testing.T) {
	short, long := "note\n", strings.Repeat("note\n", 201)
	spilled := newRun(0, "", short, "x")
	spilled.Stdout = inStore(`{"a":1}`, digestA)
	for _, c := range []struct {
		name           string
		r              *Result
		stdout, stderr []Keep // those that want it
	}{
		{"text", newRun(0, "out\n", short, "x"), []Keep{KeepAll}, []Keep{KeepAll}},
		{"long stderr", newRun(0, "out\n", long, "x"), []Keep{KeepAll}, []Keep{KeepAll, KeepTailed}},
		{"JSON", newRun(0, `{"a":1}`, short, "x"), []Keep{KeepAll}, []Keep{KeepAll, KeepBeside}},
		{"JSON alone", newRun(0, `{"a":1}`, "", "x"), []Keep{KeepAll}, []Keep{KeepAll}},
		{"spilled", spilled, []Keep{KeepAll}, []Keep{KeepAll}},
		{
			"failed", newRun(1, "out\n", short, "x").failed(Failure, ERUNTIME, "m", "h", ByStatus),
			[]Keep{KeepFailed, KeepAll, KeepTailed, KeepBeside},
			[]Keep{KeepFailed, KeepAll, KeepTailed, KeepBeside},
		},
	} {
		for k := KeepLarge; k <= KeepBeside; k++ {
			if got, want := k.Wants(c.r, &c.r.Stdout), slices.Contains(c.stdout, k); got != want {
				t.Errorf("%s: %d wants stdout: %v", c.name, k, got)
			}
			if got, want := k.Wants(c.r, &c.r.Stderr), slices.Contains(c.stderr, k); got != want {
				t.Errorf("%s: %d wants stderr: %v", c.name, k, got)
			}
		}
	}
}

// The measure against --inline-limit is the data member, byte for byte.
func TestInlineSizeIsTheData(t *testing.T) {
	for _, c := range testCases(t) {
		doc, err := Encode(&protocolV1, c.result, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if data := wire.FieldsIn(doc).Get("data"); InlineSize(c.result) != len(data) {
			t.Errorf("%s: InlineSize is %d, data has %d bytes", c.name, InlineSize(c.result), len(data))
		}
	}
}

// An envelope is valid and true under any budget, and keeps to a budget that has room for
// the decisive members.
func TestBudget(t *testing.T) {
	t.Parallel() // it takes long under the race detector
	loud := newRun(1, "", "", "make", strings.Repeat("x", 3000), "a", "b").
		failed(Failure, ERUNTIME, "make ended with status 1: "+strings.Repeat("e", 190), strings.Repeat("h", 500), ByStatus)
	loud.Stdout = inStore(lines(4500), digestA)
	loud.Stderr = inStore(strings.Repeat("größer – 日本語\n", 2000), digestB)
	loud.Warnings = []string{strings.Repeat("w", 900), "b", "c", "d", "e"}
	huge := newRun(0, `{"rows":[`+strings.Repeat(`"0123456789",`, 4000)+`1]}`, lines(1500), "gather")
	binary := newRun(0, strings.Repeat("\xff\x00", 15_000), "", "cat")
	masked := newRun(1, "", "", "env").failed(Failure, ERUNTIME, "env ended with status 1", "", ByStatus)
	masked.Redactions = wire.Redactions{Total: 3000, ByRule: map[string]int{}}
	for i := range 800 {
		masked.Redactions.ByRule[fmt.Sprintf("env:SECRET_%04d_TOKEN", i)] = 2
	}
	long := newRun(0, "", "", strings.Repeat("x", 30_000))
	wordy := mustAdopt(t, &toolEnvelopeV1, newRun(0, "", "", "gather").failed(Failure, EIO, "gather failed", "", ByStatus), 1)
	wordy.Markdown, wordy.Outcome.ForeignCode = strings.Repeat("m\n", 15_000), strings.Repeat("C", 30_000)
	wordy.Agent, wordy.TraceID = strings.Repeat("a", 30_000), strings.Repeat("t", 30_000)
	budgets := []int{2_500, 14_000, 24_000, 9_000, 4_000}
	results := []*Result{loud, huge, binary, masked, long, wordy, mustAdopt(t, &helperV1, huge, 0), mustAdopt(t, &agentResponseV1, huge, 0)}
	dialects := Dialects()
	for _, at := range matrix.Cases(len(results), len(dialects), len(budgets)) {
		r, d, budget := results[at[0]], dialects[at[1]], budgets[at[2]]
		doc, err := Encode(d, r, EncodeOptions{Budget: budget})
		if err != nil {
			t.Fatal(err)
		}
		if n := units(doc); n > budget {
			t.Errorf("%s, %s: %d characters, budget %d", d.Name(), r.Command, n, budget)
		}
		if faults := Validate(d, doc, ValidateOptions{}); faults != nil {
			t.Errorf("%s within %d: %v\n%s", d.Name(), budget, faults, doc)
		}
	}
}

// The smaller budget holds for a failure, and only for that.
func TestFailureBudget(t *testing.T) {
	for status, wants := range [][]int{{6000, 0}, {4000, 4000}} {
		r := newRun(0, lines(3000), "", "make")
		if status != 0 {
			r = newRun(status, lines(3000), "", "make").failed(Failure, ERUNTIME, "make ended with status 1", "", ByStatus)
		}
		for i, o := range []EncodeOptions{{Budget: 6000, FailureBudget: 4000}, {FailureBudget: 4000}} {
			want, err := Encode(&protocolV1, r, EncodeOptions{Budget: wants[i]})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := Encode(&protocolV1, r, o); err != nil || !bytes.Equal(got, want) {
				t.Errorf("status %d, %+v: %d characters, %v; want %d", status, o, units(got), err, units(want))
			}
		}
	}
	r := newRun(1, lines(3000), "", "make").failed(Failure, ERUNTIME, "make ended with status 1", "", ByStatus)
	smaller, _ := Encode(&protocolV1, r, EncodeOptions{Budget: 4000})
	if got, err := Encode(&protocolV1, r, EncodeOptions{Budget: 4000, FailureBudget: 6000}); err != nil || !bytes.Equal(got, smaller) {
		t.Errorf("a failure's budget that is larger is taken: %d characters, %v", units(got), err)
	}
}

// A budget takes no more than it must: with little missing, only excerpts go.
func TestBudgetTakesExcerptsFirst(t *testing.T) {
	r := newRun(1, "", lines(30), "make", "all").failed(Failure, ERUNTIME, "make ended with status 1", "Read the output.", ByStatus)
	text := differing(900)
	r.Stdout = summarize(text, ParseAuto, 4096).Spilled(digestA, "envwrap artifact cat "+digestA, 4096)
	whole, err := Encode(&protocolV1, r, EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Encode(&protocolV1, r, EncodeOptions{Budget: len(whole) - 500})
	if err != nil {
		t.Fatal(err)
	}
	excerpt := func(doc []byte) string {
		return string(wire.FieldsIn(wire.FieldsIn(wire.FieldsIn(doc).Get("data")).Get("stdout")).Get("excerpt"))
	}
	read := func(doc []byte) string {
		return string(wire.FieldsIn(wire.FieldsIn(wire.FieldsIn(doc).Get("data")).Get("stdout")).Get("read"))
	}
	rest := strings.Replace(string(doc), excerpt(doc), excerpt(whole), 1)
	rest = strings.Replace(rest, read(doc), read(whole), 1)
	if rest != string(whole) || excerpt(doc) == excerpt(whole) {
		t.Errorf("more than the excerpt changed:\n%s\n%s", doc, whole)
	}
	var x struct {
		Text  string `json:"text"`
		Bytes int    `json:"omitted_bytes"`
		Lines int    `json:"omitted_lines"`
	}
	if err := json.Unmarshal([]byte(excerpt(doc)), &x); err != nil {
		t.Fatal(err)
	}
	shown := ""
	for line := range strings.Lines(x.Text) {
		if !excerpts.IsGap(strings.TrimSuffix(line, "\n")) {
			shown += line
		}
	}
	if x.Bytes+len(shown) != len(text) || x.Lines != 900-strings.Count(shown, "\n") {
		t.Errorf("the excerpt does not add up: %+v", x)
	}
}

// The inline limit is on the serialized data; what is exactly at it stays.
func TestInlineLimitIsStrictlyGreater(t *testing.T) {
	r := newRun(0, "text\n", "", "cat")
	size := int64(InlineSize(r))
	for limit, want := range map[int64]bool{size: true, size - 1: false, size + 1: true, 0: false} {
		if got := (Placement{}).Fits(r, limit); got != want {
			t.Errorf("data of %d bytes, limit %d: fits %v", size, limit, got)
		}
	}
}

// Fits says of text that is longer than the limit what its size says, without writing
// it, whatever the stream has beside it.
func TestFitsWithoutEncoding(t *testing.T) {
	long := strings.Repeat("a long line\n", 500)
	text, stored, parsed, binary, adopted := newRun(0, long, "", "cat"), newRun(0, long, "", "cat"), newRun(0, long, "", "cat"), newRun(0, long, "", "cat"), newRun(0, "", long, "cat")
	stored.Stdout.Artifact, stored.Stdout.Excerpt = "sha256:"+strings.Repeat("0", 64), &Excerpt{}
	parsed.Stdout.JSON = json.RawMessage(`{}`)
	binary.Stdout.Binary = []byte{0xff}
	adopted.Payload = json.RawMessage(`{}`)
	for name, r := range map[string]*Result{"text": text, "stored": stored, "parsed": parsed, "binary": binary, "adopted": adopted} {
		size := int64(InlineSize(r))
		for _, limit := range []int64{0, 1, size - 1, size, 1 << 20} {
			if got := (Placement{}).Fits(r, limit); got != (size <= limit) {
				t.Errorf("%s: data of %d bytes, limit %d: fits %v", name, size, limit, got)
			}
		}
	}
	if allocs := testing.AllocsPerRun(10, func() { (Placement{}).Fits(text, 1000) }); allocs > 0 {
		t.Errorf("to see that %d bytes are too many took %v allocations", len(long), allocs)
	}
}

func TestFits(t *testing.T) {
	big := newRun(0, lines(3000), "", "make")
	small := newRun(0, "x", "", "make")
	fox, delegator := Dialect(&foxctlV1), Dialect(&delegatorV36)
	for _, c := range []struct {
		d    Dialect
		r    *Result
		o    EncodeOptions
		want bool
	}{
		{&protocolV1, big, EncodeOptions{}, true},
		{&protocolV1, big, EncodeOptions{Budget: 9000}, false},
		{&protocolV1, small, EncodeOptions{Budget: 9000}, true},
		{fox, big, EncodeOptions{}, false},
		{fox, small, EncodeOptions{}, true},
		{delegator, big, EncodeOptions{}, true},
		{delegator, big, EncodeOptions{IncludeOutput: IncludeAlways}, false}, // its middle would be nowhere
	} {
		if got := c.d.Placement(c.o).Fits(c.r, 1<<20); got != c.want {
			t.Errorf("%s, %d bytes, %+v: fits is %v", c.d.Name(), c.r.Stdout.Bytes, c.o, got)
		}
	}
}

// The deepest JSON that is taken leaves an envelope that common readers take:
// they stop at 256 levels.
func TestDepthOfTheWholeEnvelope(t *testing.T) {
	deep := newRun(0, strings.Repeat(`{"a":`, maxDepth)+"1"+strings.Repeat("}", maxDepth), "", "x")
	if deep.Stdout.JSON == nil {
		t.Fatal("the deepest JSON is text")
	}
	adopted := mustAdopt(t, &protocolV1, deep, 0)
	for _, d := range Dialects() {
		for _, r := range []*Result{deep, adopted} {
			doc, err := Encode(d, r, EncodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if d.self().unframe != nil {
				doc, _, _ = d.self().unframe(doc)
			}
			if fault := jsontext.Check(doc, 255, func(jsontext.Fault) bool { return true }); fault != nil {
				t.Errorf("%s: %v", d.Name(), fault)
			}
		}
	}
	if maxDepth < 200 {
		t.Errorf("only %d levels are taken", maxDepth)
	}
}

// The encoder does not change what it is given, and gives the same each time.
func TestEncodeIsPure(t *testing.T) {
	t.Parallel()
	for _, c := range testCases(t) {
		before := fmt.Sprintf("%#v", c.result)
		for _, d := range Dialects() {
			a, _ := Encode(d, c.result, EncodeOptions{Budget: 3000})
			b, _ := Encode(d, c.result, EncodeOptions{Budget: 3000})
			if !bytes.Equal(a, b) {
				t.Errorf("%s: %s twice, and different", c.name, d.Name())
			}
		}
		if after := fmt.Sprintf("%#v", c.result); after != before {
			t.Errorf("%s: the record was changed", c.name)
		}
	}
}

// Invalid JSON is the only error, and the envelope is complete all the same.
func TestBrokenRawJSON(t *testing.T) {
	r := newRun(0, "", "", "x")
	r.Stdout.JSON = json.RawMessage(`{"a":`)
	for _, d := range Dialects() {
		doc, err := Encode(d, r, EncodeOptions{Layout: LayoutCompact})
		if err == nil && d.Name() != "delegator/v3.6" && d.Name() != "agent-response/v1" {
			t.Errorf("%s: no error", d.Name())
		}
		if d.self().unframe == nil && !json.Valid(doc) {
			t.Errorf("%s: %s", d.Name(), doc)
		}
	}
}

// FuzzEncode makes a record of arbitrary texts. Every dialect writes it as one
// valid document of its own.
func FuzzEncode(f *testing.F) {
	for _, text := range samples {
		if len(text) < 2000 {
			f.Add([]byte(text), text, int64(len(text)), uint8(len(text)))
		}
	}
	f.Fuzz(func(t *testing.T, out []byte, text string, n int64, pick uint8) {
		r := fuzzRecord(out, text, n, pick)
		for _, d := range Dialects() {
			o := EncodeOptions{Budget: int(uint16(n)), IncludeOutput: Include(pick % 3)}
			doc, err := Encode(d, r, o)
			if err != nil {
				t.Fatal(err)
			}
			if !utf8.Valid(doc) || doc[len(doc)-1] != '\n' {
				t.Fatalf("%s: not one text: %q", d.Name(), doc)
			}
			for _, fault := range Validate(d, doc, ValidateOptions{}) {
				t.Fatalf("%s: %s\n%s", d.Name(), fault, doc)
			}
			checkStable(t, d, doc, EncodeOptions{IncludeOutput: o.IncludeOutput})
		}
	})
}

func fuzzRecord(out []byte, text string, n int64, pick uint8) *Result {
	status := int(pick)
	r := &Result{
		Command: text, Tool: text, Argv: []string{text, string(out)}, TraceID: text, Agent: text, Workspace: "/" + text,
		Started: time.Unix(n, n), Ended: time.Unix(n/2, 0), Duration: time.Duration(n), Warnings: []string{text},
		Outcome: Outcome{Kind: Success, ExitCode: &status, Hint: text, Message: text, Signal: text, Meaning: text},
	}
	if pick%3 > 0 {
		codes := Codes()
		r.Outcome.Code = codes[int(pick)%len(codes)]
		r.Outcome.Kind = Kind(outcomeWord("").Limits().Enum[int(pick)%10])
	}
	r.Outcome.Details = wire.Fields{{Name: text, Value: wire.MustEncode(text)}, {Name: "attempts", Value: json.RawMessage("2")}}
	_ = r.Stdout.Interpret(out, Parse(pick%4))
	r.Stderr = summarize(text, ParseText, 5).Spilled(digestA, text, int(pick))
	switch pick % 8 {
	case 1, 2:
		r.JobID, r.Category = jobA, []string{"", "result_set"}[pick/8%2]
	case 3, 4:
		r.Jobs = fuzzJobs(text, n, pick/8)
	}
	return r
}

// fuzzJobs is an answer about jobs of which nothing but the ids is as it should be.
func fuzzJobs(text string, n int64, pick uint8) *Jobs {
	states := JobState("").Limits().Enum
	job := Job{
		ID: []string{jobA, text}[pick%2], State: JobState(states[int(pick)%len(states)]), Command: text, Argv: []string{text, text},
		Submitted: time.Unix(n, 0), Started: time.Unix(n/2, n), Ended: time.Unix(-n, 0), Elapsed: time.Duration(n), Position: new(int(n)),
		StartsIn: new(time.Duration(-n)), Timeout: time.Duration(n), Pct: new(float64(n)), Activity: text, LastLines: strings.Split(text, "l"),
		ExitCode: new(int(n)), Signal: text, Code: Code(text), Message: text, Stdout: &JobOutput{n, -n, text}, Stderr: &JobOutput{-n, n, digestA},
	}
	other := job
	other.ID, other.State = jobB, JobState(states[int(pick/3)%len(states)])
	j := &Jobs{
		Kind: jobsKinds()[int(pick)%len(jobsKinds())], All: pick%2 == 0, List: []Job{job, other}, Counts: JobCounts{int(n), -int(n), 7}, Omitted: int(n),
		Next: text, Source: text, Runners: []JobRunner{{text, text, text, text, time.Unix(n, 0), int(n)}},
	}
	if pick%4 == 0 {
		j.Cleanup = &JobCleanup{pick%3 == 0, time.Duration(n), time.Duration(-n), []string{text, jobA}, int(n), -int(n), int(n), time.Duration(n), n}
	}
	if pick%5 == 0 {
		j.Stdout = &Stream{Text: text, Bytes: int64(len(text))}
	}
	return j
}

func BenchmarkEncode(b *testing.B) {
	small := newRun(0, "ok\n", "", "true")
	text := newRun(0, strings.Repeat("a line of output, quoted \"so\"\n", 1000), "", "make")
	doc := newRun(0, "["+strings.Repeat(`{"id":12345,"name":"envwrap","tags":["a","b"]},`, 600)+"0]", "", "gh")
	for _, d := range Dialects() {
		for name, r := range map[string]*Result{"small": small, "text30k": text, "json30k": doc} {
			b.Run(d.Name()+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					out, err := Encode(d, r, EncodeOptions{})
					if err != nil {
						b.Fatal(err)
					}
					b.SetBytes(int64(len(out)))
				}
			})
		}
	}
}

// A progress event has escapes in the place of hidden characters: a model may read it raw.
func TestProgressHidesNothing(t *testing.T) {
	run := newRun(0, "", "", "make")
	doc, err := EncodeProgress(run, run.Ended, 0, Progress{Stage: "running", Message: "a\u202eb\U000e007f"})
	if err != nil || !bytes.Contains(doc, []byte(`"message":"a\u202eb\udb40\udc7f"`)) {
		t.Errorf("%v: %s", err, doc)
	}
}

// A progress event is small whatever the run is like.
func TestProgressIsSmall(t *testing.T) {
	run := newRun(0, "", "", "make")
	run.Workspace, run.Warnings = "/"+strings.Repeat("w", 5000), []string{strings.Repeat("日", 3000), "b", "c", "d"}
	doc, err := EncodeProgress(run, run.Ended, 3, Progress{Stage: "running", Message: strings.Repeat("日\x01", 3000), Lines: 7})
	if err != nil || len(doc) > ProgressMost || !bytes.HasSuffix(doc, []byte("}\n")) {
		t.Errorf("%d bytes, %v: %s", len(doc), err, doc)
	}
	if faults := Validate(&protocolV1, doc, ValidateOptions{Strict: true}); faults != nil {
		t.Errorf("%v\n%s", faults, doc)
	}
	r, err := Decode(&protocolV1, doc)
	if err != nil || !r.Progress {
		t.Errorf("%+v, %v", r, err)
	}
}

package envelope_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// Read an envelope of any known format, and branch on its code.
func ExampleDecode() {
	doc := []byte(`{"schema_version":"1.0.0","status":"tool-missing",` +
		`"error":{"code":"ENOTFOUND","message":"terraform: program not found on PATH"},` +
		`"agent":"codex","ts":"2026-05-01T00:00:00Z"}`)
	d, ok := envelope.Identify(doc)
	if !ok {
		fmt.Println("not an envelope")
		return
	}
	r, err := envelope.Decode(d, doc)
	if err != nil {
		fmt.Println(err)
		return
	}
	switch r.Outcome.Code {
	case "":
		fmt.Println("it went well")
	case envelope.ENOTFOUND:
		fmt.Println(d.Name(), "says:", r.Outcome.Message)
	case envelope.ERATELIMIT, envelope.ETIMEOUT:
		fmt.Println("try again later")
	default:
		fmt.Println("it failed:", r.Outcome.Message)
	}
	// Output: helper/v1 says: terraform: program not found on PATH
}

// A broken envelope tells all that is wrong with it.
func ExampleDecode_faults() {
	d, _ := envelope.Lookup("helper")
	_, err := envelope.Decode(d, []byte(`{"schema_version":"1.0","status":"OK","error":null,"ts":"2026-05-01T00:00:00Z"}`))
	if broken, ok := errors.AsType[*envelope.FaultError](err); ok {
		for _, f := range broken.Faults {
			fmt.Println(f.Pointer, f.Rule)
		}
	}
	// Output:
	// /schema_version value/semver
	// /status value/enum
	// /agent member/missing
}

// Write what happened as an envelope of a format.
func ExampleEncode() {
	status := 0
	r := &envelope.Result{
		Command: "exec/echo", Tool: "echo", Argv: []string{"echo", "hi"}, Workspace: "/home/dev/app", Agent: "claude",
		Ended:    time.Date(2026, 11, 20, 10, 0, 0, 123e6, time.UTC),
		Duration: 4 * time.Millisecond,
		Outcome:  envelope.Outcome{Kind: envelope.Success, ExitCode: &status},
	}
	if err := r.Stdout.Interpret([]byte("hi\n"), envelope.ParseAuto); err != nil {
		fmt.Println(err)
		return
	}
	d, _ := envelope.Lookup("helper/v1")
	doc, err := envelope.Encode(d, r, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(doc))
	// Output: {"schema_version":"1.0.0","status":"ok","error":null,"agent":"claude","ts":"2026-11-20T10:00:00.123Z","stdout":"hi\n","exec":{"argv":["echo","hi"],"exit_code":0,"duration_ms":4,"outcome":"success","stderr":""}}
}

// Ask a snapshot of tasks what is under way, in whatever format it came.
func ExampleJobs() {
	doc := []byte(`{"version":"3.6","schema_id":"codex/v3.6/status_snapshot/v1","tool":"envwrap","tool_category":"status_snapshot","request_id":"5f0c1d2e-3b4a-4c5d-8e6f-7a8b9c0d1e2f","ts":"2026-11-20T10:05:22.000Z","status":"ok","meta":{"snapshot_ts":"2026-11-20T10:05:22.000Z","total":1},"data":{"summary":{"running":1,"queued":0,"recently_completed":0},"tasks":[{"task_id":"T-local-01JD3K5Y7Q8R9S0T1V2W3X4Y5Z","state":"working","started_ts":"2026-11-20T10:00:00.000Z","elapsed_seconds":322,"progress":{"percent":50,"current_activity":"compiling"}}]}}`)
	d, _ := envelope.Identify(doc)
	r, err := envelope.Decode(d, doc)
	if err != nil {
		fmt.Println(err)
		return
	}
	if r.Jobs == nil {
		fmt.Println("it is no answer about jobs")
		return
	}
	for _, j := range r.Jobs.List {
		fmt.Println(j.ID, "is", j.State, "since", j.Elapsed, "at", *j.Pct, "percent:", j.Activity)
	}
	// Output: 01JD3K5Y7Q8R9S0T1V2W3X4Y5Z is running since 5m22s at 50 percent: compiling
}

// Check a stream of envelopes, each by itself and all together.
func ExampleChecker() {
	stream := `{"version":1,"status":"progress","command":"a/b","data":{},"meta":{"ts":"2026-05-12T00:00:00Z","duration_ms":1,"seq":0},"error":{"code":null,"message":null}}
{"version":1,"status":"done","command":"a/b","data":{},"meta":{"ts":"2026-05-12T00:00:00Z","duration_ms":2},"error":{"code":null,"message":null}}
`
	var c envelope.Checker
	for doc, err := range envelope.Documents(strings.NewReader(stream)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, f := range c.Check(doc.Text).Faults {
			fmt.Printf("line %d: %s\n", doc.Line, f)
		}
	}
	fmt.Println(len(c.End()), "faults in the stream as a whole")
	// Output:
	// line 2: /status value/enum "done" is where one of ok, error, progress should be
	// 0 faults in the stream as a whole
}

// Say in another format what an envelope says, and what that format cannot say.
func ExampleConvert() {
	from, _ := envelope.Lookup("protocol")
	to, _ := envelope.Lookup("helper")
	doc := []byte(`{"version":1,"status":"ok","command":"fs/ls","data":{"n":1},"meta":{"ts":"2026-05-12T00:00:00Z","duration_ms":7},"error":{"code":null,"message":null}}`)
	out, lost, err := envelope.Convert(from, to, doc, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(out))
	for _, l := range lost {
		fmt.Println("lost:", l)
	}
	// Output:
	// {"schema_version":"1.0.0","status":"ok","error":null,"agent":"unknown","ts":"2026-05-12T00:00:00.000Z","n":1}
	// lost: /command "fs/ls" comes back as "helper/output"
	// lost: /meta/duration_ms 7 comes back as 0
}

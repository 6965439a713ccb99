package envelope

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope/internal/delegator"
	"github.com/envwrap/envwrap/envelope/internal/wire"
)

const (
	plainProtocol = `{"version":1,"status":"ok","command":"fs/ls","data":{"n":1},"meta":{"ts":"2026-05-12T00:00:00Z","duration_ms":1},"error":{"code":null,"message":null}}`
	plainHelper   = `{"schema_version":"1.2.0","status":"partial","error":{"code":"GATHER","message":"no journal","at":"x"},"agent":"codex","ts":"2026-05-01T00:00:00Z","skipped_sources":["journal"],"rows":3}`
)

// Output that claims to be an envelope must be valid, or the run fails; other output is
// data.
func TestAdoptClaims(t *testing.T) {
	ok, failed := newRun(0, "", "", "x"), newRun(1, "", "", "x").failed(Failure, ERUNTIME, "x ended with status 1", "h", ByStatus)
	timeout := newRun(0, "", "", "x").failed(Timeout, ETIMEOUT, "m", "h", ByEnvwrap)
	inShell := newRun(127, "", "", "sh").failed(NotStarted, ENOTFOUND, "sh ended with status 127", "h", ByShell)
	piped := newRun(0, "", "", "bash").failed(Failure, ERUNTIME, "make (stage 1 of 2) ended with 2", "", ByPipeline)
	missing := strings.NewReplacer(`"ok"`, `"error"`, `"code":null,"message":null`, `"code":"ENOTFOUND","message":"x: program not found"`).Replace(plainProtocol)
	tool, err := Encode(&toolEnvelopeV1, ok, EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		run    *Result
		stdout string
		claims bool
		err    string // part of it; "" if there is no error
	}{
		{"plain data", ok, `{"version":1,"status":"ok"}`, false, ""},
		{"five of six members", ok, strings.Replace(plainProtocol, `"command":"fs/ls",`, "", 1), false, ""},
		{"an array of envelopes", ok, "[" + plainProtocol + "]", false, ""},
		{"lines of envelopes", ok, plainProtocol + "\n" + plainProtocol + "\n", false, ""},
		{"text before it", ok, "log\n" + plainProtocol, false, ""},
		{"cut short", ok, plainProtocol[:100], false, ""},
		{"empty", ok, "", false, ""},
		{"protocol", ok, plainProtocol + "\n", true, ""},
		{"helper", ok, " " + plainHelper, true, ""},
		{"tool-envelope", ok, string(tool), true, ""},
		{"after a timeout", timeout, plainProtocol, false, ""},
		{"from a program that a shell did not find", inShell, missing, true, ""},
		{"ok beside a failure", failed, plainProtocol, true, "the run failed"},
		{"an error beside a failure", failed, plainHelper, true, ""},
		{"ok beside a stage that failed", piped, strings.Replace(plainProtocol, `"n":1`, `"exit_code":0`, 1), true, "make (stage 1 of 2) ended with 2"},
		{"text after it", ok, plainProtocol + "\ndone", true, "json/trailing"},
		{"cut in the last member", ok, plainProtocol[:len(plainProtocol)-1], true, "json/syntax"},
		{"repeated member", ok, strings.Replace(plainProtocol, `"n":1`, `"n":1,"n":2`, 1), true, "/data/n json/duplicate"},
		{"wrong status", ok, strings.Replace(plainProtocol, `"ok"`, `"OK"`, 1), true, "/status value/enum"},
		{"a stream with its result", ok, asProgress(plainProtocol) + "\n" + plainProtocol + "\n", true, ""},
		{"a stream without a result", ok, asProgress(plainProtocol) + "\n" + asProgress(plainProtocol) + "\n", false, ""},
		{"a stream whose result is broken", ok, asProgress(plainProtocol) + "\n" + strings.Replace(plainProtocol, "fs/ls", "fs", 1), true, "/command value/command"},
		{"progress and no end", ok, asProgress(plainProtocol), true, "progress event"},
		{"byte order mark", ok, "\ufeff" + plainProtocol, true, "json/bom"},
		{"broken base64", ok, strings.Replace(string(tool), toolMark+"ey", toolMark+"?!", 1), true, "tool-envelope/base64"},
		{"later version", ok, toolMark + "eyJwYXlsb2FkIjpudWxsLCJtZXRhIjp7InRvb2wiOiJ4IiwidHMiOiIyMDI2LTAxLTAxVDAwOjAwOjAwWiIsInZlcnNpb24iOjJ9fQ==\n", true, "/meta/version value/version"},
		{"delegator's two members only", ok, `{"schema_id":"x","tool_category":"wait_result"}`, true, "/version member/missing"},
	} {
		adopted, claims, err := Adopt(c.run, []byte(c.stdout), Adoption{})
		if c.run == piped {
			_, _, err = Adopt(c.run, []byte(c.stdout), proved) // who printed it changes nothing
		}
		switch {
		case claims != c.claims:
			t.Errorf("%s: claims is %v", c.name, claims)
		case (err != nil) != (c.err != "") || err != nil && !strings.Contains(allFaults(err), c.err):
			t.Errorf("%s: %v, want %q", c.name, err, c.err)
		case (adopted != nil) != (claims && err == nil):
			t.Errorf("%s: adopted %v", c.name, adopted)
		}
	}
}

func asProgress(doc string) string {
	return strings.NewReplacer(`"ok"`, `"progress"`, `"ts"`, `"seq":0,"ts"`).Replace(doc)
}

func allFaults(err error) string {
	text := err.Error()
	if faults, ok := errors.AsType[*FaultError](err); ok {
		for _, f := range faults.Faults {
			text += "\n" + f.String()
		}
	}
	return text
}

// An adopted envelope keeps its own status, error and payload in any dialect,
// and the run's facts stand beside them.
func TestAdoptedRecord(t *testing.T) {
	run := newRun(0, plainHelper, "debug\n", "node", "gather.js")
	run.Redactions = wire.Redactions{Total: 1, ByRule: map[string]int{"bearer": 1}}
	run.Warnings = []string{"w"}
	a, _, err := Adopt(run, []byte(plainHelper), Adoption{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Outcome.Kind != Partial || a.Outcome.Code != ERUNTIME || a.Outcome.ForeignCode != "GATHER" || a.Agent != "claude" || a.Command != "exec/node" {
		t.Errorf("%+v", a)
	}
	const exec = `{"argv":["node","gather.js"],"exit_code":0,"duration_ms":164,"outcome":"success","stderr":"debug\n","redactions":{"total":1,"by_rule":{"bearer":1}},"warnings":["w"]}`
	for dialect, want := range map[string]string{
		"protocol": `"data":{"rows":3,"exec":` + exec + `,"meta":{"schema_version":"1.2.0"}},"meta":{"ts":"2026-05-01T00:00:00.000Z","duration_ms":164,"runner":"exec",`,
		"foxctl":   `"data":{"rows":3,"exec":` + exec + `,"details":{"at":"x","code":"GATHER"}`,
		"helper":   `{"schema_version":"1.2.0","status":"partial","error":{"code":"GATHER","message":"no journal","at":"x"},"agent":"claude","ts":"2026-05-01T00:00:00.000Z","skipped_sources":["journal"],"rows":3,"exec":` + exec + `}`,
	} {
		d, _ := Lookup(dialect)
		doc, err := Encode(d, a, EncodeOptions{Layout: LayoutCompact})
		if err != nil || !bytes.Contains(doc, []byte(want)) {
			t.Errorf("%s: %v\n%s\nlacks\n%s", dialect, err, doc, want)
		}
	}
}

// A payload that is too large to stay goes where the run's output went.
func TestAdoptedPayloadInStore(t *testing.T) {
	a := mustAdopt(t, &helperV1, newRun(0, `{"rows":[1,2,3]}`, "", "gather"), 0)
	a.Payload = nil
	a.Stdout = inStore(plainHelper, digestA)
	for _, d := range Dialects() {
		doc, err := Encode(d, a, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if faults := Validate(d, doc, ValidateOptions{}); faults != nil {
			t.Errorf("%s: %v\n%s", d.Name(), faults, doc)
		}
		inner := doc
		if d.self().unframe != nil {
			inner, _, _ = d.self().unframe(doc)
		}
		if !bytes.Contains(inner, []byte(digestA)) && !bytes.Contains(inner, []byte(strings.TrimPrefix(digestA, "sha256:"))) {
			t.Errorf("%s: the artifact is not named\n%s", d.Name(), inner)
		}
	}
}

func TestIdentify(t *testing.T) {
	for _, c := range testCases(t) {
		for _, d := range Dialects() {
			doc, err := Encode(d, c.result, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			want := d
			if d.Name() == "foxctl/v1" {
				want, _ = Lookup("protocol")
			}
			if got, ok := Identify(doc); !ok || got != want {
				t.Errorf("%s: %s is taken for %v", c.name, d.Name(), got)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	addDocuments(f)
	run := newRun(0, "", "", "x")
	f.Fuzz(func(t *testing.T, doc []byte, pick uint8) {
		d := Dialects()[int(pick)%len(Dialects())]
		r, err := Decode(d, doc)
		if err != nil {
			return
		}
		if d.self().unframe == nil && !json.Valid(doc) {
			t.Fatalf("taken: %q", doc)
		}
		for _, other := range Dialects() {
			again, err := Encode(other, r, EncodeOptions{})
			if err != nil {
				t.Fatalf("%s from %s: %v\n%s", other.Name(), d.Name(), err, doc)
			}
			if faults := Validate(other, again, ValidateOptions{}); faults != nil {
				t.Fatalf("%s from %s: %v\n%s\n%s", other.Name(), d.Name(), faults, doc, again)
			}
		}
		if _, claims, err := Adopt(run, doc, Adoption{}); claims && err != nil {
			var faults *FaultError
			if errors.As(err, &faults) && d.Name() == faults.Dialect {
				t.Fatalf("decoded and not adopted: %v", err)
			}
		}
	})
}

// However often an envelope is adopted, its members stay where they stood: one
// exec says of each run within.
func TestAdoptedAgain(t *testing.T) {
	failed := newRun(3, "", "boom\n", "sh", "-c", "exit 3").failed(Failure, ERUNTIME, "sh ended with status 3: boom", "Mend the script.", ByStatus)
	failed.Outcome.Details = wire.Fields{{Name: "attempts", Value: json.RawMessage("2")}}
	spilled := newRun(0, "", "", "seq", "1", "20000")
	spilled.Stdout = inStore(strings.Repeat("a line\n", 3000), digestA)
	for _, r := range []*Result{failed, spilled} {
		for _, d := range Dialects() {
			first, err := Encode(d, r, EncodeOptions{Layout: LayoutCompact})
			if err != nil {
				t.Fatal(err)
			}
			last := first
			for range 3 {
				outer := newRun(*r.Outcome.ExitCode, string(last), "", "envwrap")
				if !r.Outcome.OK() {
					outer.failed(Failure, ERUNTIME, "envwrap ended with status 3", "Read on.", ByStatus)
				}
				adopted, _, err := Adopt(outer, last, proved)
				if err != nil {
					t.Fatalf("%s: %v", d.Name(), err)
				}
				if last, err = Encode(d, adopted, EncodeOptions{Layout: LayoutCompact}); err != nil {
					t.Fatal(err)
				}
				if faults := Validate(d, last, ValidateOptions{}); faults != nil {
					t.Errorf("%s: %v\n%s", d.Name(), faults, last)
				}
			}
			for _, l := range losses(d.self(), first, last) {
				if l.Pointer != "" && !strings.Contains(l.Pointer, "/exec") { // whose own facts are deeper now
					t.Errorf("%s: %s\n%s\n%s", d.Name(), l, first, last)
				}
			}
			if d.self().unframe != nil {
				last, _, _ = d.self().unframe(last)
			}
			if n := bytes.Count(last, []byte(`"exec":{`)); n < 3 {
				t.Errorf("%s: %d runs are told of\n%s", d.Name(), n, last)
			}
		}
	}
}

// A job whose command printed an envelope is a task with the job's id, in the
// state in which the envelope says that it ended.
func TestTaskOfAnEnvelope(t *testing.T) {
	ok := newRun(0, "hello\n", "", "gather")
	bad := newRun(1, "", "no such table\n", "gather").failed(Failure, ENOTFOUND, "gather: no such table", "Create the table.", ByTable)
	late := newRun(0, "begun\n", "", "gather").failed(Timeout, ETIMEOUT, "gather timed out", "Raise --timeout.", ByEnvwrap)
	late.Outcome.Timeout = HardTimeout
	for state, inner := range map[delegator.State]*Result{delegator.TaskCompleted: ok, delegator.TaskFailed: bad, delegator.TaskTimeout: late} {
		for _, d := range Dialects() {
			for _, category := range []delegator.Category{delegator.WaitResult, delegator.ResultSet} {
				status := *inner.Outcome.ExitCode
				if inner.Outcome.Code == ETIMEOUT {
					status = 124
				}
				task := mustAdopt(t, d, inner, status)
				task.JobID, task.Category = jobA, string(category)
				task.Exec.Stdout = inStore("the envelope", digestB)
				doc, err := Encode(&delegatorV36, task, EncodeOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if faults := Validate(&delegatorV36, doc, ValidateOptions{Strict: true}); faults != nil {
					t.Errorf("%s in a %s: %v\n%s", d.Name(), category, faults, doc)
				}
				data := wire.FieldsIn(wire.FieldsIn(doc).Get("data"))
				if got := wire.StringIn(data.Get("state")); got != string(state) {
					t.Errorf("%s in a %s: state %q, not %q\n%s", d.Name(), category, got, state, doc)
				}
				if id := wire.StringIn(data.Get("task_id")); id != localTask+jobA {
					t.Errorf("%s in a %s: task %s\n%s", d.Name(), category, id, doc)
				}
			}
		}
	}
}

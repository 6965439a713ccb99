package envelope

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// Names that mean something to one dialect or another, and values that they
// have there.
var (
	loadedNames = []string{
		"status", "error", "exec", "payload", "argv", "artifact", "artifacts", "summary", "hint", "details", "version", "task_id", "state",
		"category", "code", "message", "instructionId", "exit_code", "outcome", "stdout", "stderr", "agent", "Agent", "ts", "TS", "metadata",
		"skipped_sources", "trace_id", "meta", "output", "signal", "recoverable", "data", "truncated", "a", "", "\u00e9", "x y",
	}
	loadedValues = []string{
		`null`, `true`, `0`, `-1`, `1e400`, `12345678901234567890`, `""`, `"ok"`, `"success"`, `"x"`, `[]`, `{}`, `["a"]`, `"` + digestA + `"`,
		`{"bytes":1,"lines":1,"text":"x"}`, `{"bytes":1,"lines":1}`, `"__ENVELOPE_V1__:x"`, `"\u0000"`, `{"code":"X","message":"m"}`, `3`,
		`{"argv":["x"],"exit_code":0,"duration_ms":1,"outcome":"success","stderr":""}`, `{"size_bytes":1,"kind":"k","preview":{}}`,
	}
)

func randomValue(r *rand.Rand, depth int) string {
	switch n := r.IntN(10); {
	case n == 0 && depth > 0:
		return "[" + randomValue(r, depth-1) + "," + randomValue(r, depth-1) + "]"
	case n < 3 && depth > 0:
		return randomObject(r, depth-1)
	}
	return loadedValues[r.IntN(len(loadedValues))]
}

func randomObject(r *rand.Rand, depth int) string {
	var members []string
	for _, i := range r.Perm(len(loadedNames))[:r.IntN(8)] {
		members = append(members, strconv.Quote(loadedNames[i])+":"+randomValue(r, depth))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// foreign is a valid envelope of another's making, with a payload of any shape.
func foreign(r *rand.Rand, d Dialect) string {
	payload := randomObject(r, 2)
	inner := strings.TrimSuffix(strings.TrimPrefix(payload, "{"), "}")
	if inner != "" {
		inner = "," + inner
	}
	switch d.Name() {
	case "protocol/v1", "foxctl/v1":
		return fmt.Sprintf(`{"version":1,"status":"ok","command":"fs/ls","data":%s,"meta":{"ts":"2026-05-12T00:00:00Z","duration_ms":1},"error":{"code":null,"message":null}}`, payload)
	case "helper/v1":
		return fmt.Sprintf(`{"schema_version":"1.0.0","status":"ok","error":null,"agent":"claude","ts":"2026-05-01T00:00:00Z"%s}`, inner)
	case "delegator/v3.6":
		return delegatorDoc("registry_info", `"status":"ok","meta":`+payload+`,"data":`+randomObject(r, 2))
	case "tool-envelope/v1":
		return string(frameBlocks([]byte(`{"payload":`+randomValue(r, 3)+`,"meta":{"tool":"mcp","ts":"2025-06-17T18:30:00Z","version":1}}`), &view{Result: &Result{Tool: "mcp"}}))
	}
	return fmt.Sprintf(`{"request_id":"32ecfadc-2b66-4daa-a7c0-a03c449fcea5","version":"1.0","status":"success","response":%s,"error_message":null,"error_type":null,"created_at":"2025-11-24T14:22:45Z","duration_seconds":1.0,"metadata":%s}`,
		jsontext.AppendString(nil, randomValue(r, 3)), payload)
}

// Each dialect carries any foreign payload in a valid envelope, adopted or converted, and
// the payload's own dialect carries it unchanged.
func TestForeignPayloads(t *testing.T) {
	t.Parallel() // it takes long under the race detector
	r := rand.New(rand.NewPCG(1, 2))
	run := newRun(0, "", "debug\n", "node", "gather.js")
	taken := map[string]int{}
	payloads := matrix.Times(250, 1200)
	for range payloads {
		from := Dialects()[r.IntN(len(Dialects()))]
		doc := foreign(r, from)
		if _, err := Decode(from, []byte(doc)); err != nil {
			continue // its payload says what it must not
		}
		taken[from.Name()]++
		for _, to := range Dialects() {
			out, lost, err := Convert(from, to, []byte(doc), EncodeOptions{})
			if err != nil {
				t.Fatalf("%s to %s: %v\n%s", from.Name(), to.Name(), err, doc)
			}
			if from == to && len(lost) > 0 {
				t.Fatalf("%s to itself: %v\n%s\n%s", from.Name(), lost, doc, out)
			}
			checkForeign(t, to, out, doc)
		}
		adopted, claims, err := Adopt(run, []byte(doc), proved)
		if !claims || err != nil {
			t.Fatalf("%s is not adopted: %v\n%s", from.Name(), err, doc)
		}
		for _, to := range Dialects() {
			out, err := Encode(to, adopted, EncodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			checkForeign(t, to, out, doc)
		}
	}
	for _, d := range Dialects() {
		if taken[d.Name()] < payloads/30 {
			t.Errorf("only %d payloads of %s were tried", taken[d.Name()], d.Name())
		}
	}
}

func checkForeign(t *testing.T, d Dialect, out []byte, doc string) {
	t.Helper()
	if faults := Validate(d, out, ValidateOptions{}); faults != nil {
		t.Fatalf("as %s: %v\n%s\n%s", d.Name(), faults, doc, out)
	}
}

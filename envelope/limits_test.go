package envelope

import (
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// What fits exactly into a limit of a rule is valid, and what has one more is not: bytes of a
// document or of its data, characters of a text, levels, elements of a list.
func TestRuleLimits(t *testing.T) {
	t.Parallel()
	const (
		plain = `{"version":1,"status":"ok","command":"fs/ls","data":{"x":"@"},"meta":{"ts":"2026-05-12T00:00:00Z","duration_ms":1},"error":{"code":null,"message":null}}`
		event = `{"version":1,"status":"progress","command":"exec/x","data":{"stage":"run","message":"@","metrics":{"elapsed_ms":1,"stdout_bytes":1,"stderr_bytes":0,"lines":1}},"meta":{"ts":"2026-05-12T00:00:00.000Z","duration_ms":1,"seq":0},"error":{"code":null,"message":null}}`
		run   = `{"version":1,"status":"error","command":"exec/sh","data":{"argv":["sh"],"exit_code":3,"outcome":"failure","stdout":{"bytes":0,"lines":0,"text":""},"stderr":{"bytes":0,"lines":0,"text":""}},"meta":{"ts":"2026-11-20T10:00:00.123Z","duration_ms":3},"error":{"code":"ERUNTIME","message":"m","details":{"exit_code":3,"stderr_tail":"@","classified_by":"status","retryable":false}}}`
	)
	failed := delegatorDoc("wait_result", `"status":"error","meta":{},"error":{"code":"TOOL_ERROR","message":"m","details":{"stderr_tail":"@"},"retryable":false,"duration_ms":1}`)
	snapshot := delegatorDoc("status_snapshot", `"status":"ok","meta":{"snapshot_ts":"2025-11-18T10:15:22Z","total":1},"data":{"summary":{"running":1,"queued":0,"recently_completed":0},"tasks":[{"task_id":"t","state":"working","started_ts":"2025-11-18T10:15:22Z","elapsed_seconds":1,"progress":null,"last_lines":[@]}]}`)
	timedOut := delegatorDoc("wait_result", `"status":"error","meta":{},"error":{"code":"TIMEOUT","message":"m","details":{"timeout_type":"hard","elapsed_seconds":1,"partial_results":{"last_events":[@],"last_output":""}},"retryable":false,"duration_ms":1}`)
	letters := func(n int) string { return strings.Repeat("r", n) }
	for _, c := range []struct {
		rule string
		d    *dialect
		doc  string // with a fill in the place of @
		fill func(n int) string
		most int // n that just fits
	}{
		{"foxctl/size", &foxctlV1, plain, letters, 32<<10 - len(plain) + 1},
		{"protocol/progress-size", &protocolV1, event, letters, 4<<10 - len(event) + 1},
		{"protocol/inline-size", &protocolV1, plain, letters, 32<<10 - len(`{"x":""}`)},
		{"run/tail-size", &protocolV1, run, func(n int) string { return strings.Repeat("é", n) }, 1000},
		{"delegator/tail-size", &delegatorV36, failed, func(n int) string { return strings.Repeat("é", n) }, 1024},
		{"delegator/last-lines", &delegatorV36, snapshot, func(n int) string { return strings.TrimSuffix(strings.Repeat(`"l",`, n), ",") }, 5},
		{"delegator/events-size", &delegatorV36, timedOut, func(n int) string { return strings.TrimSuffix(strings.Repeat(`{},`, n), ",") }, 50},
		{"json/depth", &protocolV1, strings.Replace(plain, `"@"`, "@", 1), func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }, 998},
	} {
		for n, valid := range map[int]bool{c.most: true, c.most + 1: false} {
			doc := strings.Replace(c.doc, "@", c.fill(n), 1)
			faults := Validate(c.d, []byte(doc+"\n"), ValidateOptions{Strict: true}) // the newline is no part of it
			if other := slices.ContainsFunc(faults, func(f wire.Fault) bool { return f.Rule != c.rule }); other || (len(faults) == 0) != valid {
				t.Errorf("%s with %d: %v", c.rule, n, faults)
			}
		}
	}
}

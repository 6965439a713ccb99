package envelope

import (
	"slices"
	"testing"
)

// Messages of other programs' envelopes may have several lines; only those of envwrap's
// own runs must have one.
func TestMessagesOfOthersMayHaveLines(t *testing.T) {
	for d, doc := range map[Dialect]string{
		&protocolV1: `{"version":1,"status":"error","command":"a/b","data":{},"meta":{"ts":"2026-05-12T00:00:00Z","duration_ms":1},"error":{"code":"EARG","message":"a\nb"}}`,
		&helperV1:   `{"schema_version":"1.0.0","status":"error","error":{"code":"E","message":"a\nb"},"agent":"codex","ts":"2026-05-01T00:00:00Z"}`,
		&delegatorV36: delegatorDoc("wait_result",
			`"status":"error","meta":{},"error":{"code":"TOOL_ERROR","message":"a\nb","details":{"exit_code":1},"retryable":true,"duration_ms":5432}`),
		&agentResponseV1: `{"request_id":"32ecfadc-2b66-4daa-a7c0-a03c449fcea5","version":"1.0","status":"error","response":null,"error_message":"a\nb",` +
			`"error_type":"timeout","created_at":"2025-11-24T14:24:45Z","duration_seconds":120.0,"metadata":{"model":"m"}}`,
	} {
		if faults := Validate(d, []byte(doc), ValidateOptions{}); faults != nil {
			t.Errorf("%s: %v", d.Name(), faults)
		}
	}
}

// Only the parts of a helper's output that envwrap itself writes name artifacts.
func TestArtifactsOfAHelper(t *testing.T) {
	const id = "sha256:3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f"
	const head = `{"schema_version":"1.0.0","status":"ok","error":null,"agent":"codex","ts":"2026-05-01T00:00:00.000Z",`
	gone := ValidateOptions{Strict: true, Artifact: func(string) ArtifactState { return ArtifactMissing }}
	stream := `{"bytes":3,"lines":1,"artifact":"` + id + `","excerpt":{"text":"","omitted_bytes":3,"omitted_lines":1},"read":"r"}`
	run := `"exec":{"argv":["a"],"exit_code":0,"duration_ms":1,"outcome":"success","stderr":` + stream + `,"artifacts":["` + id + `"]}`
	for members, want := range map[string][]string{
		`"artifact":"` + id + `"}`:                               nil,
		`"image":{"artifacts":["` + id + `"]},` + run + `}`:      {"/exec/stderr/artifact", "/exec/artifacts/0"},
		`"payload":{"exec":{"artifact":"` + id + `"}}}`:          nil,
		`"stdout":` + stream + `,` + run + `}`:                   {"/stdout/artifact", "/exec/stderr/artifact", "/exec/artifacts/0"},
		`"stdout":{"artifact":"` + id + `"},` + run + `}`:        {"/exec/stderr/artifact", "/exec/artifacts/0"},
		`"n":1,"stdout":` + stream + `,` + run + `}`:             {"/exec/stderr/artifact", "/exec/artifacts/0"},
		`"job":{"artifact":"` + id + `"},` + run + `}`:           {"/exec/stderr/artifact", "/exec/artifacts/0"},
		`"job":{"stdout":{"artifact":"` + id + `"}}}`:            nil,
		`"command":"jobs/info","job":{"stdout":` + stream + `}}`: {"/job/stdout/artifact"},
	} {
		var got []string
		for _, f := range Validate(&helperV1, []byte(head+members), gone) {
			if f.Rule == "artifact/missing" {
				got = append(got, f.Pointer)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: missing at %q, want %q", members, got, want)
		}
	}
}

// So it is with the payload of a tool-envelope.
func TestArtifactsOfATool(t *testing.T) {
	const id = "sha256:3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f"
	gone := ValidateOptions{Strict: true, Artifact: func(string) ArtifactState { return ArtifactMissing }}
	for payload, want := range map[string][]string{
		`{"artifact":"` + id + `","image":{"ref":"` + id + `"}}`:                                                            nil,
		`{"stdout":{"artifact":"` + id + `"}}`:                                                                              nil,
		`{"argv":["a"],"outcome":"success","stdout":"","stderr":"","artifacts":["` + id + `"]}`:                             {"/payload/artifacts/0"},
		`{"category":"execution","code":"ERUNTIME","message":"m","recoverable":false,"details":"stdout: ` + id + ` (3 b)"}`: {"/payload/details"},
		`{"command":"jobs/info","job":{"stdout":{"artifact":"` + id + `"}}}`:                                                {"/payload/job/stdout/artifact"},
		`{"n":1,"exec":{"argv":[],"exit_code":0,"duration_ms":1,"outcome":"success","artifacts":["` + id + `"]}}`:           {"/payload/exec/artifacts/0"},
	} {
		doc := frameBlocks([]byte(`{"payload":`+payload+`,"meta":{"tool":"a","ts":"2025-06-17T18:30:00.000Z","version":1}}`), &view{Result: &Result{Tool: "a"}})
		var got []string
		for _, f := range Validate(&toolEnvelopeV1, doc, gone) {
			if f.Rule == "artifact/missing" {
				got = append(got, f.Pointer)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: missing at %q, want %q", payload, got, want)
		}
	}
}

package envelope

import (
	"encoding/json"
	"fmt"
	"strings"
)

// delegator/v3.6: "JSON Schema Specification - MCP Delegator v3.6". A direct
// run is of category wait_result.
var delegatorV36 = dialect{
	name:     "delegator/v3.6",
	members:  []string{"schema_id", "tool_category"},
	keep:     delegatorKeeps,
	complete: delegatorCompletes,
	blank:    func() wire { return new(delegator) },
}

type delegator struct {
	Version      delegatorVersion  `json:"version" doc:"version of the delegator"`
	SchemaID     string            `json:"schema_id" doc:"codex/v3.6/<category>/v1"`
	Tool         filled            `json:"tool" doc:"base name of the program"`
	ToolCategory delegatorCategory `json:"tool_category" doc:"one of five kinds of answer"`
	RequestID    uuid4             `json:"request_id" doc:"id of the request"`
	TS           timestamp         `json:"ts" doc:"when the answer was made"`
	Status       delegatorStatus   `json:"status" doc:"whether the tool answered"`
	Meta         Fields            `json:"meta" doc:"circumstances, by category"`
	Data         any               `json:"data,omitempty" is:"object" doc:"the answer; absent on an error"`
	Error        *delegatorError   `json:"error,omitempty" doc:"what went wrong; absent on ok"`
}

type (
	delegatorVersion  string
	delegatorCategory string
	delegatorStatus   string
	delegatorCode     string
	delegatorState    string
)

func (delegatorVersion) limits() limits { return oneOf("3.6") }

func (delegatorCategory) limits() limits {
	return oneOf("execution_ack", "wait_result", "status_snapshot", "result_set", "registry_info")
}

func (delegatorStatus) limits() limits { return oneOf("ok", "error") }

func (delegatorCode) limits() limits {
	return oneOf("TIMEOUT", "VALIDATION", "TOOL_ERROR", "NOT_FOUND", "UNSUPPORTED", "INTERNAL")
}

func (delegatorState) limits() limits { return oneOf("completed", "failed", "cancelled", "timeout") }

type delegatorError struct {
	Code       delegatorCode `json:"code" doc:"one of six codes"`
	Message    filled        `json:"message" doc:"one line for people"`
	Details    Fields        `json:"details,omitempty" doc:"the same for programs"`
	Retryable  bool          `json:"retryable" doc:"whether running it again may help"`
	DurationMS count         `json:"duration_ms" doc:"wall time in milliseconds"`
}

type delegatorMeta struct {
	StartedTS   timestamp `json:"started_ts"`
	CompletedTS timestamp `json:"completed_ts"`
	DurationMS  count     `json:"duration_ms"`
	ExitCode    *int      `json:"exit_code,omitempty"`
	Warnings    []string  `json:"warnings,omitempty"`
}

type delegatorData struct {
	TaskID    filled              `json:"task_id" doc:"id of the task"`
	State     delegatorState      `json:"state" doc:"how the task ended"`
	Summary   string              `json:"summary" doc:"one line for people"`
	Metadata  delegatorMetadata   `json:"metadata" doc:"more about the task"`
	Artifacts []delegatorArtifact `json:"artifacts,omitempty" doc:"where the output is"`
	Output    *delegatorOutput    `json:"output,omitempty" doc:"the output, or why it is not here"`
	Rest      Fields              `json:",inline"`
}

type delegatorMetadata struct {
	Duration   float64 `json:"duration" doc:"seconds"`
	TaskStatus string  `json:"task_status" doc:"the state again"`
	Rest       Fields  `json:",inline"`
}

type delegatorArtifact struct {
	Type   filled    `json:"type" doc:"what it is"`
	Ref    filled    `json:"ref" doc:"where it is: a path or a digest"`
	Size   count     `json:"size" doc:"bytes"`
	SHA256 hexDigest `json:"sha256,omitempty" doc:"digest of the content"`
}

type delegatorOutput struct {
	Included     bool    `json:"included" doc:"whether the output is here"`
	Reason       string  `json:"reason,omitempty" doc:"why it is not"`
	Stdout       *string `json:"stdout,omitempty" doc:"standard output"`
	Stderr       *string `json:"stderr,omitempty" doc:"standard error"`
	Truncated    bool    `json:"truncated" doc:"whether the middle is left out"`
	MaxBytes     count   `json:"max_bytes" doc:"the most bytes of both"`
	OriginalSize *count  `json:"original_size,omitempty" doc:"bytes before truncation; there exactly when truncated"`
}

// Bounds of output in bytes: each end of a stream, and both streams whole.
const (
	delegatorEnd    = 16 << 10
	delegatorOutMax = 2 * 2 * delegatorEnd
)

// delegatorKeeps: what is left out of the envelope must be in the store.
func delegatorKeeps(o EncodeOptions) Keep {
	if o.IncludeOutput == IncludeAlways {
		return KeepFailed
	}
	return KeepAll
}

// delegatorCompletes reports whether an output that is to be inlined is so whole.
func delegatorCompletes(v *view) bool {
	if v.opt.IncludeOutput != IncludeAlways || !v.ordinary() || !v.Outcome.OK() {
		return true
	}
	for _, s := range []*Stream{&v.Stdout, &v.Stderr} {
		if s.Bytes > 2*delegatorEnd && s.Artifact == "" {
			return false
		}
	}
	return true
}

func (w *delegator) fill(v *view) {
	*w = delegator{
		Version: "3.6", ToolCategory: "wait_result", Tool: filled(v.Tool),
		RequestID: v.requestID(), TS: v.ts(), Status: "ok", Meta: v.delegatorMeta(),
	}
	w.SchemaID = "codex/v3.6/" + string(w.ToolCategory) + "/v1"
	if v.Outcome.OK() {
		w.Data = v.delegatorData()
		return
	}
	w.Status = "error"
	w.Error = &delegatorError{
		Code: v.delegatorCode(), Message: filled(v.short(v.Outcome.Message)), Details: v.delegatorDetails(),
		Retryable: v.Outcome.Retryable && v.Outcome.Code != ETIMEOUT, DurationMS: v.ms(),
	}
}

func (v *view) delegatorMeta() Fields {
	if !v.ordinary() && v.Exec == nil {
		return v.roomy(v.Extra)
	}
	return fieldsIn(mustEncode(&delegatorMeta{
		StartedTS: stamp(v.Started), CompletedTS: stamp(v.Ended), DurationMS: v.ms(),
		ExitCode: v.Outcome.ExitCode, Warnings: v.texts(v.Warnings),
	}))
}

func (v *view) delegatorData() any {
	if !v.ordinary() {
		var more Fields
		if v.Exec != nil {
			more.add("exec", mustEncode(v.exec(v.Exec)))
		}
		return withMembers(v.payload(), more)
	}
	return &delegatorData{
		TaskID: filled("T-local-" + v.taskID()), State: "completed", Summary: v.summaryLine(),
		Metadata:  delegatorMetadata{Duration: v.seconds(), TaskStatus: "completed"},
		Artifacts: v.delegatorArtifacts(), Output: v.delegatorOutput(),
	}
}

func (v *view) delegatorArtifacts() []delegatorArtifact {
	var list []delegatorArtifact
	for _, s := range []*Stream{&v.Stdout, &v.Stderr} {
		if s.Artifact == "" {
			continue
		}
		size := s.Bytes
		if s.Summary != nil {
			size = s.Summary.SizeBytes
		}
		list = append(list, delegatorArtifact{
			Type: "output", Ref: filled(s.Artifact), Size: count(size),
			SHA256: hexDigest(strings.TrimPrefix(s.Artifact, "sha256:")),
		})
	}
	return list
}

func (v *view) delegatorOutput() *delegatorOutput {
	if v.opt.IncludeOutput != IncludeAlways {
		return &delegatorOutput{Reason: "Output left out by default; ask with --include-output, or read the artifact"}
	}
	w := &delegatorOutput{Included: true, MaxBytes: delegatorOutMax}
	stdout, cut := v.bothEnds(&v.Stdout)
	stderr, cutToo := v.bothEnds(&v.Stderr)
	w.Stdout, w.Stderr = &stdout, &stderr
	if w.Truncated = cut || cutToo; w.Truncated {
		n := count(v.Stdout.Bytes + v.Stderr.Bytes)
		w.OriginalSize = &n
	}
	return w
}

// bothEnds is a stream as text, and whether its middle is left out.
func (v *view) bothEnds(s *Stream) (string, bool) {
	end := delegatorEnd
	if v.cut.inline > 0 {
		end = min(end, v.cut.inline/4)
	}
	if v.cut.tail > 0 {
		end = min(end, v.cut.tail)
	}
	text, whole := s.whole()
	head, tail := text, text
	if !whole {
		head, tail = string(s.Head), string(s.Tail)
		if len(s.Head)+len(s.Tail) == 0 && s.Excerpt != nil {
			head, tail = s.Excerpt.Head, s.Excerpt.Tail
		}
	} else if len(text) <= 2*end && !s.Truncated {
		return text, false
	}
	return joinEnds(headBytes(head, end), tailBytes(tail, end)), true
}

// delegatorCodes are the codes of the catalog that have one of their own; all
// others are the tool's, since the wrapped command is the tool.
var delegatorCodes = map[Code]delegatorCode{
	ENOTFOUND: "NOT_FOUND", EARG: "VALIDATION", ETIMEOUT: "TIMEOUT", EIO: "INTERNAL", EENVELOPE: "INTERNAL",
}

func (v *view) delegatorCode() delegatorCode {
	for _, name := range delegatorCode("").limits().enum {
		if v.Outcome.ForeignCode == name {
			return delegatorCode(name)
		}
	}
	if code, ok := delegatorCodes[v.Outcome.Code]; ok {
		return code
	}
	return "TOOL_ERROR"
}

func (v *view) delegatorDetails() Fields {
	o := &v.Outcome
	var f Fields
	if !v.ordinary() {
		f = append(f, v.roomy(o.Details)...)
	}
	if o.Code == ETIMEOUT {
		v.timeoutDetails(&f)
	}
	f.put("exit_code", o.ExitCode)
	f.put("signal", o.Signal)
	f.put("hint", v.short(o.Hint))
	if v.ordinary() && o.Code != ETIMEOUT {
		f.add("stderr_tail", mustEncode(v.tail(&v.Stderr, 1000)))
		f.add("stdout_tail", mustEncode(v.tail(&v.Stdout, 1000)))
	}
	f.put("artifacts", v.delegatorArtifacts())
	if v.Exec != nil {
		f.add("exec", mustEncode(v.exec(v.Exec)))
	}
	return f
}

func (v *view) timeoutDetails(f *Fields) {
	kind := v.Outcome.Timeout
	if kind == NoTimeout {
		kind = HardTimeout
	}
	f.put("timeout_type", string(kind))
	f.add("elapsed_seconds", mustEncode(v.seconds()))
	f.add("partial_results", mustEncode(&struct {
		Events []json.RawMessage `json:"last_events"`
		Output string            `json:"last_output"`
	}{nil, v.lastOutput()}))
}

// lastOutput is the last 64 KiB of what was printed, stderr behind stdout.
func (v *view) lastOutput() string {
	n := TailKeep
	if v.cut.tail > 0 {
		n = v.cut.tail
	}
	return tailBytes(repair(v.Stdout.end())+repair(v.Stderr.end()), n)
}

// summaryLine says in one line how the run ended.
func (v *view) summaryLine() string {
	how := "ended"
	if v.Outcome.ExitCode != nil {
		how = fmt.Sprintf("ended with status %d", *v.Outcome.ExitCode)
	}
	return fmt.Sprintf("%s %s after %s; %s of output", v.Tool, how, spokenSeconds(v.seconds()), spokenBytes(v.Stdout.Bytes+v.Stderr.Bytes))
}

func spokenSeconds(s float64) string {
	if s < 0.1 {
		return fmt.Sprintf("%.0f ms", s*1000)
	}
	return fmt.Sprintf("%.1f s", s)
}

func spokenBytes(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

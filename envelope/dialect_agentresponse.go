package envelope

// agent-response/v1: "Agent Response Format Specification", version 1.0.
var agentResponseV1 = dialect{
	name: "agent-response/v1",
	members: []string{
		"request_id", "version", "status", "response", "error_message", "error_type",
		"created_at", "duration_seconds", "metadata",
	},
	indented: true,
	keep:     func(EncodeOptions) Keep { return KeepFailed },
	blank:    func() wire { return new(agentResponse) },
}

type agentResponse struct {
	RequestID       filled        `json:"request_id" doc:"id from the request file"`
	Version         agentVersion  `json:"version" doc:"version of the format"`
	Status          agentStatus   `json:"status" doc:"how the agent ended"`
	Response        *string       `json:"response" doc:"the output as JSON text; null unless success"`
	ErrorMessage    *string       `json:"error_message" doc:"one line for people; null on success"`
	ErrorType       *string       `json:"error_type" doc:"what kind of error; null on success"`
	CreatedAt       timestamp     `json:"created_at" doc:"when the response was made"`
	DurationSeconds decimal       `json:"duration_seconds" doc:"wall time in seconds"`
	Metadata        agentMetadata `json:"metadata" doc:"circumstances; may be empty"`
}

type (
	agentVersion string
	agentStatus  string
)

func (agentVersion) limits() limits { return oneOf("1.0") }
func (agentStatus) limits() limits  { return oneOf("success", "error", "timeout") }

type agentMetadata struct {
	Argv       *[]string `json:"argv,omitempty" doc:"the command line, redacted"`
	ExitCode   *int      `json:"exit_code,omitempty" doc:"the command's own status"`
	Signal     string    `json:"signal,omitempty" doc:"name of the signal that ended the command"`
	Outcome    string    `json:"outcome,omitempty" doc:"how the run ended, in one word"`
	Agent      string    `json:"agent,omitempty" doc:"the coding agent that called"`
	Artifacts  []digest  `json:"artifacts,omitempty" doc:"digests of the output that is in the store"`
	Truncated  bool      `json:"truncated,omitempty" doc:"true where not all of the output was kept"`
	StderrTail string    `json:"stderr_tail,omitempty" doc:"the end of standard error"`
	Hint       string    `json:"hint,omitempty" doc:"what the caller can do"`
	Warnings   []string  `json:"warnings,omitempty" doc:"what the caller should know beside the result"`
	Rest       Fields    `json:",inline"`
}

// agentErrors are the error types, one for each code of the catalog.
var agentErrors = [...]struct {
	code Code
	name string
}{
	{EARG, "invalid_arguments"},
	{EAUTH, "auth"},
	{ERATELIMIT, "rate_limit"},
	{EPAGINATION, "pagination"},
	{ERUNTIME, "runtime"},
	{ENOTFOUND, "not_found"},
	{ETIMEOUT, "timeout"},
	{EPOLICY, "policy"},
	{ESKILLDOWN, "unavailable"},
	{EPARSE, "parse"},
	{EOUTPUTTOOLARGE, "output_too_large"},
	{EENVELOPE, "envelope"},
	{EIO, "io"},
	{ECANCELED, "canceled"},
	{EOPENAPI, "openapi"},
}

func (w *agentResponse) fill(v *view) {
	*w = agentResponse{
		RequestID: filled(v.RequestID), Version: "1.0", Status: "success", CreatedAt: v.ts(),
		DurationSeconds: decimal(v.seconds()),
	}
	if w.RequestID == "" {
		w.RequestID = filled(v.requestID())
	}
	w.Metadata.fill(v)
	if v.Outcome.OK() {
		response := v.response()
		w.Response = &response
		return
	}
	w.Status = "error"
	if v.Outcome.Code == ETIMEOUT {
		w.Status = "timeout"
	}
	message, kind := v.short(v.Outcome.Message), v.errorType()
	w.ErrorMessage, w.ErrorType = &message, &kind
}

func (m *agentMetadata) fill(v *view) {
	r := v.ran()
	if r == nil {
		m.Rest = v.roomy(v.Extra)
		return
	}
	argv := v.argv()
	*m = agentMetadata{
		Argv: &argv, ExitCode: v.Outcome.ExitCode, Signal: v.Outcome.Signal, Outcome: string(v.Outcome.Kind),
		Agent: string(v.agent()), Artifacts: v.artifacts(), Truncated: v.Stdout.Truncated || v.Stderr.Truncated,
		StderrTail: v.tail(&v.Stderr, 1000), Hint: v.short(v.Outcome.Hint), Warnings: v.texts(v.Warnings),
	}
	if v.Exec != nil {
		*m = agentMetadata{Rest: v.roomy(v.Extra)}
		m.Rest.add("exec", mustEncode(v.exec(v.Exec)))
	}
}

// response is the output as one JSON text: the child's own JSON as it was
// printed, else a JSON string of its text, else the stream object.
func (v *view) response() string {
	if v.Payload != nil {
		return repair(string(v.payload()))
	}
	s := &v.Stdout
	if s.JSON != nil && s.Artifact == "" && !s.Truncated && v.hasRoom(s.JSON) {
		return repair(string(s.JSON))
	}
	return string(mustEncode(v.plain(s)))
}

func (v *view) errorType() string {
	if v.Outcome.ForeignCode != "" {
		return v.Outcome.ForeignCode
	}
	for _, e := range agentErrors {
		if e.code == v.Outcome.Code {
			return e.name
		}
	}
	return "runtime"
}

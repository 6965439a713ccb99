package envelope

import (
	"encoding/json"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// The vectors are written from these tables: documents that must be taken, and
// changes to them that must be told by pointer and rule. Only what a document or
// the contract says stands here; nothing is read off the code.

// A vectorSpec is the vectors of one dialect.
type vectorSpec struct {
	dialect string
	bases   []base
	members []memberSpec
	edits   []edit
}

// A base is a document that must be taken.
type base struct{ name, about, doc string }

// A memberSpec is a member of a base, with a value of a wrong type. It makes
// vectors without it, with null, with the wrong value, and in the wrong case.
type memberSpec struct {
	base, pointer, wrong string
	flags                string // o: optional, n: may be null, f: no fault for the wrong case
}

// An edit is a change to a base.
type edit struct {
	name, base string
	change     string // del POINTER; set POINTER JSON; text OLD => NEW
	faults     string // "POINTER RULE, POINTER RULE"; "" is a document that must still be taken
	strict     bool
}

// vectorSpecs are all of them. The common edits are added for each dialect.
func vectorSpecs() []vectorSpec {
	list := []vectorSpec{protocolVectors(), foxctlVectors(), helperVectors(), delegatorVectors(), toolVectors(), agentVectors()}
	for i := range list {
		list[i].edits = append(list[i].edits, commonEdits(list[i].bases[0])...)
	}
	return list
}

// commonEdits break what any JSON document must keep to. A tool-envelope's are
// made in the JSON after the mark.
func commonEdits(b base) []edit {
	first := ""
	for name := range jsontext.Members(json.RawMessage(b.doc)) {
		first = name
		break
	}
	return []edit{
		{"json-bom", b.name, "text { => \ufeff{", "/ json/bom", false},
		{"json-trailing", b.name, "append x", "/ json/trailing", false},
		{"json-second-value", b.name, "append {}", "/ json/trailing", false},
		{"json-cut", b.name, "cut 1", "/ json/syntax", false},
		{"json-comma", b.name, "text { => {,", "/ json/syntax", false},
		{"json-single-quotes", b.name, "text \"" + first + "\" => '" + first + "'", "/ json/syntax", false},
		{"json-comment", b.name, "text { => {/* */", "/ json/syntax", false},
		{"json-white-space", b.name, "append  \r\n\t ", "", false},
		{"json-repeated", b.name, "text { => {\"" + first + "\":0,", "/" + first + " json/duplicate, /" + first + " *", false},
		{"json-repeated-escaped", b.name, "text { => {\"\\u00" + hexByte(first[0]) + first[1:] + "\":0,", "/" + first + " json/duplicate, /" + first + " *", false},
		{"json-array", b.name, "whole [1]", "/ member/type", false},
		{"json-null", b.name, "whole null", "/ member/null", false},
	}
}

func hexByte(c byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[c>>4], digits[c&15]})
}

func protocolVectors() vectorSpec {
	return vectorSpec{
		dialect: "protocol/v1",
		bases: []base{
			{"ok", "a success with a payload of the skill's own", `{"version":1,"status":"ok","command":"http/openapi","data":{"n":1},"meta":{"ts":"2026-05-12T00:00:00Z","duration_ms":153},"error":{"code":null,"message":null}}`},
			{"error", "the error example of the document", `{"version":1,"status":"error","command":"http/openapi","data":{"hint":"Missing required parameter 'username'. Expected in path parameters.","issue":"parameter_validation_failed"},"meta":{"ts":"2026-05-12T12:34:56Z","duration_ms":42,"source":"run"},"error":{"code":"EARG","message":"Invalid arguments: missing required path parameter 'username'","details":{"missing_params":["username"],"expected_in":"path"}}}`},
			{"full", "every member of meta that the document names", `{"version":1,"status":"ok","command":"exec/go-test","data":{"summary":{"status_code":200,"kind":"application/json","size_bytes":1048576,"record_count":247,"preview":{"first_keys":["id"]},"pagination":{"has_more":false}},"artifact":"sha256:3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f"},"meta":{"ts":"2026-05-12T00:00:00.123Z","duration_ms":0,"runner":"oci","workspace":"/path/to/workspace","job_id":"01JD3K5Y7Q8R9S0T1V2W3X4Y5Z","trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","profiles":["core/v1","agent/v1"],"source":"cache","cas_digest":"sha256:3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f","skill_version":"1.0.0","cache_key":"sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d"},"error":{"code":null,"message":null,"details":{}}}`},
			{"job", "a job was taken", `{"version":1,"status":"ok","command":"jobs/submit","data":{"job":{"id":"01JD3K5Y7Q8R9S0T1V2W3X4Y5Z","state":"queued","queue_position":1},"next":"envwrap job wait 01JD3K5Y7Q8R9S0T1V2W3X4Y5Z"},"meta":{"ts":"2026-05-12T00:00:00Z","duration_ms":0,"job_id":"01JD3K5Y7Q8R9S0T1V2W3X4Y5Z"},"error":{"code":null,"message":null}}`},
			{"job-unknown", "nobody knows the job", `{"version":1,"status":"error","command":"jobs/info","data":{"hint":"List the jobs."},"meta":{"ts":"2026-05-12T00:00:00Z","duration_ms":0},"error":{"code":"ENOTFOUND","message":"no such job"}}`},
			{"cached", "a run that was remembered", `{"version":1,"status":"ok","command":"exec/make","data":{},"meta":{"ts":"2026-05-12T00:00:00Z","duration_ms":3,"source":"cache","cache_key":"sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d"},"error":{"code":null,"message":null}}`},
			{"progress", "an event of a run that goes on", `{"version":1,"status":"progress","command":"jobs/tail","data":{"stage":"running"},"meta":{"ts":"2026-05-12T00:00:00Z","duration_ms":10,"seq":0,"final":false},"error":{"code":null,"message":null}}`},
			{"run", "a command that envwrap ran", `{"version":1,"status":"error","command":"exec/sh","data":{"argv":["sh","-c","exit 3"],"exit_code":3,"outcome":"failure","stdout":{"bytes":3,"lines":1,"text":"hi\n"},"stderr":{"bytes":9,"lines":1,"artifact":"sha256:3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f","excerpt":{"text":"boom\n","omitted_bytes":4,"omitted_lines":1},"read":"envwrap artifact cat sha256:3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f"},"summary":{"size_bytes":9,"kind":"text/plain; charset=utf-8","lines":1,"preview":{"head":"boom\n"}},"artifact":"sha256:3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f","hint":"Read it."},"meta":{"ts":"2026-11-20T10:00:00.123Z","duration_ms":3,"runner":"exec","profiles":["core/v1"],"source":"run","cas_digest":"sha256:3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f","agent":"claude","redactions":{"total":1,"by_rule":{"env:TOKEN":1}},"warnings":["w"]},"error":{"code":"ERUNTIME","message":"sh ended with status 3: boom","details":{"exit_code":3,"classified_by":"status","retryable":false}}}`},
			{"both", "a command whose both streams are in the store", `{"version":1,"status":"ok","command":"exec/make","data":{"argv":["make"],"exit_code":0,"outcome":"success","stdout":{"bytes":9,"lines":1,"artifact":"sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d","excerpt":{"text":"boom\n","omitted_bytes":4,"omitted_lines":1},"read":"envwrap artifact cat sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d"},"stderr":{"bytes":9,"lines":1,"artifact":"sha256:3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f","excerpt":{"text":"boom\n","omitted_bytes":4,"omitted_lines":1},"summary":{"size_bytes":9,"kind":"text/plain; charset=utf-8","lines":1,"preview":{"head":"boom\n"}},"read":"envwrap artifact cat sha256:3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f"},"summary":{"size_bytes":9,"kind":"text/plain; charset=utf-8","lines":1,"preview":{"head":"boom\n"}},"artifact":"sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d","artifacts":["sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d","sha256:3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f"]},"meta":{"ts":"2026-11-20T10:00:00.123Z","duration_ms":3,"runner":"exec","profiles":["core/v1"],"source":"run","cas_digest":"sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d"},"error":{"code":null,"message":null}}`},
		},
		members: []memberSpec{
			{"ok", "/version", `"1"`, ""},
			{"ok", "/status", `1`, ""},
			{"ok", "/command", `["http/openapi"]`, ""},
			{"ok", "/data", `[]`, ""},
			{"ok", "/meta", `"m"`, ""},
			{"ok", "/error", `"none"`, ""},
			{"ok", "/meta/ts", `1747008000`, ""},
			{"ok", "/meta/duration_ms", `"153"`, ""},
			{"ok", "/error/code", `1`, "n"},
			{"ok", "/error/message", `{}`, "n"},
			{"full", "/meta/workspace", `1`, "o"},
			{"full", "/meta/job_id", `1`, "o"},
			{"full", "/meta/trace_id", `1`, "o"},
			{"full", "/meta/profiles", `"core/v1"`, "o"},
			{"full", "/meta/source", `1`, "o"},
			{"full", "/meta/skill_version", `1`, "o"},
			{"full", "/meta/cache_key", `1`, "o"},
			{"full", "/error/details", `[]`, "o"},
			{"full", "/data/summary/size_bytes", `"1"`, "f"},
			{"full", "/data/summary/kind", `1`, "f"},
			{"progress", "/meta/final", `"no"`, "o"},
			{"run", "/meta/agent", `1`, "o"},
			{"run", "/meta/warnings", `"w"`, "o"},
			{"run", "/meta/redactions", `1`, "o"},
			{"run", "/meta/redactions/total", `"1"`, ""},
			{"run", "/meta/redactions/by_rule", `[]`, ""},
			{"run", "/data/argv/0", `1`, "of"},
			{"run", "/data/stdout/bytes", `"3"`, ""},
			{"run", "/data/stdout/lines", `1.5`, ""},
			{"run", "/data/stderr/excerpt/omitted_bytes", `"4"`, ""},
			{"run", "/data/outcome", `3`, "f"},
		},
		edits: []edit{
			{"version-2", "ok", `set /version 2`, "/version value/version", false},
			{"version-0", "ok", `set /version 0`, "/version value/version", false},
			{"version-fraction", "ok", `set /version 1.0`, "/version member/type", false},
			{"status-upper-case", "ok", `set /status "OK"`, "/status value/enum", false},
			{"status-unknown", "ok", `set /status "success"`, "/status value/enum", false},
			{"command-no-verb", "ok", `set /command "http"`, "/command value/command", false},
			{"command-upper-case", "ok", `set /command "HTTP/openapi"`, "/command value/command", false},
			{"command-underscore", "ok", `set /command "code/semantic_search"`, "/command value/command", true},
			{"command-namespace-underscore", "ok", `set /command "code_x/search"`, "/command value/command", false},
			{"command-leading-underscore", "ok", `set /command "code/_search"`, "/command value/command", false},
			{"command-leading-hyphen", "ok", `set /command "http/-x"`, "/command value/command", false},
			{"command-three-parts", "ok", `set /command "a/b/c"`, "/command value/command", false},
			{"command-line-break", "ok", `set /command "a/b\n"`, "/command value/command", false},
			{"command-digits", "ok", `set /command "0a/1-b"`, "", false},
			{"ts-date", "ok", `set /meta/ts "2026-05-12"`, "/meta/ts value/timestamp", false},
			{"ts-space", "ok", `set /meta/ts "2026-05-12 00:00:00Z"`, "/meta/ts value/timestamp", false},
			{"ts-no-zone", "ok", `set /meta/ts "2026-05-12T00:00:00"`, "/meta/ts value/timestamp", false},
			{"ts-not-utc", "ok", `set /meta/ts "2026-05-12T00:00:00+02:00"`, "/meta/ts value/timestamp", false},
			{"ts-utc-offset", "ok", `set /meta/ts "2026-05-12T00:00:00.5+00:00"`, "", false},
			{"ts-no-such-day", "ok", `set /meta/ts "2026-02-30T00:00:00Z"`, "/meta/ts value/timestamp", false},
			{"ts-comma", "ok", `set /meta/ts "2026-05-12T00:00:00,5Z"`, "/meta/ts value/timestamp", false},
			{"duration-negative", "ok", `set /meta/duration_ms -1`, "/meta/duration_ms value/range", false},
			{"duration-fraction", "ok", `set /meta/duration_ms 1.5`, "/meta/duration_ms member/type", false},
			{"duration-exponent", "ok", `set /meta/duration_ms 1e3`, "/meta/duration_ms member/type", false},
			{"duration-too-large", "ok", `set /meta/duration_ms 9223372036854775808`, "/meta/duration_ms value/range", false},
			{"duration-largest", "ok", `set /meta/duration_ms 9223372036854775807`, "", false},
			{"runner-null", "full", `set /meta/runner null`, "", false},
			{"runner-unknown", "full", `set /meta/runner "docker"`, "/meta/runner value/enum", false},
			{"runner-number", "full", `set /meta/runner 1`, "/meta/runner value/enum", false},
			{"workspace-relative", "full", `set /meta/workspace "src/app"`, "/meta/workspace protocol/workspace", false},
			{"workspace-windows", "full", `set /meta/workspace "C:\\src\\app"`, "", false},
			{"job-id-in-answer", "job", `set /meta/job_id "T-local-01JD3K5Y7Q8R9S0T1V2W3X4Y5Z"`, "/meta/job_id value/ulid", false},
			{"cached-key-upper-case", "cached", `set /meta/cache_key "SHA256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d"`, "/meta/cache_key value/digest", false},
			{"job-id-no-ulid", "full", `set /meta/job_id "42"`, "/meta/job_id value/ulid", false},
			{"job-id-lower-case", "full", `set /meta/job_id "01jd3k5y7q8r9s0t1v2w3x4y5z"`, "/meta/job_id value/ulid", false},
			{"job-id-overflow", "full", `set /meta/job_id "81JD3K5Y7Q8R9S0T1V2W3X4Y5Z"`, "/meta/job_id value/ulid", false},
			{"profiles-number", "full", `set /meta/profiles ["core/v1",1]`, "/meta/profiles/1 member/type", false},
			{"source-unknown", "full", `set /meta/source "disk"`, "/meta/source value/enum", false},
			{"source-memory", "full", `set /meta/source "memory"`, "", false},
			{"cas-digest-short", "full", `set /meta/cas_digest "sha256:abc123"`, "/meta/cas_digest value/digest, /meta/cas_digest protocol/digest-mismatch", false},
			{"cas-digest-upper-case", "full", `set /meta/cas_digest "sha256:3F3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f"`, "/meta/cas_digest value/digest, /meta/cas_digest protocol/digest-mismatch", false},
			{"cas-digest-other", "full", `set /meta/cas_digest "sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d"`, "/meta/cas_digest protocol/digest-mismatch", false},
			{"cas-digest-missing", "full", `del /meta/cas_digest`, "/data/artifact protocol/artifact-without-digest", false},
			{"artifact-missing", "full", `del /data/artifact`, "/meta/cas_digest protocol/digest-without-artifact", false},
			{"summary-missing", "full", `del /data/summary`, "/data/summary protocol/artifact-without-summary", false},
			{"summary-no-preview", "full", `del /data/summary/preview`, "/data/summary/preview member/missing", false},
			{"summary-size-negative", "full", `set /data/summary/size_bytes -1`, "/data/summary/size_bytes value/range", false},
			{"summary-kind-empty", "full", `set /data/summary/kind ""`, "/data/summary/kind value/empty", false},
			{"preview-1k", "full", `set /data/summary/preview {"head":"` + repeatText("x", 1012) + `"}`, "", false},
			{"preview-over-1k", "full", `set /data/summary/preview {"head":"` + repeatText("x", 1014) + `"}`, "/data/summary/preview protocol/preview-size", false},
			{"cached-no-key", "cached", `del /meta/cache_key`, "/meta/cache_key protocol/cache-without-key", false},
			{"cache-key-short", "full", `set /meta/cache_key "sha256:00"`, "/meta/cache_key value/digest", false},
			{"meta-unknown", "full", `set /meta/mood "good"`, "", false},
			{"meta-unknown-strict", "full", `set /meta/mood "good"`, "/meta/mood member/unknown", true},
			{"error-unknown", "ok", `set /error/mood "good"`, "", false},
			{"run-stream-unknown", "run", `set /data/stdout/mood "good"`, "", false},
			{"run-stream-unknown-strict", "run", `set /data/stdout/mood "good"`, "/data/stdout/mood member/unknown", true},
			{"unknown", "ok", `set /extra 1`, "", false},
			{"unknown-strict", "ok", `set /extra 1`, "/extra member/unknown", true},
			{"data-is-free-strict", "ok", `set /data/anything {"a":[null]}`, "", true},
			{"ok-with-code", "ok", `set /error/code "ERUNTIME"`, "/error protocol/ok-with-error", false},
			{"ok-with-message", "ok", `set /error/message "x"`, "/error protocol/ok-with-error", false},
			{"error-code-null", "error", `set /error/code null`, "/error/code protocol/error-without-code", false},
			{"error-code-empty", "error", `set /error/code ""`, "/error/code value/enum", false},
			{"error-code-unknown", "error", `set /error/code "EFOO"`, "/error/code value/enum", false},
			{"error-code-lower-case", "error", `set /error/code "earg"`, "/error/code value/enum", false},
			{"error-message-null", "error", `set /error/message null`, "/error/message protocol/error-without-message", false},
			{"error-message-empty", "error", `set /error/message ""`, "/error/message protocol/error-without-message", false},
			{"error-partial", "error", `set /meta/partial true`, "", false},
			{"ok-partial", "ok", `set /meta/partial true`, "/meta/partial protocol/partial-without-error", false},
			{"progress-no-seq", "progress", `del /meta/seq`, "/meta/seq protocol/progress-without-seq", false},
			{"progress-seq-negative", "progress", `set /meta/seq -1`, "/meta/seq value/range", false},
			{"progress-seq-text", "progress", `set /meta/seq "0"`, "/meta/seq member/type", false},
			{"progress-large", "progress", `set /data/message "` + repeatText("m", 4000) + `"`, "/ protocol/progress-size", false},
			{"progress-pct", "progress", `set /data/pct 12.5`, "", true},
			{"progress-pct-0", "progress", `set /data/pct 0`, "", true},
			{"progress-pct-100", "progress", `set /data/pct 1e2`, "", true},
			{"progress-pct-101", "progress", `set /data/pct 100.5`, "/data/pct stream/pct", false},
			{"progress-pct-negative", "progress", `set /data/pct -1`, "/data/pct stream/pct", false},
			{"progress-pct-huge", "progress", `set /data/pct 1e999`, "/data/pct stream/pct", false},
			{"progress-pct-text", "progress", `set /data/pct "50%"`, "/data/pct member/type", false},
			{"progress-pct-null", "progress", `set /data/pct null`, "/data/pct member/type", false},
			{"pct-of-a-result", "ok", `set /data/pct 250`, "", true},
			{"inline-large", "ok", `set /data/rows "` + repeatText("r", 33_000) + `"`, "/data protocol/inline-size", true},
			{"inline-large-lenient", "ok", `set /data/rows "` + repeatText("r", 33_000) + `"`, "", false},
			{"workspace-empty", "full", `set /meta/workspace ""`, "/meta/workspace protocol/workspace", false},
			{"trace-id-empty", "full", `set /meta/trace_id ""`, "/meta/trace_id value/empty", false},
			{"profile-empty", "full", `set /meta/profiles [""]`, "/meta/profiles/0 value/empty", false},
			{"skill-version-empty", "full", `set /meta/skill_version ""`, "/meta/skill_version value/empty", false},
			{"preview-null", "full", `set /data/summary/preview null`, "/data/summary/preview member/null", false},
			{"preview-text", "full", `set /data/summary/preview "id, name"`, "", true},
			{"ok-with-empty-message", "ok", `set /error/message ""`, "/error protocol/ok-with-error", false},
			{"agent-empty", "run", `set /meta/agent ""`, "/meta/agent value/empty", false},
			{"redactions-total-negative", "run", `set /meta/redactions/total -1`, "/meta/redactions/total value/range", false},
			{"progress-own", "progress", `set /data {"stage":"running","message":"","metrics":{"elapsed_ms":1,"stdout_bytes":0,"stderr_bytes":0,"lines":0}}`, "", true},
			{"progress-own-metrics", "progress", `set /data {"stage":"running","message":"","metrics":{"elapsed_ms":1,"stdout_bytes":"0","stderr_bytes":0}}`, "/data/metrics/stdout_bytes member/type, /data/metrics/lines member/missing", false},
			{"progress-of-another", "progress", `set /data {"stage":3,"metrics":"none"}`, "", true},
			{"run-ok-outcome", "both", `set /data/outcome "failure"`, "/data/outcome run/outcome", false},
			{"run-changes", "both", `set /data/outcome "changes"`, "", true},
			{"run-error-outcome", "run", `set /data/outcome "success"`, "/data/outcome run/outcome", false},
			{"run-findings", "run", `set /data/outcome "findings"`, "", true},
			{"run-two-exit-codes", "run", `set /error/details/exit_code 4`, "/error/details/exit_code run/exit-code", false},
			{"run-details-exit-code-text", "run", `set /error/details/exit_code "3"`, "/error/details/exit_code member/type", false},
			{"run-details-signal", "run", `set /error/details/signal "9"`, "/error/details/signal value/signal", false},
			{"run-details-attempts", "run", `set /error/details/attempts -1`, "/error/details/attempts value/range", false},
			{"run-details-case", "run", `text "classified_by" => "Exit_Code":3,"classified_by"`, "/error/details/Exit_Code member/case", false},
			{"run-details-timeout-type", "run", `set /error/details/timeout_type "soft"`, "/error/details/timeout_type value/enum", false},
			{"run-no-details", "run", `del /error/details`, "/error/details/classified_by run/classified-by, /error/details/retryable run/retryable", false},
			{"run-usage-negative", "run", `set /data/usage {"user_ms":1,"sys_ms":-1,"max_rss_bytes":1}`, "/data/usage/sys_ms value/range", false},
			{"run-all-that-is-wrong", "run", `set /data {"argv":["sh"],"exit_code":"3","outcome":"failure","stdout":{"bytes":3,"lines":1,"text":"hi"},"stderr":{"bytes":0,"lines":0,"text":""}}`, "/data/exit_code member/type, /data/stdout/bytes output/bytes, /meta/cas_digest protocol/digest-without-artifact", false},
			{"run-preview-head", "both", `set /data/summary/preview {"head":1}`, "/data/summary/preview/head member/type", false},
			{"run-preview-list", "both", `set /data/stderr/summary/preview []`, "/data/stderr/summary/preview member/type", false},
			{"run-preview-over-1k", "both", `set /data/stderr/summary/preview {"head":"` + repeatText("x", 1014) + `"}`, "/data/stderr/summary/preview protocol/preview-size", false},
			{"run-summary-no-count", "both", `set /data/summary {"size_bytes":9,"kind":"application/json","preview":{"first_keys":["a"],"sample_record":{"a":1}}}`, "/data/summary/record_count run/summary", false},
			{"run-summary-no-size", "both", `del /data/summary/size_bytes`, "/data/summary/size_bytes member/missing", false},
			{"run-no-hint", "run", `del /data/hint`, "", false},
			{"run-outcome", "run", `set /data/outcome "bad"`, "/data/outcome value/enum", false},
			{"run-exit-code-null", "run", `set /data/exit_code null`, "", false},
			{"run-exit-code-text", "run", `set /data/exit_code "3"`, "/data/exit_code member/type", false},
			{"run-classified-by", "run", `set /error/details/classified_by "guess"`, "/error/details/classified_by run/classified-by", false},
			{"run-not-classified", "run", `del /error/details/classified_by`, "/error/details/classified_by run/classified-by", false},
			{"run-stream-empty", "run", `del /data/stdout/text`, "/data/stdout output/content", false},
			{"run-stream-two", "run", `set /data/stdout/json {}`, "/data/stdout output/content", false},
			{"run-stream-json-null", "run", `text "text":"hi\n" => "json":null`, "", false},
			{"run-base64", "run", `text "text":"hi\n" => "base64":"aGkK"`, "", false},
			{"run-base64-unpadded", "run", `text "text":"hi\n" => "base64":"aGk"`, "/data/stdout/base64 value/base64", false},
			{"run-replaced", "run", `set /data/stdout {"bytes":3,"lines":1,"text":"h\ufffd\n","replaced":1,"exact":"sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d"}`, "", false},
			{"run-replaced-bytes", "run", `set /data/stdout {"bytes":5,"lines":1,"text":"h\ufffd\n","replaced":1,"exact":"sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d"}`, "/data/stdout/bytes output/bytes", false},
			{"run-replaced-base64", "run", `set /data/stdout {"bytes":3,"lines":1,"base64":"aP8K","replaced":1}`, "/data/stdout/text output/replaced", false},
			{"run-no-excerpt", "run", `del /data/stderr/excerpt`, "/data/stderr/excerpt output/excerpt", false},
			{"run-no-read", "run", `del /data/stderr/read`, "/data/stderr/read output/read", false},
			{"run-other-artifact", "run", `set /data/stdout {"bytes":3,"lines":1,"artifact":"sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d","excerpt":{"text":"","omitted_bytes":3,"omitted_lines":1},"read":"r"}`, "/data/artifact run/artifact, /data/artifacts run/artifacts, /data/stderr/summary run/stderr-summary", false},
			{"run-no-outcome", "run", `del /data/outcome`, "/data/outcome member/missing", false},
			{"run-no-exit-code", "run", `del /data/exit_code`, "/data/exit_code member/missing", false},
			{"run-no-argv", "run", `del /data/argv`, "/data/argv member/missing", false},
			{"run-no-stdout", "run", `del /data/stdout`, "/data/stdout member/missing", false},
			{"run-stderr-null", "run", `set /data/stdout null`, "/data/stdout member/null", false},
			{"run-exit-code-too-large", "run", `set /data/exit_code 1e3`, "/data/exit_code member/type", false},
			{"run-signal", "run", `set /data/signal "SIGRTMIN+1"`, "", false},
			{"run-signal-number", "run", `set /data/signal "15"`, "/data/signal value/signal", false},
			{"run-bytes", "run", `set /data/stdout/bytes 4`, "/data/stdout/bytes output/bytes", false},
			{"run-bytes-characters", "run", `set /data/stdout {"bytes":1,"lines":1,"text":"é"}`, "/data/stdout/bytes output/bytes", false},
			{"run-bytes-base64", "run", `set /data/stdout {"bytes":4,"lines":1,"base64":"aGkK"}`, "/data/stdout/bytes output/bytes", false},
			{"run-bytes-truncated", "run", `set /data/stdout {"bytes":4000,"lines":90,"text":"hi\n","truncated":true}`, "", false},
			{"run-lines", "run", `set /data/stdout/lines 2`, "/data/stdout/lines output/lines", false},
			{"run-lines-unfinished", "run", `set /data/stdout {"bytes":4,"lines":2,"text":"hi\nx"}`, "", false},
			{"run-retryable-missing", "run", `del /error/details/retryable`, "/error/details/retryable run/retryable", false},
			{"run-retryable-text", "run", `set /error/details/retryable "no"`, "/error/details/retryable run/retryable", false},
			{"run-tail-1000", "run", `set /error/details/stderr_tail "` + repeatText("é", 1000) + `"`, "", false},
			{"run-tail-1001", "run", `set /error/details/stderr_tail "` + repeatText("é", 1001) + `"`, "/error/details/stderr_tail run/tail-size", false},
			{"run-message-lines", "run", `set /error/message "a\nb"`, "/error/message run/message", false},
			{"run-message-separator", "run", `set /error/message "a\u2028b"`, "/error/message run/message", false},
			{"run-ts-seconds", "run", `set /meta/ts "2026-11-20T10:00:00Z"`, "/meta/ts run/timestamp", false},
			{"run-ts-offset", "run", `set /meta/ts "2026-11-20T10:00:00.123+00:00"`, "/meta/ts run/timestamp", false},
			{"run-order-strict", "run", `text "version":1,"status":"error" => "status":"error","version":1`, "/version run/order", true},
			{"run-order", "run", `text "version":1,"status":"error" => "status":"error","version":1`, "", false},
			{"order-strict", "ok", `text "version":1,"status":"ok" => "status":"ok","version":1`, "", true},
			{"run-summary-no-lines", "both", `del /data/stderr/summary/lines`, "/data/stderr/summary/lines run/summary", false},
			{"run-summary-no-records", "both", `set /data/summary {"size_bytes":9,"kind":"application/x-ndjson","preview":{}}`, "/data/summary/record_count run/summary", false},
			{"run-summary-records", "both", `set /data/summary {"size_bytes":9,"kind":"application/x-ndjson","record_count":2,"preview":{}}`, "", true},
			{"run-two-artifacts", "both", `set /data/hint "Read them."`, "", true},
			{"run-no-stderr-summary", "both", `del /data/stderr/summary`, "/data/stderr/summary run/stderr-summary", false},
			{"run-artifacts-missing", "both", `del /data/artifacts`, "/data/artifacts run/artifacts", false},
			{"run-artifacts-reversed", "both", `set /data/artifacts ["sha256:3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f","sha256:5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d"]`, "/data/artifacts run/artifacts", false},
			{"redactions-negative", "run", `set /meta/redactions/by_rule {"a":-1}`, "/meta/redactions/by_rule/a value/range", false},
			{"surrogate", "error", `set /error/message "\ud800"`, "/error/message json/surrogate", false},
			{"surrogate-in-name", "ok", `text "n":1 => "\udc00":1`, "/data json/surrogate", false},
			{"control-character", "error", "text EARG => E\tARG", "/error/code json/syntax", false},
			{"utf8", "error", "text username'. => username\xff'.", "/data/hint json/utf8", false},
			{"repeated-deep", "ok", `set /data {"a":[{"b":1,"b":1}]}`, "/data/a/0/b json/duplicate", false},
			{"case-nested", "ok", `text "duration_ms" => "Duration_ms"`, "/meta/Duration_ms member/case, /meta/duration_ms member/missing", false},
			{"deep", "ok", `set /data {"a":` + repeatText("[", 1100) + repeatText("]", 1100) + `}`, "/data/a* json/depth", false},
			{"nan", "ok", `set /data {"a":NaN}`, "/data/a json/syntax", false},
		},
	}
}

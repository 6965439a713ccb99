package envelope

import (
	"reflect"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// A Rule is a rule of a checker. Its name is stable: programs may branch on it.
type Rule struct {
	Name   string
	Strict bool   // checked only with ValidateOptions.Strict
	Text   string // what the rule requires
}

// Rules returns all rules of [Validate] and [Checker], by topic.
// docs/reference/rules.md lists them.
func Rules() []Rule {
	return []Rule{
		{"format/unknown", false, "The document has the members of a known envelope."},
		{"json/syntax", false, "The text is JSON (RFC 8259)."},
		{"json/bom", false, "The text does not begin with a byte order mark."},
		{"json/trailing", false, "Only white space follows the value."},
		{"json/depth", false, "Arrays and objects are nested no deeper than 1000 levels."},
		{"json/duplicate", false, "No object has two members of one name, however the names are escaped."},
		{"json/utf8", false, "Strings are valid UTF-8."},
		{"json/surrogate", false, "Escaped surrogates come in pairs."},

		{"member/missing", false, "A required member is there."},
		{"member/null", false, "A value is null only where the document says null."},
		{"member/type", false, "A value has the document's type. Integers are digits only."},
		{"member/case", false, "Names are spelled in the case of the document."},
		{"member/unknown", true, "An object has only members that the document names, if it does not leave the object open. In agent-response/v1, foxctl/v1, the top level of delegator/v3.6, and tool-envelope/v1 outside its payload also without --strict."},

		{"value/enum", false, "A word is one that the document lists."},
		{"value/version", false, "The version is the one that is checked here."},
		{"value/range", false, "A number is not negative, and no larger than readers can hold."},
		{"value/empty", false, "A text that names something is not empty."},
		{"value/timestamp", false, "A time is RFC 3339 with a zone, in protocol/v1 UTC."},
		{"value/digest", false, "A digest is 64 lower-case hexadecimal digits, after sha256: where the document says so."},
		{"value/command", false, "A command is namespace/verb, each of lower-case letters, digits and hyphens. Underscores in the verb, as in an example of the document, are reported with --strict."},
		{"value/semver", false, "A schema version is a semantic version of three numbers."},
		{"value/uuid", false, "An id is a UUID; in delegator/v3.6 one of version 4 in lower case."},
		{"value/ulid", false, "A job id is a ULID in upper case."},
		{"value/signal", false, "A signal is a name such as SIGTERM."},
		{"value/base64", false, "Bytes are padded standard base64."},

		{"protocol/ok-with-error", false, "With status ok, error.code and error.message are null."},
		{"protocol/error-without-code", false, "With status error there is an error.code."},
		{"protocol/error-without-message", false, "With status error there is an error.message, and it is not empty."},
		{"protocol/progress-without-seq", false, "With status progress there is a meta.seq."},
		{"protocol/cache-without-key", false, "With source cache there is a meta.cache_key."},
		{"protocol/partial-without-error", false, "meta.partial is true only where status is error."},
		{"protocol/workspace", false, "meta.workspace is an absolute path."},
		{"protocol/digest-without-artifact", false, "Where meta.cas_digest is present, data.artifact is."},
		{"protocol/artifact-without-digest", false, "Where data.artifact is present, meta.cas_digest is."},
		{"protocol/digest-mismatch", false, "meta.cas_digest and data.artifact are the same."},
		{"protocol/artifact-without-summary", false, "Where data.artifact is present, data.summary is."},
		{"protocol/preview-size", false, "A preview has at most 1 KiB, serialized."},
		{"protocol/inline-size", true, "Data of more than 32 KiB is in an artifact."},
		{"protocol/progress-size", false, "A progress event has at most 4 KiB."},
		{"foxctl/size", false, "The envelope has at most 32 KiB."},

		{"run/outcome", false, "The outcome of a run goes with its status: success, negative, changes and warning are ok."},
		{"run/exit-code", false, "On an error, details.exit_code is the status of the run."},
		{"run/classified-by", false, "On an error, details.classified_by says how its code was found."},
		{"run/retryable", false, "On an error, details.retryable is true or false."},
		{"run/tail-size", false, "On an error, stderr_tail has at most 1000 characters."},
		{"run/message", false, "The message of a run's error is one line."},
		{"run/timestamp", false, "The time of a run has milliseconds and Z."},
		{"run/order", true, "The outermost members of a run's envelope are in the order of the document."},
		{"run/artifact", false, "data.artifact is the artifact of stdout or, if only stderr is stored, of stderr."},
		{"run/artifacts", false, "Where both streams are in the store, data.artifacts lists both digests."},
		{"run/stderr-summary", false, "Where both streams are in the store, data.stderr has a summary of its own."},
		{"run/summary", false, "The summary of a text has lines, that of NDJSON or of an array of objects record_count."},
		{"output/bytes", false, "bytes is the length of the stream, of a whole one that of its text."},
		{"output/lines", false, "lines counts newlines, plus one for an unfinished last line."},
		{"output/content", false, "A stream has exactly one of text, json, base64 and artifact."},
		{"output/replaced", false, "replaced and exact are only beside the text of the stream."},
		{"output/excerpt", false, "A stream with an artifact has an excerpt."},
		{"output/read", false, "A stream with an artifact has the command that shows it."},

		{"helper/ok-with-error", false, "With status ok, error is null."},
		{"helper/error-missing", false, "With any other status, error says what went wrong."},
		{"helper/order", true, "The fixed members are in the order of the document."},
		{"helper/partial-without-sources", false, "With status partial, skipped_sources says what was left out."},

		{"delegator/schema-id", false, "schema_id is codex/v3.6/<tool_category>/v1."},
		{"delegator/ok-without-data", false, "With status ok there is data."},
		{"delegator/ok-with-error", false, "With status ok there is no error."},
		{"delegator/error-missing", false, "With status error there is an error."},
		{"delegator/error-with-data", false, "With status error there is no data."},
		{"delegator/retryable", false, "VALIDATION (reported with --strict), NOT_FOUND and UNSUPPORTED are not retryable."},
		{"delegator/order", true, "The outer members are in the order of the document."},
		{"delegator/tail-size", false, "A tail in an error's details has at most 1024 characters."},
		{"delegator/artifact-digest", false, "The digest in an artifact's ref is that in its sha256."},
		{"delegator/output-size", false, "Included output has at most max_bytes, the mark of a cut not counted."},
		{"delegator/output-included", false, "Where output.included is false there is no output."},
		{"delegator/output-excluded", false, "The output of a task that failed or timed out is included; where metadata.task_status is an object, as real servers write it, reported with --strict."},
		{"delegator/original-size", false, "original_size is present exactly where truncated is true."},
		{"delegator/tool-category", false, "Each tool of the document has the category that the document gives it."},
		{"delegator/no-output", false, "An acknowledgement and a snapshot hold no output."},
		{"delegator/cloud-background", false, "A task in the cloud runs in the background."},
		{"delegator/summary-line", false, "The summary of a task is one line."},
		{"delegator/error-context", false, "A task has error_context exactly where it failed or timed out; after a timeout with partial results. Where metadata.task_status is an object, reported with --strict."},
		{"delegator/not-completed", false, "A task that is not over has no time of its end."},
		{"delegator/events-size", false, "A list of events has at most 50."},
		{"delegator/last-output-size", false, "The output of a task that timed out is its last 64 KiB."},
		{"delegator/snapshot-count", false, "A snapshot shows all tasks that run or wait, and no more ended ones than it counts."},
		{"delegator/last-lines", false, "A snapshot has at most the last five lines of a task."},
		{"delegator/snapshot-list", false, "A snapshot has a list exactly where its summary counts any."},

		{"tool-envelope/marker", false, "The last line begins with __ENVELOPE_V1__: and nothing comes after it."},
		{"tool-envelope/base64", false, "The rest of that line is padded standard base64."},
		{"tool-envelope/mark-in-text", false, "No line of the text before it begins with __ENVELOPE_V."},
		{"tool-envelope/no-text", true, "There is text before that line."},

		{"agent-response/success-without-response", false, "With status success there is a response."},
		{"agent-response/success-with-error", false, "With status success, error_message and error_type are null."},
		{"agent-response/response-json", false, "The response of a run of envwrap's is a string that holds JSON; that of others is not empty."},
		{"agent-response/error-with-response", false, "With any other status, response is null."},
		{"agent-response/error-without-message", false, "With any other status there is an error_message."},
		{"agent-response/error-without-type", false, "With any other status there is an error_type."},

		{"stream/seq", false, "Progress events are numbered from 0, and the numbers grow."},
		{"stream/pct", false, "data.pct of a progress event is 0 to 100 and never falls."},
		{"stream/no-end", false, "Progress events end in a result."},
		{"stream/second-result", false, "A stream of progress events has one result."},
		{"stream/empty", false, "The input holds an envelope."},

		{"secret/clear", true, "No secret is in the clear, also in previews."},
		{"artifact/missing", true, "The store has each artifact that is named."},
		{"artifact/corrupt", true, "The content of each artifact matches its digest."},
	}
}

// schemaBase is where the schemas are kept; with a dialect's file name it is
// the $id, which never changes.
const schemaBase = "https://github.com/envwrap/envwrap/blob/main/docs/schema/"

// schemaFile returns the name of a dialect's schema file, for instance
// "protocol-v1.json".
func schemaFile(d Dialect) string { return strings.ReplaceAll(d.Name(), "/", "-") + ".json" }

// Schema returns the JSON Schema (2020-12) of a dialect's envelopes, indented. It is
// generated from the tables of the encoder and the checker, so it agrees with them as
// far as a schema can: repeated names, text encodings, sizes and the order of progress
// events are checked by [Validate] and [Checker] only. The schema of tool-envelope/v1
// describes the JSON after the mark.
func Schema(d Dialect) []byte {
	s := wire.TypeSchema(reflect.TypeOf(d.self().blank()).Elem())
	head := wire.Fields{
		{Name: "$schema", Value: wire.Quoted("https://json-schema.org/draft/2020-12/schema")},
		{Name: "$id", Value: wire.Quoted(schemaBase + schemaFile(d))},
		{Name: "title", Value: wire.Quoted(d.Name() + " envelope")},
	}
	s = append(head, s...)
	if d.self().rules != nil {
		s.Add("allOf", wire.List(d.self().rules()...))
	}
	return append(wire.Indent(wire.MustEncode(s)), '\n')
}

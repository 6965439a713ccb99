package envelope

import (
	"encoding/json"
)

// A Stream is one of the child's output streams, after redaction. At most one of Text,
// JSON, Binary and Artifact is the content; the zero Stream is an empty one.
type Stream struct {
	Bytes int64 // length of the whole redacted stream
	Lines int64 // newlines, plus one for an unfinished last line

	Text     string          // UTF-8 text
	JSON     json.RawMessage `json:",omitempty"` // one JSON value, numbers as spelled
	Binary   []byte          // content that is not UTF-8, written as base64
	Artifact string          // sha256:<64 hex> of the stored content

	// Replaced is how many bytes of the stream are not UTF-8: each is U+FFFD in Text.
	// Exact is the digest of the stored stream if Text is not exactly the stream.
	Replaced int64  `json:",omitempty"`
	Exact    string `json:",omitempty"`

	Truncated bool     // not all of it was kept
	Excerpt   *Excerpt // what a diagnosis needs, if the content is not inline
	Summary   *Summary // beside Artifact
	Read      string   // the command that prints it; beside Artifact or Exact

	// Head and Tail are the first 32 KiB and the last 64 KiB of the stream; they overlap if
	// it is short. Dialects take tails and excerpts from them.
	Head, Tail []byte
}

// Bounds of Stream.Head and Stream.Tail in bytes: delegator/v3.6 wants the last
// 64 KiB on a timeout and 16 KiB from both ends elsewhere.
const (
	headKeep = 32 << 10
	tailKeep = 64 << 10
)

// A Summary describes an artifact (Protocol v1, "Summary requirements").
type Summary struct {
	SizeBytes   int64
	Kind        string          // MIME type
	Preview     json.RawMessage `json:",omitempty"` // one JSON object of at most 1 KiB
	RecordCount *int64          // arrays and NDJSON
	Lines       *int64          // text
}

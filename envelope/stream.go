package envelope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/envwrap/envwrap/envelope/internal/mimetype"
	"github.com/envwrap/envwrap/envelope/internal/preview"
	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
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
	// Exact is the digest of the stored stream if Text is not exactly the stream, or if a
	// dialect of text does not show Binary.
	Replaced int64 `json:",omitempty"`
	// Beyond means that Text is JSON with a number that no double holds, such as 1e400.
	Beyond bool   `json:",omitempty"`
	Exact  string `json:",omitempty"`

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

// An Excerpt shows parts of a stream that is not in the envelope: see
// [excerpt.Excerpt].
type Excerpt struct {
	Text         string
	OmittedBytes int64
	OmittedLines int64
	// Gap is the option of "envwrap artifact cat" that prints what to read next:
	// "--lines 118:529"; "" where nothing is left out, or it is not known.
	Gap string `json:",omitempty"`
	// Query, if it is not "", is the expression with which "envwrap artifact query" prints what
	// the gap leaves out of a JSON document.
	Query string `json:",omitempty"`

	source excerptSource // makes a shorter excerpt; nil in one that was read
}

// An excerptSource makes excerpts of a text, of at most n bytes.
type excerptSource interface{ excerpt(n int) excerpt.Excerpt }

// chosen makes excerpts by evidence.
type chosen struct{ *excerpt.Writer }

func (c chosen) excerpt(n int) excerpt.Excerpt { return c.Excerpt(n) }

// front makes excerpts of a text that is read from its beginning, or of a list.
type front struct {
	text    *excerpt.Writer
	head    []byte
	outline *excerpt.Outline // nil if it is no list
}

func (f *front) excerpt(n int) excerpt.Excerpt {
	if f.outline != nil {
		if x, ok := f.outline.Excerpt(n); ok {
			return x
		}
	}
	return f.text.Front(f.head, n)
}

// IsJSON reports whether a stored stream is one JSON document.
func (s *Stream) IsJSON() bool { return s.Summary != nil && s.Summary.Kind == mimetype.JSON }

// queried makes excerpts of a JSON document, which are read on by queries.
type queried struct {
	excerptSource
	doc func() []byte
}

// Queried returns the excerpt of a JSON document with a Query. doc returns the document, or
// its beginning.
func (x *Excerpt) Queried(doc func() []byte) *Excerpt {
	if x.source == nil {
		return x
	}
	return newExcerpt(queried{x.source, doc}, len(x.Text))
}

// newExcerpt returns an excerpt of at most n bytes.
func newExcerpt(source excerptSource, n int) *Excerpt {
	x := excerptOf(source.excerpt(n), source)
	if over := len(x.Text) - n; over > 0 && over < n { // what marks its own lines takes room, too
		x = excerptOf(source.excerpt(n-over), source)
	}
	return x
}

// excerptOf returns x as an envelope has it. Lines of the text that read like its gaps
// are indented.
func excerptOf(x excerpt.Excerpt, source excerptSource) *Excerpt {
	out := &Excerpt{Text: x.Marked(), OmittedBytes: x.OmittedBytes, OmittedLines: x.OmittedLines, source: source}
	if g, ok := x.Next(); ok {
		out.Gap = g.Option()
		if q, ok := source.(queried); ok {
			out.Query = preview.Query(q.doc(), g.From)
		}
	}
	return out
}

// Within returns the excerpt within n bytes; 0 is no limit.
func (x *Excerpt) Within(n int) *Excerpt {
	switch {
	case n == 0 || len(x.Text) <= n:
		return x
	case x.source != nil:
		return newExcerpt(x.source, n)
	}
	return excerptOf(excerpt.Shorten(excerpt.Excerpt{Text: x.Text, OmittedBytes: x.OmittedBytes, OmittedLines: x.OmittedLines}, n), nil)
}

// Parse chooses how stdout is interpreted.
type Parse int

const (
	ParseAuto   Parse = iota // a JSON object or array is JSON, anything else text
	ParseJSON                // any JSON value; other output is EPARSE
	ParseNDJSON              // one JSON value on each line, as an array
	ParseText                // always text; an envelope is not adopted
)

// maxDepth is the deepest nesting of arrays and objects that is taken as JSON.
// Common readers stop at 256 levels, and the envelope around it needs a few.
const maxDepth = 200

// A ParseError means that a stream is not the JSON that was asked for.
type ParseError struct {
	Offset int64  // position in the stream in bytes
	Reason string // the fault at Offset
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("read output as JSON: %s at byte %d", e.Reason, e.Offset)
}

// Interpret sets the content of s to raw, the whole redacted stream: Text, JSON or
// Binary, depending on p, and also Bytes, Lines, Head and Tail. It takes for JSON only
// what all readers understand alike: no repeated names, no unpaired surrogates, and at
// most 200 nested arrays and objects.
//
// The error is a *[ParseError] if p requires JSON and raw is something else; the content
// is then Text or Binary. Text with a few bytes that are not UTF-8 is Text, with U+FFFD
// for each of them, which Replaced counts. The stream keeps no part of raw.
func (s *Stream) Interpret(raw []byte, p Parse) error {
	raw = bytes.Clone(raw)
	s.Bytes, s.Lines = int64(len(raw)), lineCount(raw)
	s.Head, s.Tail = raw[:min(len(raw), headKeep)], raw[max(0, len(raw)-tailKeep):]
	s.Text, s.JSON, s.Binary, s.Replaced, s.Exact = "", nil, nil, 0, ""
	value, err := readJSON(raw, p)
	if s.Beyond = beyondDouble(value); s.Beyond {
		value = nil
	}
	switch {
	case value != nil:
		s.JSON = value
	case utf8.Valid(raw):
		s.Text = string(raw)
	case isNearlyText(raw):
		s.Text = jsontext.ValidUTF8(string(raw))
		s.Replaced = (int64(len(s.Text)) - s.Bytes) / int64(replacementGrowth)
	default:
		s.Binary = raw
	}
	if err != nil {
		return err
	}
	return nil
}

// lineCount returns the number of newlines, plus one for an unfinished last line.
func lineCount(raw []byte) int64 {
	n := int64(bytes.Count(raw, []byte{'\n'}))
	if len(raw) > 0 && raw[len(raw)-1] != '\n' {
		n++
	}
	return n
}

// readJSON takes raw as p says. No value and no error mean text.
func readJSON(raw []byte, p Parse) (json.RawMessage, *ParseError) {
	switch p {
	case ParseAuto:
		if k := jsontext.Kind(raw); k != '{' && k != '[' {
			return nil, nil
		}
		value, _ := strictJSON(raw)
		return value, nil
	case ParseJSON:
		return strictJSON(raw)
	case ParseNDJSON:
		return strictNDJSON(raw)
	}
	return nil, nil
}

// beyondDouble reports whether a JSON value has a number that no double holds, such as 1e400:
// readers take it for infinity, or refuse the document.
func beyondDouble(value []byte) bool {
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '"':
			for i++; i < len(value) && value[i] != '"'; i++ {
				if value[i] == '\\' {
					i++
				}
			}
		case c == '-' || '0' <= c && c <= '9':
			from := i
			exponent := false
			for i < len(value) && strings.IndexByte("+-.eE0123456789", value[i]) >= 0 {
				exponent = exponent || value[i]|0x20 == 'e'
				i++
			}
			if exponent || i-from > 300 {
				if _, err := strconv.ParseFloat(string(value[from:i]), 64); err != nil {
					return true
				}
			}
			i--
		}
	}
	return false
}

// strictJSON returns the one value in raw, as it was spelled.
func strictJSON(raw []byte) (json.RawMessage, *ParseError) {
	if f := jsontext.Check(raw, maxDepth, nil); f != nil {
		return nil, &ParseError{f.Offset, f.Text}
	}
	return json.RawMessage(jsontext.TrimSpace(raw)), nil
}

// strictNDJSON returns an array of the values in raw, one a line. Empty lines are
// passed over.
func strictNDJSON(raw []byte) (json.RawMessage, *ParseError) {
	list := []byte{'['}
	offset := 0
	for line := range bytes.Lines(raw) {
		if len(jsontext.TrimSpace(line)) > 0 {
			value, err := strictJSON(line)
			if err != nil {
				err.Offset += int64(offset)
				return nil, err
			}
			if len(list) > 1 {
				list = append(list, ',')
			}
			list = append(list, value...)
		}
		offset += len(line)
	}
	return append(list, ']'), nil
}

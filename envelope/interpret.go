package envelope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// maxDepth is the deepest nesting of arrays and objects that is taken as JSON.
// Common readers stop at 256 levels, and the envelope around it needs a few.
const maxDepth = 200

// A ParseError means that a stream is not the JSON that was asked for.
type ParseError struct {
	Offset int64  // position in the stream in bytes
	Reason string // what is wrong at Offset
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

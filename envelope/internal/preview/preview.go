// Package preview samples the content of an artifact for its summary.
package preview

import (
	"encoding/json"
	"slices"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// Bounds of a preview, serialized.
const (
	MaxBytes = 1 << 10
	MaxKeys  = 20
	EndBytes = 256 // bytes of both ends of a text
	maxText  = 64  // characters of a long string in a sample record
)

// A Preview is the sample of an artifact's content.
type Preview struct {
	Head         string          `json:"head,omitempty" doc:"the beginning of a text"`
	Tail         string          `json:"tail,omitempty" doc:"the end of a text"`
	FirstKeys    []string        `json:"first_keys,omitempty" doc:"names of the first members of an object, or of the first record"`
	SampleRecord json.RawMessage `json:"sample_record,omitempty" doc:"the first record of an array or of NDJSON"`
	Rest         wire.Fields     `json:",inline" is:"open"`
}

// JSON returns a sample of a JSON value, of which only the beginning may be at hand,
// within n bytes: the first names of an object, and of an array of objects the
// first record with long values cut short.
func JSON(raw json.RawMessage, n int) json.RawMessage {
	record, array := raw, false
	if jsontext.Kind(raw) == '[' {
		array = true
		record = nil
		for _, element := range jsontext.Elements(raw) {
			record = element
			break
		}
	}
	p := Preview{}
	if jsontext.Kind(record) == '{' {
		p.FirstKeys = firstKeys(record, n/3)
		if array {
			p.SampleRecord = sampleRecordOf(record, n-n/3-64)
		}
	}
	return wire.MustEncode(&p)
}

// firstKeys returns the first names of an object, within n bytes.
func firstKeys(object json.RawMessage, n int) []string {
	var keys []string
	for name := range jsontext.Members(object) {
		name = wire.Shorten(name, maxText)
		if n -= len(jsontext.AppendString(nil, name)) + 1; n < 0 || len(keys) == MaxKeys {
			break
		}
		keys = append(keys, name)
	}
	return keys
}

// sampleRecordOf returns an object within n bytes: long strings are cut, and large nested
// values and members without room are left out.
func sampleRecordOf(object json.RawMessage, n int) json.RawMessage {
	if len(object) <= n && jsontext.Valid(object) {
		return object
	}
	var sample wire.Fields
	for name, value := range jsontext.Members(object) {
		value = sampleValueOf(value)
		size := len(jsontext.AppendString(nil, name)) + len(value) + 2
		if value == nil || size > n {
			continue
		}
		n -= size
		sample.Add(name, value)
	}
	return wire.MustEncode(sample)
}

func sampleValueOf(value json.RawMessage) json.RawMessage {
	if !jsontext.Valid(value) {
		return nil // only its beginning is at hand
	}
	switch jsontext.Kind(value) {
	case '"':
		return jsontext.AppendString(nil, wire.Shorten(string(jsontext.Unquote(value)), maxText))
	case '{', '[':
		if len(value) > 2*maxText {
			return nil
		}
	}
	return slices.Clone(value)
}

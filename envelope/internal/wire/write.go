package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// A writer spells wire structs as compact JSON. Unlike encoding/json it escapes
// nothing for HTML, writes members that have no field, and leaves nested JSON
// as it was spelled but for white space between its parts.
type writer struct {
	b   []byte
	err error // the first raw value that was no JSON
}

// Encode returns v, a pointer to a wire struct, as JSON.
func Encode(v any) ([]byte, error) {
	w := writer{b: make([]byte, 0, 1024)}
	w.value(reflect.ValueOf(v))
	return w.b, w.err
}

func (w *writer) value(v reflect.Value) {
	if !v.IsValid() {
		w.b = append(w.b, "null"...)
		return
	}
	switch v.Type() {
	case rawType:
		w.raw(v.Bytes())
		return
	case FieldsType:
		w.fields(v.Interface().(Fields))
		return
	case bytesType:
		w.base64(v.Bytes())
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		w.object(v)
	case reflect.Slice:
		w.list(v)
	case reflect.Map:
		w.counts(v.Interface().(map[string]int))
	case reflect.Pointer, reflect.Interface:
		w.value(v.Elem())
	default:
		w.scalar(v)
	}
}

func (w *writer) scalar(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		w.b = jsontext.AppendString(w.b, v.String())
	case reflect.Bool:
		w.b = strconv.AppendBool(w.b, v.Bool())
	case reflect.Int, reflect.Int64:
		w.b = strconv.AppendInt(w.b, v.Int(), 10)
	case reflect.Float64:
		w.b = jsontext.AppendFloat(w.b, v.Float(), v.Type() == reflect.TypeFor[Decimal]())
	default:
		w.err = fmt.Errorf("spell a %s as JSON: no such kind", v.Type())
	}
}

func (w *writer) object(v reflect.Value) {
	s := OutlineOf(v.Type())
	w.b = append(w.b, '{')
	for i := range s.Members {
		m := &s.Members[i]
		f := v.Field(m.index)
		if m.optional && isAbsent(f) {
			continue
		}
		w.name(m.Name)
		w.value(f)
	}
	if s.rest >= 0 {
		w.members(v.Field(s.rest).Interface().(Fields), s)
	}
	w.b = append(w.b, '}')
}

// members writes members that have no field. The name of a field, in whatever
// case, and a name that was there before are left out: readers would disagree
// on which one counts.
func (w *writer) members(list Fields, s *Shape) {
	const few = 16 // names that are as soon looked through as put into a map
	seen := map[string]bool(nil)
	if len(list) > few {
		seen = make(map[string]bool, len(list))
	}
	for i, f := range list {
		repeated := seen[f.Name] || seen == nil && list[:i].index(f.Name) >= 0
		if seen != nil {
			seen[f.Name] = true
		}
		if repeated || s != nil && s.fold([]byte(f.Name)) >= 0 {
			continue
		}
		w.name(f.Name)
		w.raw(f.Value)
	}
}

// isAbsent reports whether an optional member is left out: its zero value, or
// an empty list. An object that is there and has no members stays.
func isAbsent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0 && (v.IsNil() || v.Type() != FieldsType)
	}
	return v.IsZero()
}

func (w *writer) fields(list Fields) {
	w.b = append(w.b, '{')
	w.members(list, nil)
	w.b = append(w.b, '}')
}

func (w *writer) list(v reflect.Value) {
	w.b = append(w.b, '[')
	for i := range v.Len() {
		w.comma()
		w.value(v.Index(i))
	}
	w.b = append(w.b, ']')
}

func (w *writer) counts(m map[string]int) {
	w.b = append(w.b, '{')
	for _, name := range slices.Sorted(maps.Keys(m)) {
		w.name(name)
		w.b = strconv.AppendInt(w.b, int64(m[name]), 10)
	}
	w.b = append(w.b, '}')
}

func (w *writer) base64(p []byte) {
	w.b = append(w.b, '"')
	w.b = base64.StdEncoding.AppendEncode(w.b, p)
	w.b = append(w.b, '"')
}

func (w *writer) name(name string) {
	w.comma()
	w.b = jsontext.AppendString(w.b, name)
	w.b = append(w.b, ':')
}

// comma separates from what precedes, if anything does.
func (w *writer) comma() {
	if last := w.b[len(w.b)-1]; last != '{' && last != '[' {
		w.b = append(w.b, ',')
	}
}

// raw writes a JSON value without the white space between its parts.
func (w *writer) raw(p json.RawMessage) {
	if !jsontext.Valid(p) {
		w.err = fmt.Errorf("embed JSON: %d bytes that are no JSON value", len(p))
		p = json.RawMessage("null")
	}
	if !utf8.Valid(p) {
		p = json.RawMessage(jsontext.ValidUTF8(string(p)))
	}
	w.b = jsontext.AppendCompact(w.b, p)
}

// A Decimal is a number that is always written with a fraction, 120.0 for 120, as
// Python does, from which agent-response/v1 comes.
type Decimal float64

// EncodeObject returns f as a JSON object, which may be empty.
func EncodeObject(f Fields) json.RawMessage {
	if len(f) == 0 {
		return json.RawMessage("{}")
	}
	return MustEncode(f)
}

// Indent returns doc with two spaces for each level.
func Indent(doc []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(doc) * 5 / 4)
	if json.Indent(&b, doc, "", "  ") != nil {
		return doc
	}
	return b.Bytes()
}

// EncodeValue returns v as JSON, or nil if it is the zero value of its type.
func EncodeValue(v any) json.RawMessage {
	if rv := reflect.ValueOf(v); !rv.IsValid() || isAbsent(rv) {
		return nil
	}
	return MustEncode(v)
}

// MustEncode returns v as JSON. If v contains invalid JSON the result is invalid, too,
// so that encoding what it is embedded in fails.
func MustEncode(v any) json.RawMessage {
	raw, err := Encode(v)
	if err != nil {
		return nil
	}
	return raw
}

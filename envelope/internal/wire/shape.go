package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// A decoder reads well-formed JSON into a wire struct and reports all in which
// the two differ. Faults do not stop it: all correct members are read.
type decoder struct {
	Problems
	path []jsontext.Step // to the value being read
}

func (s *decoder) pointer() string { return jsontext.Pointer(s.path) }

func (s *decoder) fault(rule, format string, args ...any) {
	s.Add(s.pointer(), rule, format, args...)
}

// enter goes one level deeper; leave comes back.
func (s *decoder) enter(at jsontext.Step) { s.path = append(s.path, at) }
func (s *decoder) leave()                 { s.path = s.path[:len(s.path)-1] }

// into reads a whole document into a wire struct.
func (s *decoder) into(raw json.RawMessage, w any) {
	v := reflect.ValueOf(w).Elem()
	s.value(raw, v, &member{memberType: memberTypeOf(v.Type())})
}

// value reads raw into v, which must be settable.
func (s *decoder) value(raw json.RawMessage, v reflect.Value, m *member) {
	if string(raw) == "null" && s.null(v, m) {
		return
	}
	switch v.Type() {
	case rawType:
		v.SetBytes(raw)
		return
	case FieldsType:
		if s.is(raw, '{', "an object") {
			v.Set(reflect.ValueOf(append(Fields{}, FieldsIn(raw)...)))
		}
		return
	case bytesType:
		s.base64(raw, v)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		s.value(raw, v.Elem(), m)
	case reflect.Interface:
		if m.object && !s.is(raw, '{', "an object") {
			return
		}
		v.Set(reflect.ValueOf(raw))
	case reflect.Struct:
		if s.is(raw, '{', "an object") {
			s.object(raw, v)
		}
	case reflect.Slice:
		s.list(raw, v, m)
	case reflect.Map:
		s.counts(raw, v)
	default:
		s.scalar(raw, v, m.Limits)
	}
}

// null takes null where it is allowed, and reports whether that is the end of it.
func (s *decoder) null(v reflect.Value, m *member) bool {
	switch {
	case v.Type() == rawType && !m.present, v.Kind() == reflect.Interface && !m.object:
		return false
	case v.Kind() == reflect.Pointer && (!m.optional || m.nullable):
		return true
	}
	s.fault("member/null", "null is where %s should be", m.wanted())
	return true
}

// is reports whether raw is the kind of value that begins with first.
func (s *decoder) is(raw json.RawMessage, first byte, want string) bool {
	if jsontext.Kind(raw) == first {
		return true
	}
	s.fault("member/type", "%s is where %s should be", Found(raw), want)
	return false
}

func (s *decoder) object(raw json.RawMessage, v reflect.Value) {
	o := s.begin(v)
	for name, value := range jsontext.RawMembers(raw) {
		o.member(name, value)
	}
	o.end()
}

// members reads an object that has been taken apart already.
func (s *decoder) members(list jsontext.Object, v reflect.Value) {
	o := s.begin(v)
	for _, m := range list {
		before := o.next
		if o.member(m.Name, m.Value); o.next < before && s.Late == "" {
			s.Late = string(m.Name)
		}
	}
	o.end()
}

// An objectDecoder reads one object into a wire struct.
type objectDecoder struct {
	*decoder
	shape *Shape
	into  reflect.Value
	seen  [fewMembers]bool
	next  int // the member that is expected
	rest  Fields
}

// fewMembers is the most members that a wire struct may have.
const fewMembers = 48

func (s *decoder) begin(v reflect.Value) objectDecoder {
	return objectDecoder{decoder: s, shape: ShapeOf(v.Type()), into: v}
}

func (o *objectDecoder) member(name []byte, value json.RawMessage) {
	i := o.shape.Index(name, o.next)
	o.enter(jsontext.Step{Name: name, Index: -1})
	switch {
	case i < 0:
		o.stray(o.shape, name)
		o.rest = append(o.rest, Field{string(name), value})
	case !o.seen[i]: // the Reader has reported others
		o.seen[i], o.next = true, i+1
		o.value(value, o.into.Field(o.shape.Members[i].index), &o.shape.Members[i])
	}
	o.leave()
}

func (o *objectDecoder) end() {
	o.missing(o.shape, o.seen[:len(o.shape.Members)])
	if o.shape.rest >= 0 && o.rest != nil {
		o.into.Field(o.shape.rest).Set(reflect.ValueOf(o.rest))
	}
}

// missing reports the required members that were not seen.
func (s *decoder) missing(sh *Shape, seen []bool) {
	for i := range sh.Members {
		if m := &sh.Members[i]; !seen[i] && !m.optional && !m.nullable {
			s.enter(jsontext.Step{Name: []byte(m.Name), Index: -1})
			s.fault("member/missing", "the member is missing; it must be %s", m.wanted())
			s.leave()
		}
	}
}

// stray looks at a member that has no field: it may be one in the wrong case.
func (s *decoder) stray(sh *Shape, name []byte) {
	switch i := sh.fold(name); {
	case i >= 0:
		s.fault("member/case", "the name is spelled %q", sh.Members[i].Name)
	case sh.rest < 0:
		s.fault("member/unknown", "the format has no such member")
	case s.Strict && !sh.open:
		s.fault("member/unknown", "the document does not name this member")
	}
}

func (s *decoder) list(raw json.RawMessage, v reflect.Value, m *member) {
	if !s.is(raw, '[', "an array") {
		return
	}
	n := 0
	for range jsontext.Elements(raw) {
		n++
	}
	list := reflect.MakeSlice(v.Type(), n, n)
	for i, element := range jsontext.Elements(raw) {
		s.enter(jsontext.Step{Index: i})
		s.value(element, list.Index(i), m.element)
		s.leave()
	}
	v.Set(list)
}

// counts reads an object of non-negative integers.
func (s *decoder) counts(raw json.RawMessage, v reflect.Value) {
	if !s.is(raw, '{', "an object") {
		return
	}
	out := map[string]int{}
	for name, value := range jsontext.Members(raw) {
		var n Count
		s.enter(jsontext.Step{Name: []byte(name), Index: -1})
		s.into(value, &n)
		s.leave()
		out[name] = int(n)
	}
	v.Set(reflect.ValueOf(out))
}

func (s *decoder) base64(raw json.RawMessage, v reflect.Value) {
	if !s.is(raw, '"', "a string") {
		return
	}
	p, err := base64.StdEncoding.Strict().DecodeString(string(jsontext.Unquote(raw)))
	if err != nil {
		s.fault("value/base64", "the text is not padded standard base64: %v", err)
		return
	}
	v.SetBytes(p)
}

func (s *decoder) scalar(raw json.RawMessage, v reflect.Value, l *Limits) {
	switch v.Kind() {
	case reflect.String:
		if s.is(raw, '"', "a string") {
			v.SetString(string(jsontext.Unquote(raw)))
			s.limit(v, l)
		}
	case reflect.Bool:
		if b := string(raw); b != "true" && b != "false" {
			s.fault("member/type", "%s is where true or false should be", Found(raw))
		} else {
			v.SetBool(b == "true")
		}
	case reflect.Int, reflect.Int64:
		s.integer(raw, v, l)
	case reflect.Float64:
		s.float(raw, v, l)
	}
}

func (s *decoder) integer(raw json.RawMessage, v reflect.Value, l *Limits) {
	if !s.is(raw, 0, "an integer") {
		return
	}
	if bytes.ContainsAny(raw, ".eE") {
		s.fault("member/type", "%s is where an integer should be, in digits only", raw)
		return
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		s.fault("value/range", "%s is out of range", Found(raw))
		return
	}
	v.SetInt(n)
	s.limit(v, l)
}

func (s *decoder) float(raw json.RawMessage, v reflect.Value, l *Limits) {
	if !s.is(raw, 0, "a number") {
		return
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		s.fault("value/range", "%s is out of range", Found(raw))
		return
	}
	v.SetFloat(f)
	s.limit(v, l)
}

// limit checks the limits of v's type, where it has some.
func (s *decoder) limit(v reflect.Value, l *Limits) {
	if l == nil {
		return
	}
	var within bool
	switch {
	case v.CanInt():
		within = v.Int() >= l.min && (l.max == 0 || v.Int() <= l.max)
	case v.Kind() == reflect.Float64:
		within = v.Float() >= float64(l.min)
	case l.Enum != nil:
		within = slices.Contains(l.Enum, v.String())
	default:
		within = l.ok(v.String()) || !s.Strict && l.lenient != nil && l.lenient(v.String())
	}
	if !within {
		s.fault(l.rule, "%s is where %s should be", shownValue(v), l.Want)
	}
}

func shownValue(v reflect.Value) string {
	if v.Kind() == reflect.String {
		return strconv.Quote(Shorten(v.String(), 80))
	}
	return fmt.Sprint(v.Interface())
}

// Found names a JSON value for a fault's text.
func Found(raw json.RawMessage) string {
	switch jsontext.Kind(raw) {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	}
	return Shorten(string(raw), 40)
}

// RawIn returns the JSON that was read into a field of type any.
func RawIn(v any) json.RawMessage {
	raw, _ := v.(json.RawMessage)
	return raw
}

// ReadInto reads raw into a wire struct and reports whether there was no problem.
func ReadInto(raw json.RawMessage, into any) bool {
	return new(Problems).Sub("", raw, into)
}

// Sub reads raw, which is at pointer, into another wire struct, adds its faults, and
// reports whether there were none.
func (p *Problems) Sub(pointer string, raw json.RawMessage, into any) bool {
	var room [8]jsontext.Step
	s := decoder{Problems: Problems{Strict: p.Strict}, path: room[:0]}
	s.into(raw, into)
	return p.adopt(pointer, s.Faults)
}

// SubMembers is like [Problems.Sub] for the members of an object.
func (p *Problems) SubMembers(pointer string, list jsontext.Object, into any) bool {
	var room [8]jsontext.Step
	s := decoder{Problems: Problems{Strict: p.Strict}, path: room[:0]}
	s.members(list, reflect.ValueOf(into).Elem())
	return p.adopt(pointer, s.Faults)
}

// adopt adds the faults of the value at pointer and reports whether it has none.
func (p *Problems) adopt(pointer string, faults []Fault) bool {
	for _, f := range faults {
		f.Pointer = pointer + f.Pointer
		p.Faults = append(p.Faults, f)
	}
	return len(faults) == 0
}

// ReadDocument reads doc, a document with the outermost members top if it is an
// object, into a wire struct.
func (p *Problems) ReadDocument(doc []byte, top jsontext.Object, into any) {
	var room [8]jsontext.Step
	s := decoder{Problems: *p, path: room[:0]}
	if jsontext.Kind(doc) == '{' {
		s.members(top, reflect.ValueOf(into).Elem())
	} else {
		s.into(jsontext.TrimSpace(doc), into)
	}
	*p = s.Problems
}

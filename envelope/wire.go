package envelope

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// A wire type is a struct whose fields are the members of one JSON object, in
// the order of the dialect's document. It is all there is to a format: [write]
// spells it, [shaper] reads and checks it, and the schema is made from it.
//
//	`json:"name"`            a required member
//	`json:"name,omitempty"`  an optional one: left out where it is zero
//	`json:",inline"`         Fields: the members that have no field
//	`is:"object"`            a field of any type whose value is an object
//	`is:"open"`              inline Fields that are the document's own extension
//	                         point, so that no name in them is strange
//	`is:"nullable"`          a pointer that may be null or missing alike
//	`is:"unsigned"`          a number that is not negative
//	`is:"present"`           a field of any type whose value is not null
//
// A pointer that is no omitempty may be null. Named types with limits (see
// limited) say which values they take.
type wire interface {
	fill(v *view)      // makes the document of a record
	check(p *problems) // tells what is wrong with it beyond its shape
	result() *Result   // the record, with the payload as it is
	run() *Result      // the run of envwrap's own that it may tell of, or nil
}

// A member is one field of a wire struct.
type member struct {
	name     string
	index    int
	optional bool
	memberType
	object   bool
	nullable bool
	present  bool // and not null, though of any type
	doc      string
}

// A memberType is what can be said of a member by its type alone.
type memberType struct {
	typ     reflect.Type
	limits  *limits // of its values, behind pointers; nil is none
	element *member // of a slice, behind pointers
}

func memberTypeOf(t reflect.Type) memberType {
	m := memberType{typ: t}
	t = baseOf(t)
	if t.Kind() == reflect.Slice && t != bytesType && t != rawType && t != fieldsType {
		m.element = &member{memberType: memberTypeOf(t.Elem())}
	}
	m.limits = limitOf(t)
	return m
}

// baseOf is a type without its pointers.
func baseOf(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// A shape is what a wire struct says about its object.
type shape struct {
	members []member
	rest    int // index of the inline Fields, or -1

	detailed sync.Once
	open     bool // the rest is the document's own extension point
}

var shapes sync.Map // reflect.Type → *shape

// shapeOf is the shape of a wire struct.
func shapeOf(t reflect.Type) *shape {
	s := outlineOf(t)
	s.detailed.Do(func() { s.detail(t) })
	return s
}

// outlineOf is the shape as far as writing needs it: the names of the members,
// their places, and which are optional. A run writes a few documents of many
// types and mostly reads none, so the rest is left until somebody asks.
func outlineOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s := &shape{rest: -1, members: make([]member, 0, t.NumField())}
	for i := range t.NumField() {
		name, option, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		switch {
		case option == "inline":
			s.rest = i
		case name != "" && name != "-":
			s.members = append(s.members, member{name: name, index: i, optional: option == "omitempty"})
		}
	}
	known, _ := shapes.LoadOrStore(t, s)
	return known.(*shape)
}

// detail adds what reading and the schema need. Writers that go through the
// members meanwhile look at none of it.
func (s *shape) detail(t reflect.Type) {
	if s.rest >= 0 {
		s.open = t.Field(s.rest).Tag.Get("is") == "open"
	}
	for i := range s.members {
		m := &s.members[i]
		f := t.Field(m.index)
		m.memberType = memberTypeOf(f.Type)
		is := f.Tag.Get("is")
		m.object, m.nullable, m.present, m.doc = is == "object", is == "nullable", is == "present", f.Tag.Get("doc")
		if is == "unsigned" {
			m.limits = &limits{rule: "value/range", want: wanted(baseOf(f.Type)) + " of at least 0"}
		}
	}
}

// index is the place of a member, -1 where there is none of that name. Members
// mostly stand in their order: it looks at next first.
func (s *shape) index(name []byte, next int) int {
	for i := next; i < len(s.members); i++ {
		if s.members[i].name == string(name) {
			return i
		}
	}
	for i := range s.members[:next] {
		if s.members[i].name == string(name) {
			return i
		}
	}
	return -1
}

// place is the index of a member; those that the struct does not name come last.
func (s *shape) place(name string) int {
	if i := s.index([]byte(name), 0); i >= 0 {
		return i
	}
	return len(s.members)
}

// fold is the place of the member whose name is the same but for case, or -1.
func (s *shape) fold(name []byte) int {
	for i := range s.members {
		if strings.EqualFold(s.members[i].name, string(name)) {
			return i
		}
	}
	return -1
}

var (
	rawType    = reflect.TypeFor[json.RawMessage]()
	fieldsType = reflect.TypeFor[Fields]()
	bytesType  = reflect.TypeFor[[]byte]()
	digestType = reflect.TypeFor[digest]()

	runType           = reflect.TypeFor[wireRun]()
	execType          = reflect.TypeFor[wireExec]()
	toolRunType       = reflect.TypeFor[toolRun]()
	agentMetadataType = reflect.TypeFor[agentMetadata]()
)

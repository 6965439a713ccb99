package envelope

import (
	"encoding/json"
	"reflect"
	"slices"
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
	typ      reflect.Type
	optional bool
	object   bool
	nullable bool
	doc      string
	limits   *limits // of its values, behind pointers; nil is none
	element  *member // of a slice, behind pointers
}

// memberOf is what can be said of a member by its type alone.
func memberOf(t reflect.Type) member {
	m := member{typ: t}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Slice && t != bytesType && t != rawType && t != fieldsType {
		element := memberOf(t.Elem())
		m.element = &element
	}
	m.limits = limitOf(t)
	return m
}

// A shape is what a wire struct says about its object.
type shape struct {
	members []member
	rest    int  // index of the inline Fields, or -1
	open    bool // the rest is the document's own extension point
}

var shapes sync.Map // reflect.Type → *shape

func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s := &shape{rest: -1}
	for i := range t.NumField() {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case option == "inline":
			s.rest, s.open = i, f.Tag.Get("is") == "open"
		case name != "" && name != "-":
			m := memberOf(f.Type)
			m.name, m.index, m.optional = name, i, option == "omitempty"
			m.object, m.nullable, m.doc = f.Tag.Get("is") == "object", f.Tag.Get("is") == "nullable", f.Tag.Get("doc")
			s.members = append(s.members, m)
		}
	}
	shapes.Store(t, s)
	return s
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

// fold is the place of the member whose name is the same but for case, or -1.
func (s *shape) fold(name []byte) int {
	return slices.IndexFunc(s.members, func(m member) bool { return strings.EqualFold(m.name, string(name)) })
}

var (
	rawType    = reflect.TypeFor[json.RawMessage]()
	fieldsType = reflect.TypeFor[Fields]()
	bytesType  = reflect.TypeFor[[]byte]()
	digestType = reflect.TypeFor[digest]()
)

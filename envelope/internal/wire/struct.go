package wire

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// A member is one field of a wire struct.
type member struct {
	Name     string
	index    int
	optional bool
	memberType
	object   bool
	nullable bool
	present  bool // and not null, though of any type
	Doc      string
}

// A memberType describes a member by its type alone.
type memberType struct {
	Typ     reflect.Type
	Limits  *Limits // of its values, without pointers; nil if any value is valid
	element *member // of a slice, without pointers
}

func memberTypeOf(t reflect.Type) memberType {
	m := memberType{Typ: t}
	t = baseOf(t)
	if t.Kind() == reflect.Slice && t != bytesType && t != rawType && t != FieldsType {
		m.element = &member{memberType: memberTypeOf(t.Elem())}
	}
	m.Limits = limitOf(t)
	return m
}

// baseOf returns a type without its pointers.
func baseOf(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// A Shape is the description of an object that a wire struct gives.
type Shape struct {
	Members []member
	rest    int // index of the inline Fields, or -1

	detailed sync.Once
	open     bool // the rest is the document's own extension point
}

var shapes sync.Map // reflect.Type → *shape

// ShapeOf returns the shape of a wire struct.
func ShapeOf(t reflect.Type) *Shape {
	s := OutlineOf(t)
	s.detailed.Do(func() { s.detail(t) })
	return s
}

// OutlineOf returns the part of a shape that writing needs: the names of the members,
// their order, and which are optional. It is faster than [ShapeOf], since a run writes
// few documents and mostly reads none.
func OutlineOf(t reflect.Type) *Shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*Shape)
	}
	s := &Shape{rest: -1, Members: make([]member, 0, t.NumField())}
	for i := range t.NumField() {
		name, option, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		switch {
		case option == "inline":
			s.rest = i
		case name != "" && name != "-":
			s.Members = append(s.Members, member{Name: name, index: i, optional: option == "omitempty"})
		}
	}
	known, _ := shapes.LoadOrStore(t, s)
	return known.(*Shape)
}

// detail adds what reading and the schema need. Writers that use the shape at the
// same time read only its members.
func (s *Shape) detail(t reflect.Type) {
	if s.rest >= 0 {
		s.open = t.Field(s.rest).Tag.Get("is") == "open"
	}
	for i := range s.Members {
		m := &s.Members[i]
		f := t.Field(m.index)
		m.memberType = memberTypeOf(f.Type)
		is := f.Tag.Get("is")
		m.object, m.nullable, m.present, m.Doc = is == "object", is == "nullable", is == "present", f.Tag.Get("doc")
		if is == "unsigned" {
			m.Limits = &Limits{rule: "value/range", Want: wanted(baseOf(f.Type)) + " of at least 0"}
		}
	}
}

// Index returns the index of a member, or -1 if no member has that name. Since
// members are mostly in order it tries next first.
func (s *Shape) Index(name []byte, next int) int {
	for i := next; i < len(s.Members); i++ {
		if s.Members[i].Name == string(name) {
			return i
		}
	}
	for i := range s.Members[:next] {
		if s.Members[i].Name == string(name) {
			return i
		}
	}
	return -1
}

// Place returns the index of a member, or, if the struct has no field for it, one after
// all others.
func (s *Shape) Place(name string) int {
	if i := s.Index([]byte(name), 0); i >= 0 {
		return i
	}
	return len(s.Members)
}

// fold returns the place of the member whose name is the same but for case, or -1.
func (s *Shape) fold(name []byte) int {
	for i := range s.Members {
		if strings.EqualFold(s.Members[i].Name, string(name)) {
			return i
		}
	}
	return -1
}

var (
	rawType = reflect.TypeFor[json.RawMessage]()

	// FieldsType is the type of Fields.
	FieldsType = reflect.TypeFor[Fields]()
	bytesType  = reflect.TypeFor[[]byte]()
)

// wanted names a Go type as JSON has it.
func wanted(t reflect.Type) string {
	switch t {
	case rawType:
		return "a value"
	case FieldsType:
		return "an object"
	case bytesType:
		return "a string"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return wanted(t.Elem()) + " or null"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Interface:
		return "a value"
	case reflect.Slice:
		return "an array"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.Float64:
		return "a number"
	}
	return "a string"
}

// wanted names what a member must be.
func (m *member) wanted() string {
	if m.object {
		return "an object"
	}
	return wanted(m.Typ)
}

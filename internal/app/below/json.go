package below

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// The functions of this file edit a JSON document as text: what they do not
// change stays byte for byte.

// A member is a name and its value in an object, or a value in an array, by
// offsets in the document.
type member struct {
	name       string
	begin, end int // with the name
	value      int // where the value begins
}

// children returns the members of the object or the elements of the array that
// begins at an offset, and the offset of its last bracket. The document has to be
// valid.
func children(doc []byte, at int) (list []member, last int) {
	isObject := doc[at] == '{'
	at++
	for {
		at = jsontext.SkipSpace(doc, at)
		switch doc[at] {
		case '}', ']':
			return list, at
		case ',':
			at++
			continue
		}
		m := member{begin: at}
		if isObject {
			end := jsontext.Skip(doc, at)
			m.name = string(jsontext.Unquote(doc[at:end]))
			at = jsontext.SkipSpace(doc, jsontext.SkipSpace(doc, end)+1) // after the colon
		}
		m.value = at
		at = jsontext.Skip(doc, at)
		m.end = at
		list = append(list, m)
	}
}

// find returns the member with a name. The last of several counts, as it does
// for the agents.
func find(list []member, name string) (member, bool) {
	for _, m := range slices.Backward(list) {
		if m.name == name {
			return m, true
		}
	}
	return member{}, false
}

// checkJSON makes sure that a JSON document is an object; an empty one becomes {}.
func checkJSON(doc []byte) ([]byte, error) {
	if len(bytes.TrimSpace(doc)) == 0 {
		return []byte("{}\n"), nil
	}
	if doc[jsontext.SkipSpace(doc, 0)] != '{' {
		return nil, errors.New("it is no JSON object")
	}
	return doc, nil
}

// errNotJSON is the error for a document with comments, too.
var errNotJSON = errors.New("it is not JSON, perhaps because of comments")

// set gives the member at a path a value and creates the missing objects on the path. It
// changes a member with another value only if ours reports true for that value.
func set(doc []byte, path []string, value string, ours func(value []byte) bool) ([]byte, error) {
	at := jsontext.SkipSpace(doc, 0)
	for depth, name := range path {
		list, _ := children(doc, at)
		m, ok := find(list, name)
		switch last := depth == len(path)-1; {
		case !ok:
			for i := len(path) - 1; i > depth; i-- {
				value = `{"` + path[i] + `":` + value + "}"
			}
			return insert(doc, at, depth, `"`+name+`":`, value), nil
		case last && sameJSON(doc[m.value:m.end], value):
			return doc, nil
		case last && ours(doc[m.value:m.end]):
			return splice(doc, m.value, m.end, value), nil
		case last:
			return nil, fmt.Errorf("%s is set to %s already: take that out first", strings.Join(path, "."), doc[m.value:m.end])
		case doc[m.value] != '{':
			return nil, fmt.Errorf("%s is no object", strings.Join(path[:depth+1], "."))
		}
		at = m.value
	}
	return doc, nil
}

// sameJSON reports whether two JSON texts differ in nothing but space.
func sameJSON(a []byte, b string) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, []byte(b)) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// unset takes out the member at a path if it is ours, and the objects that are left empty
// by that.
func unset(doc []byte, path []string, ours func(value []byte) bool) []byte {
	begin, end, ok := unsetIn(doc, jsontext.SkipSpace(doc, 0), path, ours)
	if !ok {
		return doc
	}
	kept := doc[begin : begin+bytes.IndexByte(doc[begin:end], '"')]
	if !bytes.Contains(kept, []byte("\r")) { // no comment is in it
		kept = nil
	}
	return splice(doc, begin, end, string(bytes.TrimRight(bytes.Replace(kept, []byte(","), nil, 1), " \t\n")))
}

// unsetIn finds the largest part of the object at an offset that goes with the member.
func unsetIn(doc []byte, at int, path []string, ours func([]byte) bool) (begin, end int, ok bool) {
	list, last := children(doc, at)
	i := slices.IndexFunc(list, func(m member) bool { return m.name == path[0] })
	if i < 0 {
		return 0, 0, false
	}
	m := list[i]
	if len(path) > 1 {
		if doc[m.value] != '{' {
			return 0, 0, false
		}
		begin, end, ok = unsetIn(doc, m.value, path[1:], ours)
		if !ok || begin > m.value+1 || end < m.end-1 { // more is left in it
			return begin, end, ok
		}
	} else if !ours(doc[m.value:m.end]) {
		return 0, 0, false
	}
	begin, end = withComma(list, i, at, last)
	return begin, end, true
}

// withComma returns the range of member i of the object or array that begins at an offset,
// with the comma beside it. It is all from bracket to bracket, at last, if no other is left.
func withComma(list []member, i, at, last int) (begin, end int) {
	switch {
	case len(list) == 1:
		return at + 1, last
	case i > 0:
		return list[i-1].end, list[i].end
	}
	return list[0].begin, list[1].begin
}

// jsonString returns a text as a JSON string.
func jsonString(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string always has a form
	return strings.TrimSuffix(b.String(), "\n")
}

// insert puts a value at the end of the object or array that begins at an
// offset, within depth others, laid out as the document is.
func insert(doc []byte, at, depth int, name, value string) []byte {
	list, last := children(doc, at)
	unit := indentation(doc)
	level := strings.Repeat(unit, depth+1)
	var layout bytes.Buffer
	_ = json.Indent(&layout, []byte(value), level, unit)
	if name != "" {
		name += " "
	}
	text := "\n" + level + name + layout.String()
	if len(list) > 0 {
		end := list[len(list)-1].end
		line, _, _ := bytes.Cut(doc[end:], []byte("\n"))
		if comment := string(line); strings.Contains(comment, "\r") && strings.Trim(comment, " \t\r") == "" {
			return splice(doc, end, end+len(line), ","+comment+text)
		}
		return splice(doc, end, end, ","+text)
	}
	return splice(doc, at+1, last, text+"\n"+strings.TrimSuffix(level, unit))
}

// indentation returns what the document puts before the members of its object, where
// the first has a line of its own.
func indentation(doc []byte) string {
	list, _ := children(doc, jsontext.SkipSpace(doc, 0))
	if len(list) == 0 {
		return "  "
	}
	line := doc[:list[0].begin]
	i := bytes.LastIndexByte(line, '\n')
	if i < 0 || len(line) == i+1 || len(bytes.TrimLeft(line[i+1:], " \t")) > 0 {
		return "  "
	}
	return string(line[i+1:])
}

// remove takes all entries that are ours out of the array at a path, and then
// the array and the objects around it that this leaves empty.
func remove(doc []byte, path []string, ours func(entry []byte) bool) []byte {
	for {
		begin, end, ok := removableRange(doc, jsontext.SkipSpace(doc, 0), path, ours)
		if !ok {
			return doc
		}
		doc = splice(doc, begin, end, "")
	}
}

// removableRange returns the largest range of doc that can be removed with an entry of ours.
func removableRange(doc []byte, at int, path []string, ours func([]byte) bool) (begin, end int, ok bool) {
	list, last := children(doc, at)
	for i, m := range list {
		var inner []string
		switch {
		case doc[at] == '[' && ours(doc[m.value:m.end]):
			begin, end = withComma(list, i, at, last)
			return begin, end, true
		case doc[at] == '[' && doc[m.value] == '{': // of a group of several hooks
			inner = []string{"hooks"}
		case doc[at] == '{' && len(path) > 0 && m.name == path[0] && (doc[m.value] == '{' || doc[m.value] == '['):
			inner = path[1:]
		default:
			continue
		}
		if begin, end, ok = removableRange(doc, m.value, inner, ours); !ok {
			continue
		}
		if begin <= m.value+1 && end >= m.end-1 { // nothing else is left in it
			begin, end = withComma(list, i, at, last)
		}
		return begin, end, true
	}
	return 0, 0, false
}

func splice(doc []byte, begin, end int, text string) []byte {
	return []byte(string(doc[:begin]) + text + string(doc[end:]))
}

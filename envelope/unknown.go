package envelope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/jsontext"
)

// unknownFaults returns what is wrong with a document that is in no known dialect: what
// it is instead, and where it begins as JSON and breaks, what breaks it.
func unknownFaults(text []byte) []wire.Fault {
	body := bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
	if k := jsontext.Kind(body); k != '{' && k != '[' && !isUTF16(text) {
		return []wire.Fault{unknownFault(describeScalar(body))}
	}
	doc := parse(text)
	defer doc.reader.Release()
	what := describeJSON(body)
	if what == "" || isUTF16(text) {
		what = "JSON that is broken"
	}
	return append([]wire.Fault{unknownFault(what)}, doc.faults...)
}

func unknownFault(what string) wire.Fault {
	return wire.Fault{Pointer: "", Rule: "format/unknown", Text: "the document is no known envelope: " + what + "; name the format"}
}

// describeScalar describes a document that begins neither as an object nor as an array.
func describeScalar(text []byte) string {
	if trimmed := bytes.TrimSpace(text); json.Valid(trimmed) {
		return "a single JSON " + kindName(trimmed)
	}
	return fmt.Sprintf("no JSON at byte %d", len(text)-len(bytes.TrimLeft(text, " \t\r\n")))
}

func kindName(text []byte) string {
	switch text[0] {
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// describeJSON describes the shape of a JSON object or array; it returns "" where text
// is not JSON.
func describeJSON(text []byte) string {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) == nil {
		return fmt.Sprintf("a JSON array of %d", len(list))
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return ""
	}
	return "a JSON object of no known shape" + memberList(slices.Sorted(maps.Keys(members)))
}

// Most names of members in a fault, and most bytes of each.
const (
	maxMembers    = 6
	maxMemberName = 40
)

func memberList(names []string) string {
	var shown []string
	for _, name := range names[:min(len(names), maxMembers)] {
		shown = append(shown, strconv.Quote(strings.ToValidUTF8(name[:min(len(name), maxMemberName)], "")))
	}
	switch {
	case len(names) == 0:
		return ", without members"
	case len(names) > maxMembers:
		return fmt.Sprintf(", with %s and %d more", strings.Join(shown, ", "), len(names)-maxMembers)
	}
	return ", with " + strings.Join(shown, ", ")
}

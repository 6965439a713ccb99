package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Scalar describes a document that begins neither as an object nor as an array.
func Scalar(text []byte) string {
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

// Shape describes a JSON object or array; it returns "" if text is not JSON.
func Shape(text []byte) string {
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

package query

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// truth reports whether v is neither null nor false.
func truth(v any) bool { return v != nil && v != false }

// typeName returns jq's name for the type of v.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// equal compares integers exactly, and other numbers as floating-point numbers.
func equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		if !ok || a == b || isInteger(a) && isInteger(b) {
			return ok && a == b
		}
		x, _ := a.Float64()
		y, _ := b.Float64()
		return x == y
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, equal)
	}
	switch b.(type) {
	case []any, map[string]any: // which Go does not compare
		return false
	}
	return a == b
}

// isInteger reports whether a number has one spelling only.
func isInteger(n json.Number) bool { return n != "-0" && !strings.ContainsAny(string(n), ".eE") }

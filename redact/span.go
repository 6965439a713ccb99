package redact

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// A span is a secret: text[start:end], found by rule.
type span struct {
	start, end int
	rule       string
}

// union sorts spans and makes one of those that overlap or touch, under the
// name of the first.
func union(spans []span) []span {
	if len(spans) < 2 {
		return spans
	}
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if s.start > last.end {
			out = append(out, s)
			continue
		}
		last.end = max(last.end, s.end)
	}
	return out
}

// whole escapes: a span that begins or ends within a backslash escape takes in
// all of it, or a JSON string would not stay one.
func align(b []byte, s span) span {
	if n := backslashes(b, s.start); n%2 == 1 {
		s.start--
	} else if i := bytes.LastIndexByte(b[max(0, s.start-5):s.start], 'u'); i >= 0 {
		if u := max(0, s.start-5) + i; backslashes(b, u)%2 == 1 && hexRun(b[u+1:min(len(b), u+5)]) == 4 {
			s.start = u - 1
		}
	}
	if n := backslashes(b, s.end); n%2 == 1 && s.end < len(b) && b[s.end] != '\n' {
		s.end++
		if b[s.end-1] == 'u' {
			s.end += hexRun(b[s.end:min(len(b), s.end+4)])
		}
	}
	return s
}

// backslashes counts the backslashes right before b[i].
func backslashes(b []byte, i int) int {
	n := 0
	for i-n > 0 && b[i-n-1] == '\\' {
		n++
	}
	return n
}

func hexRun(b []byte) int {
	n := 0
	for n < len(b) && is(b[n], hexDigit) {
		n++
	}
	return n
}

// bare reports that s is a number of a JSON document, outside of any string.
// Its mask needs quotes, or the document would not stay one.
func bare(b []byte, s span) bool {
	for _, c := range b[s.start:s.end] {
		if !is(c, digit) && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return false
		}
	}
	before := bytes.TrimRight(b[:s.start], " \t")
	after := bytes.TrimLeft(b[s.end:], " \t\r")
	if len(before) == 0 || len(after) > 0 && strings.IndexByte(",}]\n", after[0]) < 0 {
		return false
	}
	switch before[len(before)-1] {
	case '[', ',':
		return true
	case ':':
		before = bytes.TrimRight(before[:len(before)-1], " \t")
		return len(before) > 0 && before[len(before)-1] == '"' && backslashes(before, len(before)-1) == 0
	}
	return false
}

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

// align is s without what would break the text around it: an escape is taken
// in whole, so is a number of JSON, and a string of JSON is not left. known
// tells that s is a known value.
func align(b []byte, lo int, s span) span {
	if number(b[s.start:s.end]) {
		t := s
		t.start -= runBack(b[lo:t.start], numeric)
		t.end += run(b[t.end:], numeric)
		if bare(b, t) {
			return t
		}
	}
	if n := backslashes(b[lo:], s.start-lo); n%2 == 1 {
		s.start--
	} else if i := bytes.LastIndexByte(b[max(lo, s.start-5):s.start], 'u'); i >= 0 {
		u := max(lo, s.start-5) + i
		if backslashes(b[lo:], u-lo)%2 == 1 && run(b[u+1:min(len(b), u+5)], hexDigit) == 4 && s.start-u < 5 {
			s.start = u - 1
		}
	}
	if n := backslashes(b[lo:], s.end-lo); n%2 == 1 && s.end < len(b) && b[s.end] != '\n' && b[s.end] != '\r' {
		s.end++
	}
	if u := bytes.LastIndexByte(b[max(lo, s.end-5):s.end], 'u'); u >= 0 {
		u += max(lo, s.end-5)
		if backslashes(b[lo:], u-lo)%2 == 1 && run(b[u+1:min(len(b), u+5)], hexDigit) == 4 {
			s.end = max(s.end, u+5)
		}
	}
	return s
}

// numeric are the characters of a number of JSON.
const numeric = digit | dot | dash | plus

func number(b []byte) bool {
	for _, c := range b {
		if !is(c, digit|dot|dash) && c != '+' && c != 'e' && c != 'E' {
			return false
		}
	}
	return len(b) > 0
}

// backslashes counts the backslashes right before b[i].
func backslashes(b []byte, i int) int {
	n := 0
	for i-n > 0 && b[i-n-1] == '\\' {
		n++
	}
	return n
}

// bare reports that s is a number of a JSON document, outside of any string.
// Its mask needs quotes, or the document would not stay one.
func bare(b []byte, s span) bool {
	if !number(b[s.start:s.end]) {
		return false
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

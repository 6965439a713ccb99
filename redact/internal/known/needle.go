package known

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/encodings"
	"github.com/envwrap/envwrap/redact/internal/match"
)

// A needle is one encoding of a known value, or the part that all its encodings have.
type needle struct {
	text   []byte
	rule   string
	around ascii.Class // neighbours of this class are masked, too
	mixed  *encodings.Mixed
	dump   *encodings.Dump
	list   *encodings.List
}

// minBroken is the least part of a needle that is found at the end of a line: one that has
// a window at each alignment.
const minBroken = encodings.MinWide

// broken returns how much of a needle in base64 or hex is at the start of b and ends its
// line, as in a text that is folded there.
func (n *needle) broken(b []byte) int {
	if n.around == 0 {
		return 0
	}
	end := bytes.IndexByte(b[:min(len(b), len(n.text)+1)], '\n')
	if end > 0 && b[end-1] == '\r' {
		end--
	}
	if end < minBroken || !bytes.HasPrefix(n.text, b[:end]) {
		return 0
	}
	return end
}

// append appends the span of the needle at b[start:], if it has one. It joins overlapping
// spans of a needle that repeats itself.
func (n *needle) append(spans []match.Span, b []byte, start int) []match.Span {
	s := n.span(b, start)
	if n.mixed != nil || n.dump != nil || n.list != nil {
		find := n.mixed.Span
		switch {
		case n.dump != nil:
			find = n.dump.Span
		case n.list != nil:
			find = n.list.Span
		}
		from, to, ok := find(b, start, start+len(n.text))
		if !ok {
			return spans
		}
		s = match.Span{Start: from, End: to, Rule: n.rule}
	}
	if last := len(spans) - 1; last >= 0 && spans[last].Joins(s) {
		spans[last].Start = min(spans[last].Start, s.Start)
		spans[last].End = max(spans[last].End, s.End)
		return spans
	}
	return append(spans, s)
}

// find appends a span for each occurrence in b of the needles, which have one text.
func find(needles []needle, spans []match.Span, b []byte) []match.Span {
	text := needles[0].text
	for i := 0; ; {
		j := bytes.Index(b[i:], text)
		if j < 0 {
			return spans
		}
		for k := range needles {
			spans = needles[k].append(spans, b, i+j)
		}
		i += j + len(text)
	}
}

const (
	maxBefore = 256  // neighbours that are masked before a needle
	maxAfter  = 4096 // and after it
)

// span returns the span of the needle at b[start:], with the neighbours that belong to it.
func (n *needle) span(b []byte, start int) match.Span {
	end := start + len(n.text)
	if n.around == 0 {
		return match.Span{Start: start, End: end, Rule: n.rule}
	}
	start -= ascii.RunBack(b[max(0, start-maxBefore):start], n.around&^ascii.Equals)
	end += ascii.Run(b[end:min(len(b), end+maxAfter)], n.around)
	return match.Span{Start: start, End: end, Rule: n.rule, Encoded: true}
}

// minBegun is the least part of a secret by which its beginning is recognized.
const minBegun = 3

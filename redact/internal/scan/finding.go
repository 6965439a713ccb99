package scan

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
)

// A Finding is a span that was masked: the features of its value that decided, the word
// for a secret before it, and its column from 1, 0 if that is unknown.
type Finding struct {
	Rule, Shows, Name string
	Column            int
}

// describe returns the finding of the span sp of c, with its column if the text has its
// whole line.
func describe(c *candidates, sp match.Span, wholeLine bool) Finding {
	f := Finding{Rule: sp.Rule, Shows: sp.Shows.String()}
	line := c.text[bytes.LastIndexByte(c.text[:sp.Start], '\n')+1 : sp.Start]
	if wholeLine {
		f.Column = len(line) + 1
	}
	end := len(line)
	for end > 0 && len(line)-end < maxOperator && !ascii.Is(line[end-1], ascii.Alnum) {
		end--
	}
	start := end - ascii.RunBack(line[:end], ascii.Word|ascii.Dash|ascii.Dot)
	if names.StrengthOf(line[start:end], nil) < names.Weak {
		return f
	}
	at := sp.Start - len(line)
	for _, o := range c.spans {
		if o.Start < at+end && at+start < o.End {
			return f // it is masked, too
		}
	}
	f.Name = string(line[start:end])
	return f
}

// maxOperator is the most bytes between a name and its value.
const maxOperator = 8

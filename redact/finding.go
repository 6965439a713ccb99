package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
)

// A Finding is a span that was masked.
type Finding struct {
	Rule string
	// Shows lists the features of the value that decided, for a rule that goes by
	// names.
	Shows string
	// Name is the word for a secret that precedes the span, as in password=x, or "".
	Name string
	// Column is the position of the span's first byte in its line, in bytes from 1,
	// colour codes not counted. It is 0 if unknown: the line is very long, or the span
	// was found only after others had been masked.
	Column int
}

// finding describes the span sp of c.
func (s *scanner) finding(c *candidates, sp span) Finding {
	f := Finding{Rule: sp.rule, Shows: sp.shows.String()}
	line := c.text[bytes.LastIndexByte(c.text[:sp.start], '\n')+1 : sp.start]
	if c == &s.main && !s.view.cutLeft {
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
	at := sp.start - len(line)
	for _, o := range c.spans {
		if o.start < at+end && at+start < o.end {
			return f // it is masked, too
		}
	}
	f.Name = string(line[start:end])
	return f
}

// maxOperator is how much there may be between a name and its value.
const maxOperator = 8

package scan

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// quoteScalars sets NeedsQuotes for spans that are scalars of YAML: there *** would be the
// name of an alias. open is the pending name before the line.
//
// The values of headers stay as they are, and so do known values at the margin without a
// name for a secret.
func quoteScalars(v *match.View, open match.Pending) {
	if v.CutLeft || v.CutRight {
		return
	}
	l, ok := yamlLead(&v.Line)
	if !ok {
		return
	}
	end := v.Lo + len(syntax.TrimRight(v.Text[v.Lo:v.Hi]))
	for i := range v.Spans {
		s := &v.Spans[i]
		if l.title && isKnown(s.Rule) {
			continue
		}
		if (l.flow || !l.margin) && s.Start >= l.at && inFlow(&v.Line, *s, end, l.flow) {
			s.NeedsQuotes = true
		} else if s.Start == l.at {
			if l.named && i == len(v.Spans)-1 {
				s.End += restOfScalar(v.Text[min(s.End, end):end])
			}
			s.NeedsQuotes = s.NeedsQuotes || l.endsBefore(v.Text[min(s.End, end):end], open)
		}
	}
}

// isKnown reports whether rule finds known values, whose name the user gave.
func isKnown(rule string) bool { return rule == "secret-file" || strings.Contains(rule, ":") }

// A lead is the part of a line of YAML that precedes the value: dashes, a name, tags and anchors.
type lead struct {
	at                           int // offset of the value
	margin, listed, named, typed bool
	header                       bool // the name is a header's: X-Api-Key, Authorization
	title                        bool // at the margin, with no name or one that is for no secret
	flow                         bool // the value is, or is in, a list in brackets or a mapping in braces
}

// yamlLead returns the lead of l. It reports false where a tab or something else shows
// that the line is not YAML.
func yamlLead(l *syntax.Line) (y lead, ok bool) {
	b := l.Text[l.Lo:min(l.Hi, l.Lo+syntax.MaxLead)]
	i := len(b) - len(bytes.TrimLeft(b, " "))
	y.margin = i == 0
	for i+1 < len(b) && b[i] == '-' && b[i+1] == ' ' {
		i += 1 + ascii.Run(b[i+1:], ascii.Blank)
		y.listed = true
	}
	y.title = y.margin && !y.listed
	if n := nameSize(b[i:]); n > 0 {
		name := b[i : i+n]
		y.named = true
		y.header = ascii.Is(b[i], ascii.Upper) && (ascii.Contains(name, '-') || ascii.HasFold(name, "auth") || ascii.HasFold(name, "cookie"))
		y.title = y.title && names.StrengthOf(name, nil) == names.None
		i += n + 1 + ascii.Run(b[i+n+1:], ascii.Blank)
	}
	for i < len(b) && (b[i] == '!' || b[i] == '&') {
		n := bytes.IndexByte(b[i:], ' ')
		if n < 0 {
			return y, false
		}
		i += n + ascii.Run(b[i+n:], ascii.Blank)
		y.typed = true
	}
	y.at = l.Lo + i
	y.flow = i < len(b) && (b[i] == '[' || b[i] == '{')
	return y, i < len(b) && b[0] != '\t'
}

// nameSize returns the length of the name, in quotes or not, that b begins with, if a colon
// and a blank follow it.
func nameSize(b []byte) int {
	n := ascii.Run(b, ascii.Word|ascii.Dash|ascii.Dot)
	if len(b) > 1 && syntax.IsQuote(b[0]) {
		n = 2 + bytes.IndexByte(b[1:], b[0])
	}
	if n < 1 || n+1 >= len(b) || b[n] != ':' || !ascii.Is(b[n+1], ascii.Blank) {
		return 0
	}
	return n
}

// endsBefore reports whether the value after the lead is a plain scalar that ends before
// rest, the end of its line: nothing or a comment is there, or, in brackets that began on
// another line, a comma. p is the pending name before the line.
func (y lead) endsBefore(rest []byte, p match.Pending) bool {
	after := bytes.TrimLeft(rest, " \t")
	plain := y.named && !y.header || y.listed || y.typed || p.Below || p.Op == syntax.OpList
	switch {
	case y.margin && !y.named && !y.listed:
		return false
	case len(after) == 0:
		return plain
	case after[0] == '#':
		return plain && len(after) < len(rest)
	case len(after) > 1 || y.margin:
		return false
	}
	return after[0] == ',' || plain && (after[0] == ']' || after[0] == '}')
}

// restOfScalar returns the length of the rest of a plain scalar, after signs that would end
// it elsewhere: a8f;&3k.
func restOfScalar(rest []byte) int {
	if len(rest) < 2 || bytes.ContainsAny(rest[:1], ",]})\"'`") || bytes.ContainsAny(rest, " \t") {
		return 0
	}
	return len(rest)
}

// inFlow reports whether s is an element of a list or mapping in brackets: of one that opens
// on its line, which ends at end, or of one that began on a line before, of which more
// follows s.
func inFlow(l *syntax.Line, s match.Span, end int, opens bool) bool {
	before, after := bytes.TrimRight(l.Text[l.Lo:s.Start], " \t"), bytes.TrimLeft(l.Text[min(s.End, end):end], " \t")
	if len(after) == 0 && !opens || len(after) > 0 && !bytes.ContainsAny(after[:1], ",]}") || l.QuotesBefore(s.Start)%2 == 1 {
		return false
	}
	if len(before) == 0 {
		return true // the first of a line
	}
	switch before[len(before)-1] {
	case '[', '{', ',':
		return true
	case ':':
		return len(before) < s.Start-l.Lo
	}
	word := before[bytes.LastIndexAny(before, " [{,")+1:]
	return len(word) > 0 && (word[0] == '!' || word[0] == '&')
}

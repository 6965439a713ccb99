package scan

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// aligned returns s such that its mask does not break the text around it: all of an escape
// that s has a part of, all of a number of JSON.
func aligned(l *syntax.Line, s match.Span) match.Span {
	b, lo := l.Text[:l.Hi], l.Lo
	if number(b[s.Start:s.End]) {
		t := s
		t.Start -= ascii.RunBack(b[lo:t.Start], numeric)
		t.End += ascii.Run(b[t.End:], numeric)
		if isNumber(b, t) && l.QuotesBefore(t.Start)%2 == 0 {
			t.NeedsQuotes = true
			return t
		}
	}
	if n := ascii.Backslashes(b[lo:], s.Start-lo); n%2 == 1 {
		s.Start--
	} else if i := bytes.LastIndexByte(b[max(lo, s.Start-5):s.Start], 'u'); i >= 0 {
		u := max(lo, s.Start-5) + i
		if ascii.Backslashes(b[lo:], u-lo)%2 == 1 && ascii.Run(b[u+1:min(len(b), u+5)], ascii.HexDigit) == 4 && s.Start-u < 5 {
			s.Start = u - 1
		}
	}
	if n := ascii.Backslashes(b[lo:], s.End-lo); n%2 == 1 && s.End < len(b) && b[s.End] != '\n' && b[s.End] != '\r' {
		s.End++
	}
	if u := bytes.LastIndexByte(b[max(lo, s.End-5):s.End], 'u'); u >= 0 {
		u += max(lo, s.End-5)
		if ascii.Backslashes(b[lo:], u-lo)%2 == 1 && ascii.Run(b[u+1:min(len(b), u+5)], ascii.HexDigit) == 4 {
			s.End = max(s.End, u+5)
		}
	}
	return s
}

// numeric are the characters of a number of JSON.
const numeric = ascii.Digit | ascii.Dot | ascii.Dash | ascii.Plus

func number(b []byte) bool {
	for _, c := range b {
		if !ascii.Is(c, ascii.Digit|ascii.Dot|ascii.Dash) && c != '+' && c != 'e' && c != 'E' {
			return false
		}
	}
	return len(b) > 0
}

// isNumber reports whether s may be a number of a JSON document. Its mask needs quotes
// then, or the document would not stay one. A number that is alone on its line is one if
// it is indented or a comma follows.
func isNumber(b []byte, s match.Span) bool {
	if !number(b[s.Start:s.End]) {
		return false
	}
	before := bytes.TrimRight(b[:s.Start], " \t")
	after := bytes.TrimLeft(b[s.End:], " \t\r")
	comma := len(after) > 0 && after[0] == ','
	if len(after) > 0 && !comma && strings.IndexByte("}]\n", after[0]) < 0 {
		return false
	}
	if len(before) == 0 || before[len(before)-1] == '\n' {
		return comma || len(before) < s.Start
	}
	switch before[len(before)-1] {
	case '[', ',':
		return true
	case ':':
		before = bytes.TrimRight(before[:len(before)-1], " \t")
		return len(before) > 0 && before[len(before)-1] == '"' && ascii.Backslashes(before, len(before)-1)%2 == 0
	case '>': // 'name' => of PHP and Ruby
		before = bytes.TrimRight(bytes.TrimSuffix(before, []byte("=>")), " \t")
		return len(before) > 0 && syntax.IsQuote(before[len(before)-1])
	}
	return false
}

// inString returns s up to the double quote that ends the string in which s begins, so
// that JSON stays JSON. A private key may have quotes between its lines.
func inString(l *syntax.Line, s match.Span) match.Span {
	if s.Rule == match.RuleKey || s.End-s.Start > 1<<12 {
		return s
	}
	for i := s.Start; i < s.End; i++ {
		if l.Text[i] == '"' && ascii.Backslashes(l.Text[l.Lo:], i-l.Lo)%2 == 0 {
			if l.QuotesBefore(s.Start)%2 == 1 {
				s.End = i
			}
			break
		}
	}
	return s
}

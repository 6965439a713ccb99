package scan

import (
	"bytes"
	"slices"

	"github.com/envwrap/envwrap/redact/internal/dump"
	"github.com/envwrap/envwrap/redact/internal/known"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/rules"
)

// InDecoded returns the secrets in text, and the known values in it that were folded in
// lines before they were encoded.
func (s *Scanner) InDecoded(text []byte) []match.Span {
	n := s.nested()
	n.search.prepare()
	var out []match.Span
	if joined := bytes.ReplaceAll(text, []byte("\n"), nil); len(joined) < len(text)-1 {
		for _, sp := range n.search.known.Find(nil, joined) { // folded before it was encoded
			if sp.Rule != known.RulePacked {
				out = append(out, match.Span{Start: sp.Start, End: len(text), Rule: sp.Rule})
			}
		}
	}
	return append(out, n.secretsOf(text)...)
}

// nested returns the scanner of texts that were decoded.
func (s *Scanner) nested() *Scanner {
	if s.inner == nil {
		s.inner = s.Another()
		s.inner.decoder.Nest(&s.decoder)
	}
	return s.inner
}

// InLines returns the secrets in the undecoded text.
func (s *Scanner) InLines(text []byte) []match.Span { return s.nested().secretsOf(text) }

// secretsOf returns the secrets in text, which is complete.
func (s *Scanner) secretsOf(text []byte) []match.Span {
	s.search.prepare()
	s.State, s.Dumps = match.State{}, dump.State{}
	c, v := &s.main, &s.view
	var out []match.Span
	s.findLines(c, text)
	for i := c.seek(0, s.State.Active()); i < len(c.text); i = c.seek(i, s.State.Active()) {
		end := c.lineEnd(i)
		s.show(c.text)
		v.Lo, v.Hi, v.Limit = i, end, end
		c.spans = s.spansOf(c.take(end), &s.State, c.spans[:0])
		for _, sp := range c.spans {
			sp.Start, sp.End = c.codes.RawAfter(sp.Start), c.codes.RawBefore(sp.End)
			out = append(out, sp)
		}
		if v.Drop {
			out = append(out, match.Span{Start: c.codes.RawBefore(i), End: c.codes.RawBefore(end), Rule: match.RuleKey})
		}
		i = end
	}
	key := 0 // bytes of a private key, without its first and last line and its headers
	for _, sp := range out {
		if ofKey(sp) && !bytes.ContainsAny(text[sp.Start:sp.End], "-:") {
			key += sp.End - sp.Start
		}
	}
	if key < minKey && bytes.Contains(text, []byte("-END ")) {
		out = slices.DeleteFunc(out, ofKey)
	}
	return out
}

// ofKey reports whether a span is of a private key: its lines but the first have no rule.
func ofKey(sp match.Span) bool { return sp.Rule == match.RuleKey || sp.Rule == "" }

// minKey is the least length of a private key: what is shorter is a word in its place.
const minKey = 20

// maxBegun is how much of the end of a text is searched for the beginning of a secret.
const maxBegun = 256

// BeginsAtEnd reports whether the beginning of a secret may end text, which is cut there,
// and the secret's rule.
func (s *Scanner) BeginsAtEnd(text []byte) (rule string, ok bool) {
	tail := text[max(0, len(text)-maxBegun):]
	if rule, ok = s.search.known.Begins(tail); ok || !s.search.set.builtin {
		return rule, ok
	}
	return rules.BeginsAtEnd(tail)
}

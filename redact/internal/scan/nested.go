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
	key := 0 // bytes of a private key, with its first and last line
	s.findLines(c, text)
	for i := c.seek(0, s.State.Active()); i < len(c.text); i = c.seek(i, s.State.Active()) {
		end := c.lineEnd(i)
		s.show(c.text)
		v.Lo, v.Hi, v.Limit = i, end, end
		c.spans = s.spansOf(c.take(end), &s.State, c.spans[:0])
		for _, sp := range c.spans {
			sp.Start, sp.End = c.codes.RawAfter(sp.Start), c.codes.RawBefore(sp.End)
			if out = append(out, sp); sp.Rule == match.RuleKey {
				key += sp.End - sp.Start
			}
		}
		if v.Drop {
			key += end - i
			out = append(out, match.Span{Start: c.codes.RawBefore(i), End: c.codes.RawBefore(end), Rule: match.RuleKey})
		}
		i = end
	}
	if key < minKey && bytes.Contains(text, []byte("-END ")) {
		out = slices.DeleteFunc(out, func(sp match.Span) bool { return sp.Rule == match.RuleKey }) // a word in its place
	}
	return out
}

// minKey is the least length of a private key with its first and last line.
const minKey = 64

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

package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// inDecoded returns the secrets in text, also known values that were folded before they
// were encoded.
func (s *scanner) inDecoded(text []byte) []span {
	n := s.nested()
	n.search.prepare()
	var out []span
	if joined := bytes.ReplaceAll(text, []byte("\n"), nil); len(joined) < len(text)-1 {
		for _, sp := range n.search.known.find(nil, joined) { // folded before it was encoded
			if sp.rule != rulePacked {
				out = append(out, span{start: sp.start, end: len(text), rule: sp.rule})
			}
		}
	}
	return append(out, n.secretsOf(text)...)
}

// nested returns the scanner of what is within the text.
func (s *scanner) nested() *scanner {
	if s.inner == nil {
		s.inner = newScanner(s.search.set)
		s.inner.decoder.layer, s.inner.decoder.left = s.decoder.layer+1, s.decoder.left
	}
	return s.inner
}

// inLines returns the secrets in text as it is.
func (s *scanner) inLines(text []byte) []span { return s.nested().secretsOf(text) }

// secretsOf returns the secrets in text, which is complete.
func (s *scanner) secretsOf(text []byte) []span {
	s.search.prepare()
	s.state = state{}
	c, v := &s.main, &s.view
	var out []span
	s.find(c, text)
	for i := c.seek(0, s.state.active()); i < len(c.text); i = c.seek(i, s.state.active()) {
		end := c.lineEnd(i)
		s.show(c.text)
		v.Lo, v.Hi, v.limit = i, end, end
		c.spans = s.spansOf(c.take(end), &s.state, c.spans[:0])
		for _, sp := range c.spans {
			sp.start, sp.end = c.codes.after(sp.start), c.codes.before(sp.end)
			out = append(out, sp)
		}
		if v.drop {
			out = append(out, span{start: c.codes.before(i), end: c.codes.before(end), rule: ruleKey})
		}
		i = end
	}
	return out
}

// maxBegun is how much of the end of a text is looked at for the beginning of a
// secret.
const maxBegun = 256

// beginsAtEnd reports whether a text that is cut at its end may have the beginning of
// a secret there, and of which rule.
func (s *scanner) beginsAtEnd(text []byte) (rule string, ok bool) {
	tail := text[max(0, len(text)-maxBegun):]
	if rule, ok = s.search.known.begins(tail); ok || !s.search.set.builtin {
		return rule, ok
	}
	for _, h := range builtin().filter.find(nil, tail, nil) {
		if l := &literals[h.lit]; l.of == ofToken && len(l.text) > minBegun && (h.pos == 0 || !ascii.Is(tail[h.pos-1], ascii.Word)) {
			f, t := prefixes[l.arg][0].get()
			if rest := tail[h.pos+len(t.Prefix):]; len(rest) < t.Min && ascii.Run(rest, t.Class) == len(rest) {
				return f.Rule, true
			}
		}
	}
	return "", false
}

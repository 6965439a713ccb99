package scan

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/envwrap/envwrap/redact/internal/ansi"
	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/encoded"
	"github.com/envwrap/envwrap/redact/internal/known"
	"github.com/envwrap/envwrap/redact/internal/literal"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/rules"
	"github.com/envwrap/envwrap/redact/internal/rules/mnemonic"
)

// A search finds the places of a text where secrets may be: literals of rules, known
// values and encoded runs, in one pass for each.
type search struct {
	set   *Set
	known *known.Set // nil before the first text
	user  *userSet
	texts literal.Stream
}

// prepare makes the parts of the set, on the first byte.
func (s *search) prepare() {
	if s.known != nil {
		return
	}
	s.known = s.set.known()
	if s.set.user != nil {
		s.user = s.set.user()
	}
}

// matches are the results of a search in a text, or in a part of it.
type matches struct {
	hits  []literal.Hit // literals of the built-in rules
	user  []literal.Hit // keywords of a user's rules
	known []match.Span  // known values
	runs  []match.Span  // that may be an encoded text, or, with a rule, are the words of a seed
}

// candidates are a text and the places where secrets may be in it.
type candidates struct {
	codes ansi.Text
	text  []byte // without colour codes
	found matches
	rest  matches // of the lines that are still to be searched
	spans []match.Span
	every bool // each line is searched, also without a match
}

// in loads c with b and the matches in it. A link stays in the text if harmless reports
// false for its address; encoded runs are searched for if decoded is set.
func (s *search) in(c *candidates, b []byte, harmless func(address []byte) bool, decoded bool) {
	c.text = c.codes.Strip(b, s.known.Hidden(), harmless)
	f := &c.found
	f.hits, f.user, f.known, f.runs = f.hits[:0], f.user[:0], f.known[:0], f.runs[:0]
	at := s.texts.Scratch(c.text)
	switch j := s.combined(at); {
	case j != nil:
		f.hits, f.known = j.find(f.hits, f.known, c.text, at)
	case s.set.builtin:
		f.hits = rules.Find(f.hits, c.text, at)
		fallthrough
	default:
		f.known = s.known.Find(f.known, c.text)
	}
	if decoded {
		least := decode.MinRun
		if !s.set.builtin {
			least = decode.MinKnownRun
		}
		decode.Runs(c.text, least, func(start, end int) { f.runs = append(f.runs, match.Span{Start: start, End: end}) })
	}
	inOrder := len(f.runs)
	f.takePacked(c.text)
	if s.set.builtin {
		f.runs = mnemonic.FindPhrases(f.runs, c.text, at)
	}
	if len(f.runs) > inOrder {
		slices.SortFunc(f.runs, func(a, b match.Span) int { return cmp.Compare(a.Start, b.Start) })
	}
	if s.user != nil {
		f.user = s.user.filter.Find(f.user, c.text, at)
		c.every = len(s.user.always) > 0
	}
	c.rest = *f
}

// combined returns the search for known values along with literals, or nil if there is
// none; at is the scratch space for it.
func (s *search) combined(at *literal.Scratch) *combined {
	if s.set.combined == nil || at == nil {
		return nil
	}
	return s.set.combined()
}

// takePacked turns matches of RulePacked into runs, each from its first mark to its end.
func (f *matches) takePacked(b []byte) {
	n, end := 0, 0
	for _, s := range f.known {
		if s.Rule != known.RulePacked {
			f.known[n] = s
			n++
			continue
		}
		if s.Start < end {
			continue
		}
		of := ascii.Class(decode.RunByte)
		if b[s.Start] == '%' {
			of = encoded.EscapedPart | ascii.Plus
		}
		end = s.Start + ascii.Run(b[s.Start:], of)
		f.runs = append(f.runs, match.Span{Start: s.Start, End: end})
	}
	f.known = f.known[:n]
}

// seek returns the start of the first line at or after i that is to be searched: the one
// at i if next is set, else the first with a match in it. It returns the end of the text
// if there is no such line.
func (c *candidates) seek(i int, next bool) int {
	if next || c.every {
		return i
	}
	first := len(c.text)
	if len(c.rest.hits) > 0 {
		first = c.rest.hits[0].Pos
	}
	if len(c.rest.user) > 0 {
		first = min(first, c.rest.user[0].Pos)
	}
	if len(c.rest.known) > 0 {
		first = min(first, c.rest.known[0].Start)
	}
	if len(c.rest.runs) > 0 {
		first = min(first, c.rest.runs[0].Start)
	}
	if first >= len(c.text) || first <= i {
		return max(i, first)
	}
	return i + lastLine(c.text[i:first])
}

// lastLine returns the offset of the last line of b.
func lastLine(b []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	n := len(b)
	for ; n >= 8; n -= 8 {
		x := binary.LittleEndian.Uint64(b[n-8:]) ^ '\n'*ones
		if (x-ones)&^x&tops != 0 {
			break // one of the eight is a newline
		}
	}
	return bytes.LastIndexByte(b[:n], '\n') + 1
}

// lineEnd returns the end of the line that begins at i, after its newline.
func (c *candidates) lineEnd(i int) int {
	if n := bytes.IndexByte(c.text[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(c.text)
}

// take returns the matches before end that were not yet taken.
func (c *candidates) take(end int) matches {
	var f matches
	r := &c.rest
	pos, start := func(h *literal.Hit) int { return h.Pos }, func(s *match.Span) int { return s.Start }
	f.hits, r.hits = split(r.hits, end, pos)
	f.user, r.user = split(r.user, end, pos)
	f.known, r.known = split(r.known, end, start)
	f.runs, r.runs = split(r.runs, end, start)
	return f
}

// split cuts list before the first element whose offset is at or after end.
func split[T any](list []T, end int, offset func(*T) int) (before, rest []T) {
	n := 0
	for n < len(list) && offset(&list[n]) < end {
		n++
	}
	return list[:n], list[n:]
}

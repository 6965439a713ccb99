// Package scan masks a stream of text line by line: it searches a piece of the stream for
// literals of rules, known values and encoded runs, calls the matchers of each line with
// one, and writes the line with its secrets masked.
package scan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/dump"
	"github.com/envwrap/envwrap/redact/internal/encoded"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/rules/assignment"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// A Scanner masks a stream. Between lines it carries nothing but its state, so that the
// output for a line depends on that and on the line alone.
type Scanner struct {
	State  match.State
	Dumps  dump.State     // of the bytes that lines list
	Counts map[string]int // of spans, by rule
	Out    []byte         // masked, to be written
	Reach  int            // how far before the end of a part of a line a span may begin
	over   bool           // a secret goes on past the part that was masked last
	Trace  func(Finding)

	search  search
	decoder encoded.Decoder
	dumps   dump.Reader
	inner   *Scanner // of texts that were decoded

	view        match.View
	marks       syntax.QuoteMarks
	main, again candidates
	line, next  []byte // a masked line, while it is searched again
	same        sameLine
}

// usualReach is the reach of a scanner.
const usualReach = 512

// New returns a scanner for the secrets of a set.
func New(set *Set) *Scanner {
	s := &Scanner{Counts: map[string]int{}, Reach: usualReach}
	s.search.set = set
	s.decoder = encoded.NewDecoder(s)
	return s
}

// Reset puts s, whose last text was masked to its end, in the state of a new stream.
func (s *Scanner) Reset() {
	s.State, s.Dumps, s.Out, s.over = match.State{}, dump.State{}, s.Out[:0], false
	clear(s.Counts)
}

// maxCommand is the length of the longest command that is read for what it asks for: longer
// ones are programs, and name much that they do not print.
const maxCommand = 1 << 10

// Or separates two ways to type a command of [Scanner.After].
const Or = "\x00"

// After puts s, which has masked nothing yet, in the state after a prompt with each of the
// commands: it expects the secrets that they ask for, and nothing else goes on. That one names
// a secret is not enough: most print an id then.
func (s *Scanner) After(commands func() []string) {
	if !s.search.set.builtin {
		return
	}
	trace := s.Trace
	s.Trace = nil
	var asked match.Pending
	for _, line := range commands() {
		var next match.Pending
		for typed := range strings.SplitSeq(line, Or) {
			if len(typed) <= maxCommand && !assignment.Generates(typed) {
				s.Lines([]byte("$ " + strings.ReplaceAll(typed, "\n", " ") + "\n"))
			}
			p := s.State.Pending // others are of a text within the command
			if (p.Op == syntax.OpIs || p.Op == syntax.OpBeside) && p.Strength > next.Strength {
				next = p
			}
			s.Reset()
		}
		asked = assignment.AskedAlso(asked, line, next)
	}
	s.Trace = trace
	if asked.Strength != names.None {
		s.State.Pending = asked
	}
}

// Another returns a scanner for the secrets that s looks for, in the state of a new
// stream.
func (s *Scanner) Another() *Scanner { return New(s.search.set) }

// find loads c with b and the places where secrets may be in it.
func (s *Scanner) find(c *candidates, b []byte) {
	s.search.in(c, b, s.decoder.Harmless(), !s.decoder.Innermost())
}

// findLines is find for whole lines: over several, values may be listed byte by byte.
func (s *Scanner) findLines(c *candidates, b []byte) {
	s.find(c, b)
	f := &c.found
	n := len(f.known)
	if s.search.known.Followed == nil {
		s.Dumps = dump.Skip()
		return
	}
	if f.known = s.dumps.Find(f.known, s.search.known.Followed, &s.Dumps, c.text); len(f.known) > n {
		slices.SortFunc(f.known, func(a, b match.Span) int { return cmp.Compare(a.Start, b.Start) })
		c.rest = *f
	}
}

// show makes text the view of the matchers.
func (s *Scanner) show(text []byte) {
	v := &s.view
	*v = match.View{} // by itself: it is large, and need not be copied
	v.Show(text, &s.marks)
	v.Limit = len(text)
}

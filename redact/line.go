package redact

import (
	"slices"

	"github.com/envwrap/envwrap/redact/internal/names"
)

// spansOf finds the secrets of the line of the scanner's view, in order and apart from
// each other, and leads the scanner's state st to the line after it.
func (s *scanner) spansOf(f found, st *state, buf []span) []span {
	v, d := &s.view, &s.decoder
	v.spans = buf
	open := st.open
	v.spans = append(v.spans, f.known...)
	if !v.cutRight {
		for v.Hi > v.Lo && (v.Text[v.Hi-1] == '\n' || v.Text[v.Hi-1] == '\r') {
			v.Hi--
		}
	}
	if d.layer == 0 {
		d.budget(v.Hi - v.Lo)
	}
	noteContinued(v)
	if st.coded && !v.cutLeft {
		maskContinued(v)
	}
	encoded := len(f.runs) > 0 || st.folded != ""
	if encoded && !d.folded(v, st.folded) {
		d.runs(v, f.runs)
	}
	if s.search.set.builtin {
		s.match(f, st)
	} else if !v.cutRight {
		*st = v.next
	}
	if runs := slices.DeleteFunc(v.runsSeen, func(s span) bool { return slices.Contains(f.runs, s) }); len(runs) > 0 {
		if encoded || !d.folded(v, "") {
			d.runs(v, runs)
		}
		if !v.cutRight {
			st.folded = v.next.folded
		}
	}
	d.lines(v, f.hits, f.runs)
	if len(v.spans) == 0 {
		return v.spans
	}
	markRepeats(v, len(f.known))
	for i := range v.spans {
		if i >= len(f.known) {
			v.spans[i] = inString(&v.Line, v.spans[i])
		}
		v.spans[i] = aligned(&v.Line, v.spans[i])
	}
	v.spans = union(v.spans)
	quoteScalars(v, open)
	return v.spans
}

// match calls the matchers: those that the line before asks for, then those of
// the literals in the line.
func (s *scanner) match(f found, st *state) {
	v := &s.view
	before := *st
	if v.cutLeft {
		before, v.next.key = state{}, st.key
	}
	switch {
	case before.key.lines > 0 && v.cutRight:
		v.add(v.Lo, v.Hi, ruleKey) // PEM lines are 64 characters: a longer one may be an unwrapped key
		return
	case before.key.lines > 0 && keyLine(v, before.key):
		*st = v.next
		return
	}
	follow(v, before)
	for _, h := range f.hits {
		if h.pos < v.limit {
			literals[h.lit].look(v, h.pos)
		}
	}
	if s.search.user != nil {
		s.search.user.find(v, f.user)
	}
	if !v.cutRight {
		v.next.curl = v.curl && v.Hi > v.Lo && v.Text[v.Hi-1] == '\\'
		*st = v.next
	}
}

// follow calls the matchers that the line before asks for.
func follow(v *view, before state) {
	if before.open.strength != names.None {
		pendingValue(v, before.open)
	}
	if before.block.lines > 0 {
		blockLine(v, before.block)
	}
	if before.phrase > 0 {
		phraseLine(v, before.phrase)
	}
	if before.expects > 0 {
		v.next.expects = before.expects - 1
		answer(v, v.Lo)
	}
	if before.pgpass > 0 {
		pgpassLine(v, before.pgpass)
	}
	if before.netrc > 0 {
		netrcLine(v, before.netrc)
	}
	if before.manifest != noManifest {
		manifestLine(v, before.manifest)
	}
	if before.pair.lines > 0 {
		findPaired(v, before.pair, v.Lo)
		v.next.pair = partner{size: before.pair.size, lines: before.pair.lines - 1}
	}
	if before.table.columns > 0 {
		tableRow(v, before.table)
	}
	if before.curl {
		continueCommand(v)
	}
}

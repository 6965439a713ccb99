package redact

import (
	"bytes"
	"slices"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/encodings"
	"github.com/envwrap/envwrap/redact/internal/names"
)

// spansOf finds the secrets of the line, in order and apart from each other,
// and leads st to the line after it.
func (v *view) spansOf(f found, st *state, buf []span) []span {
	v.spans = buf
	open := st.open
	v.spans = append(v.spans, f.known...)
	v.known = len(f.known)
	if !v.cutRight {
		for v.Hi > v.Lo && (v.Text[v.Hi-1] == '\n' || v.Text[v.Hi-1] == '\r') {
			v.Hi--
		}
	}
	if v.sc != nil && v.sc.layer == 0 {
		*v.sc.left = leastUnpacked + unpackRatio*(v.Hi-v.Lo)
	}
	v.codedValue()
	if st.coded && !v.cutLeft {
		v.codedRest()
	}
	d := decoder{v}
	encoded := len(f.runs) > 0 || st.folded != ""
	if encoded && !d.folded(st.folded) {
		d.runs(f.runs)
	}
	if v.rules != nil {
		v.match(f, st)
	} else if !v.cutRight {
		*st = v.next
	}
	if runs := slices.DeleteFunc(v.runsSeen, func(s span) bool { return slices.Contains(f.runs, s) }); len(runs) > 0 {
		if encoded || !d.folded("") {
			d.runs(runs)
		}
		if !v.cutRight {
			st.folded = v.next.folded
		}
	}
	d.lines(f)
	if len(v.spans) == 0 {
		return v.spans
	}
	v.markRepeats()
	for i := range v.spans {
		if i >= v.known {
			v.spans[i] = v.spans[i].inString(&v.Line)
		}
		v.spans[i] = v.spans[i].align(&v.Line)
	}
	v.spans = union(v.spans)
	v.quoteScalars(open)
	return v.spans
}

// wrappedLine is the least length of a line of wrapped base64: PEM has 64
// characters, MIME 76.
const wrappedLine = 60

// codedValue notes that the line ends in the base64 of a known value, which may
// go on.
func (v *view) codedValue() {
	for _, s := range v.spans {
		if s.coded && s.end == v.Hi && s.end-s.start >= wrappedLine {
			v.next.coded = true
		}
	}
}

// codedRest masks a line after one that ended in the base64 of a known value:
// the value's last line, which may be too short to be known again.
func (v *view) codedRest() {
	line := bytes.TrimSpace(v.Text[v.Lo:v.Hi])
	if len(line) > 0 && ascii.Run(line, encodings.Base64Around) == len(line) {
		v.add(v.Lo+bytes.Index(v.Text[v.Lo:v.Hi], line), v.Hi, "")
	}
}

// match calls the matchers: those that the line before asks for, then those of
// the literals in the line.
func (v *view) match(f found, st *state) {
	before := *st
	if v.cutLeft {
		before, v.next.key = state{}, st.key
	}
	switch {
	case before.key.lines > 0 && v.cutRight:
		v.add(v.Lo, v.Hi, ruleKey) // no line of a key is so long, but who knows
		return
	case before.key.lines > 0 && before.key.line(v):
		*st = v.next
		return
	}
	v.follow(before)
	for _, h := range f.hits {
		if h.pos < v.limit {
			literals[h.lit].look(v, h.pos)
		}
	}
	if v.user != nil {
		v.user.look(v, f.user)
	}
	if !v.cutRight {
		v.next.curl = v.curl && v.Hi > v.Lo && v.Text[v.Hi-1] == '\\'
		*st = v.next
	}
}

// follow calls the matchers that the line before asks for.
func (v *view) follow(before state) {
	if before.open.strength != names.None {
		before.open.line(v)
	}
	if before.block.lines > 0 {
		before.block.line(v)
	}
	if before.phrase > 0 {
		v.phraseLine(before.phrase)
	}
	if before.expects > 0 {
		v.next.expects = before.expects - 1
		v.answer(v.Lo)
	}
	if before.pgpass > 0 {
		v.pgpassLine(before.pgpass)
	}
	if before.netrc > 0 {
		v.netrcLine(before.netrc)
	}
	if before.manifest != noManifest {
		before.manifest.line(v)
	}
	if before.pair.lines > 0 {
		before.pair.find(v, v.Lo)
		v.next.pair = partner{size: before.pair.size, lines: before.pair.lines - 1}
	}
	if before.table.columns > 0 {
		before.table.line(v)
	}
	if before.curl {
		programs[0].options(v, v.Lo, v.Lo)
	}
}

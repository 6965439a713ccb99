package redact

import "bytes"

// A view is a line in front of the matchers.
type view struct {
	text     []byte
	lo, hi   int // the line, with its newline; matchers stay within
	limit    int // matchers are called before it
	cutLeft  bool
	cutRight bool
	rules    *ruleSet

	spans   []span
	named   int    // end of the last name that was looked at
	drop    bool   // the line is within a key, and goes
	command string // whose options are looked at
	open    pending
	keyOpen bool // a key begins that does not end on the line
}

// spansOf finds the secrets of the line.
func (v *view) spansOf(hits []hit, known []span, st *state, buf []span) []span {
	v.spans = append(buf, known...)
	if v.rules != nil {
		v.match(hits, st)
	}
	for i := range v.spans {
		v.spans[i] = align(v.text, v.spans[i])
	}
	v.spans = union(v.spans)
	return v.spans
}

func (v *view) match(hits []hit, st *state) {
	if st.key != 0 && !v.cutLeft {
		v.keyLine(st)
		return
	}
	if end := bytes.TrimRight(v.text[v.lo:v.hi], "\r\n"); !v.cutRight {
		v.hi = v.lo + len(end)
	}
	open := st.open
	if open.strength != silent && !v.cutLeft {
		v.pendingValue(open)
	}
	for _, h := range hits {
		if h.pos < v.limit {
			v.rules.entries[h.lit].find(v, h.pos)
		}
	}
	v.keyStart(st)
	if !v.cutRight {
		st.open = v.open
	}
}

// add marks text[start:end] as a secret.
func (v *view) add(start, end int, rule string) {
	if start < end {
		v.spans = append(v.spans, span{start, end, rule})
	}
}

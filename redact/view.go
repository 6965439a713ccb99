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

	spans []span
	named int  // end of the last name that was looked at
	drop  bool // the line is within a key, and goes
	curl  bool // the options of curl were looked at
	open  pending
	key   keyBlock // what follows the line is of a key

	pair     partner
	manifest manifest
	netrc    uint8
}

// spansOf finds the secrets of the line.
func (v *view) spansOf(hits []hit, known []span, st *state, buf []span) []span {
	v.spans = buf
	v.spans = append(v.spans, known...)
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
	if st.key.lines > 0 && !v.cutLeft {
		inside := v.keyLine(st.key)
		st.key = v.key
		if inside {
			return
		}
	}
	if end := bytes.TrimRight(v.text[v.lo:v.hi], "\r\n"); !v.cutRight {
		v.hi = v.lo + len(end)
	}
	open := st.open
	if open.strength != silent && !v.cutLeft {
		v.pendingValue(open)
	}
	if st.netrc > 0 && !v.cutLeft {
		v.netrcLine(st.netrc)
	}
	if st.manifest != noManifest && !v.cutLeft {
		v.manifestLine(st.manifest)
	}
	if st.pair.lines > 0 && !v.cutLeft {
		v.secretOf(st.pair, v.lo)
		v.pair = partner{size: st.pair.size, lines: st.pair.lines - 1}
	}
	if st.curl && !v.cutLeft {
		v.options("curl", v.lo)
	}
	for _, h := range hits {
		if h.pos < v.limit {
			v.rules.entries[h.lit].find(v, h.pos)
		}
	}
	if v.cutRight {
		return
	}
	st.open, st.key, st.netrc, st.manifest = v.open, v.key, v.netrc, v.manifest
	st.pair = v.pair
	st.curl = v.curl && v.hi > v.lo && v.text[v.hi-1] == '\\'
}

// add marks text[start:end] as a secret.
func (v *view) add(start, end int, rule string) {
	if start < end {
		v.spans = append(v.spans, span{start, end, rule})
	}
}

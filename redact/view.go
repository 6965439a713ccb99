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

	spans              []span
	known              int // how many of spans are of known values
	plainFrom, plainTo int // the value without quotes that was looked at last
	counted, quotesTo  int // double quotes before an offset

	oneKey, oneSecret bool // the line was looked at as a whole already

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
	v.known = len(known)
	if v.rules != nil {
		v.match(hits, st)
	}
	if len(v.spans) == 0 {
		return v.spans
	}
	for i := range v.spans {
		if i >= v.known {
			v.spans[i] = v.inString(v.spans[i])
		}
		v.spans[i] = v.align(v.spans[i])
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

// inString is s without what is behind the double quote that ends the string
// in which s begins, or JSON would not stay what it is. What a key block has
// between its lines stays.
func (v *view) inString(s span) span {
	if s.rule == ruleKey || s.end-s.start > 1<<12 {
		return s
	}
	for i := s.start; i < s.end; i++ {
		if v.text[i] == '"' && backslashes(v.text[v.lo:], i-v.lo)%2 == 0 {
			if v.quotes(s.start)%2 == 1 {
				s.end = i
			}
			break
		}
	}
	return s
}

// quotes counts the double quotes, but for escaped ones, before i.
func (v *view) quotes(i int) int {
	if v.quotesTo < v.lo || v.quotesTo > i {
		v.quotesTo, v.counted = v.lo, 0
	}
	for ; v.quotesTo < i; v.quotesTo++ {
		if v.text[v.quotesTo] == '"' && backslashes(v.text[v.lo:], v.quotesTo-v.lo)%2 == 0 {
			v.counted++
		}
	}
	return v.counted
}

// add marks text[start:end] as a secret.
func (v *view) add(start, end int, rule string) {
	if start < end {
		v.spans = append(v.spans, span{start: start, end: end, rule: rule})
	}
}

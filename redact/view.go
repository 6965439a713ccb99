package redact

import "bytes"

// A view is a line in front of the matchers. They mark what they find with
// add, and note in next what the line leaves to the one behind it.
type view struct {
	text     []byte
	lo, hi   int  // the line; matchers stay within
	limit    int  // matchers are called before it
	cutLeft  bool // the line began earlier
	cutRight bool // the line goes on
	rules    *ruleSet
	user     *userSet
	sc       *scanner // of which this is a view

	spans []span
	known int // how many of spans are of known values
	next  state
	drop  bool // the line is within a key, and goes
	named int  // end of the last name that was looked at
	curl  bool // the options of curl were looked at

	// What was looked at already, so that no text makes us look again and
	// again.
	plainFrom, plainTo int // the last value without quotes
	plainNames         int // names that were found in it
	marks              *quoteMarks
	oneKey, oneSecret  bool // all of the line
	oneHeader          bool
	optionsTo          int    // options of the same program
	pairTo             int    // secrets that go with the id of a key
	jwkTo              int    // keys in base64
	pemTo              int    // key blocks in it
	wordTo             int    // encoded words
	escapedTo          int    // texts with the escapes of URLs
	runsSeen           []span // around them
	encodedTo, encoded int    // how often text in it that ends there was decoded
	appTo              int    // tokens of apps of Facebook
	endFrom, endAt     int    // "END " behind an offset, -1 where there is none
	runs               [4]seenRun
	nextRun            int // the run that makes way for another
}

// spansOf finds the secrets of the line, in order and apart from each other,
// and leads st to the line behind it.
func (v *view) spansOf(f found, st *state, buf []span) []span {
	v.spans = buf
	v.spans = append(v.spans, f.known...)
	v.known = len(f.known)
	if !v.cutRight {
		for v.hi > v.lo && (v.text[v.hi-1] == '\n' || v.text[v.hi-1] == '\r') {
			v.hi--
		}
	}
	v.codedValue()
	if st.coded && !v.cutLeft {
		v.codedRest()
	}
	if len(f.runs) > 0 || st.folded != "" {
		if !v.foldedLine(st.folded) {
			v.encodedRuns(f.runs)
		}
	}
	if v.rules != nil {
		v.match(f, st)
	} else if !v.cutRight {
		*st = v.next
	}
	v.encodedRuns(v.runsSeen)
	if len(v.spans) == 0 {
		return v.spans
	}
	v.twins()
	for i := range v.spans {
		if i >= v.known {
			v.spans[i] = v.inString(v.spans[i])
		}
		v.spans[i] = v.align(v.spans[i])
	}
	v.spans = union(v.spans)
	return v.spans
}

// wrappedLine is the least length of a line of wrapped base64: PEM has 64
// characters, MIME 76.
const wrappedLine = 60

// codedValue notes that the line ends in the base64 of a known value, which may
// go on.
func (v *view) codedValue() {
	for _, s := range v.spans {
		if s.coded && s.end == v.hi && s.end-s.start >= wrappedLine {
			v.next.coded = true
		}
	}
}

// codedRest masks a line behind one that ended in the base64 of a known value:
// the value's last line, which may be too short to be known again.
func (v *view) codedRest() {
	line := bytes.TrimSpace(v.text[v.lo:v.hi])
	if len(line) > 0 && run(line, base64Around) == len(line) {
		v.add(v.lo+bytes.Index(v.text[v.lo:v.hi], line), v.hi, "")
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
		v.add(v.lo, v.hi, ruleKey) // no line of a key is so long, but who knows
		return
	case before.key.lines > 0 && v.keyLine(before.key):
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
		v.userHits(v.user, f.user)
	}
	if !v.cutRight {
		v.next.curl = v.curl && v.hi > v.lo && v.text[v.hi-1] == '\\'
		*st = v.next
	}
}

// follow calls the matchers that the line before asks for.
func (v *view) follow(before state) {
	if before.open.strength != silent {
		v.pendingValue(before.open)
	}
	if before.phrase > 0 {
		v.phraseLine(before.phrase)
	}
	if before.pgpass > 0 {
		v.pgpassLine(before.pgpass)
	}
	if before.netrc > 0 {
		v.netrcLine(before.netrc)
	}
	if before.manifest != noManifest {
		v.manifestLine(before.manifest)
	}
	if before.pair.lines > 0 {
		v.secretOf(before.pair, v.lo)
		v.next.pair = partner{size: before.pair.size, lines: before.pair.lines - 1}
	}
	if before.table.columns > 0 {
		v.tableRow(before.table)
	}
	if before.curl {
		v.options(&programs[0], v.lo)
	}
}

// add marks text[start:end] as a secret, unless it is a mask already.
func (v *view) add(start, end int, rule string) {
	if start < end && string(v.text[start:end]) != Mask {
		v.spans = append(v.spans, span{start: start, end: end, rule: rule})
	}
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

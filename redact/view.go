package redact

import "github.com/envwrap/envwrap/redact/internal/ascii"

// A view is a line in front of the matchers. They mark what they find with
// add, and note in next what the line leaves to the one after it.
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
	endFrom, endAt     int    // "END " after an offset, -1 where there is none
	runs               [4]seenRun
	nextRun            int // the run that makes way for another
}

// add marks text[start:end] as a secret, unless it is a mask already.
func (v *view) add(start, end int, rule string) {
	if start < end && string(v.text[start:end]) != Mask {
		v.spans = append(v.spans, span{start: start, end: end, rule: rule})
	}
}

func trimRight(b []byte) []byte {
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t' || b[len(b)-1] == '\r') {
		b = b[:len(b)-1]
	}
	return b
}

// trimValue returns b without what may follow a value on its line.
func trimValue(b []byte) []byte {
	for len(b) > 0 {
		switch b[0] {
		case ' ', '\t', '\r', '\\', ',', ';', ')', '"', '\'', '`':
			b = b[1:]
		default:
			return b
		}
	}
	return b
}

func (v *view) spaces(i int) int {
	for i < v.hi && (v.text[i] == ' ' || v.text[i] == '\t') {
		i++
	}
	return i
}

// A seenRun is text[from:to], which is followed by no byte of class.
type seenRun struct {
	class    ascii.Class
	from, to int
}

// runOf returns how many bytes at i are of class k. It is counted once, however many
// secrets seem to begin within them.
func (v *view) runOf(i int, k ascii.Class) int {
	for _, r := range v.runs {
		if r.class == k && r.from <= i && i < r.to {
			return r.to - i
		}
	}
	r := seenRun{k, i, i + ascii.Run(v.text[i:v.hi], k)}
	if r.to > i {
		v.runs[v.nextRun%len(v.runs)] = r
		v.nextRun++
	}
	return r.to - i
}

package redact

import "github.com/envwrap/envwrap/redact/internal/syntax"

// A view is a line in front of the matchers. They mark what they find with
// add, and note in next what the line leaves to the one after it.
type view struct {
	syntax.Line // matchers stay within

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
	plainNames        int  // names that were found in the last value without quotes
	oneKey, oneSecret bool // all of the line
	oneHeader         bool
	optionsFrom       int    // where the name of the program is whose words were looked at last
	optionsTo         int    // and where they end
	pairTo            int    // secrets that go with the id of a key
	jwkTo             int    // keys in base64
	pemTo             int    // key blocks in it
	wordTo            int    // encoded words
	escapedTo         int    // texts with the escapes of URLs
	runsSeen          []span // around them
	appTo             int    // tokens of apps of Facebook
	keyEnd            endOfKey
}

// add marks text[start:end] as a secret, unless it is a mask already.
func (v *view) add(start, end int, rule string) {
	if start < end && string(v.Text[start:end]) != Mask {
		v.spans = append(v.spans, span{start: start, end: end, rule: rule})
	}
}

package redact

import (
	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// mask replaces every secret.
const mask = "***"

// A view is a line in front of the matchers. They mark what they find with
// add, and note in next what the line leaves to the one after it.
type view struct {
	syntax.Line // matchers stay within

	limit    int  // matchers are called before it
	cutLeft  bool // the line began earlier
	cutRight bool // the line goes on

	spans []span
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

// An endOfKey is the offset at of the first "END " from an offset on: -1 if there is none.
type endOfKey struct{ from, at int }

// add marks text[start:end] as a secret, unless it is a mask already.
func (v *view) add(start, end int, rule string) {
	if start < end && string(v.Text[start:end]) != mask {
		v.spans = append(v.spans, span{start: start, end: end, rule: rule})
	}
}

// pend notes a name whose value may be on the next line.
func (v *view) pend(st names.Strength, op syntax.Operator) {
	if !v.cutRight && op != syntax.OpCompare {
		v.next.open = pending{strength: st, op: op}
	}
}

// boundary reports whether a token may begin at i: not within a word.
func (v *view) boundary(i int) bool {
	if i == v.Lo {
		return !v.cutLeft
	}
	c := v.Text[i-1]
	if !ascii.Is(c, ascii.Word) {
		return true
	}
	if ascii.Backslashes(v.Text[v.Lo:], i-1-v.Lo)%2 == 1 {
		return ascii.Is(c, ascii.Lower) // the letter of an escape, such as \n
	}
	return c == 'm' && syntax.EscapedCode(v.Text[v.Lo:i]) || syntax.EscapedByte(v.Text[v.Lo:i])
}

// mark marks the value of f, which is a secret.
func (v *view) mark(f *classify.Field) {
	n := len(v.spans)
	if v.add(f.Value.Start, f.Value.End, ruleAssignment); len(v.spans) > n {
		v.spans[n].shows = f.Shows
	}
}

// nameless is a name for a value whose own is on another line.
func (v *view) nameless() syntax.Name { return syntax.Name{Line: &v.Line, Start: v.Lo, End: v.Lo} }

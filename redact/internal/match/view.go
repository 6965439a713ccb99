package match

import (
	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// Mask replaces every secret.
const Mask = "***"

// A View is a line in front of the matchers. They mark what they find with
// add, and note in next what the line leaves to the one after it.
type View struct {
	syntax.Line // matchers stay within

	Limit    int  // matchers are called before it
	CutLeft  bool // the line began earlier
	CutRight bool // the line goes on

	Spans  []Span
	Next   State
	Drop   bool // the line is within a key, and goes
	NameTo int  // end of the last name that was looked at
	Curl   bool // the options of curl were looked at

	// What was looked at already, so that no text makes us look again and
	// again.
	PlainNames          int  // names that were found in the last value without quotes
	JWKSeen, SecretSeen bool // all of the line
	HeaderSeen          bool
	OptionsFrom         int    // where the name of the program is whose words were looked at last
	OptionsTo           int    // and where they end
	PairedTo            int    // secrets that go with the id of a key
	JWKTo               int    // keys in base64
	PEMTo               int    // key blocks in it
	EncodedTo           int    // encoded words
	EscapedTo           int    // texts with the escapes of URLs
	EncodedRuns         []Span // around them
	FacebookTo          int    // tokens of apps of Facebook
	KeyEnd              endOfKey
}

// An endOfKey is the offset at of the first "END " from an offset on: -1 if there is none.
type endOfKey struct{ From, At int }

// Add marks text[start:end] as a secret, unless it is a mask already.
func (v *View) Add(start, end int, rule string) {
	if start < end && string(v.Text[start:end]) != Mask {
		v.Spans = append(v.Spans, Span{Start: start, End: end, Rule: rule})
	}
}

// Expect notes a name whose value may be on the next line.
func (v *View) Expect(st names.Strength, op syntax.Operator) {
	if !v.CutRight && op != syntax.OpCompare {
		v.Next.Pending = Pending{Strength: st, Op: op}
	}
}

// Boundary reports whether a token may begin at i: not within a word.
func (v *View) Boundary(i int) bool {
	if i == v.Lo {
		return !v.CutLeft
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

// Mark marks the value of f, which is a secret.
func (v *View) Mark(f *classify.Field) {
	n := len(v.Spans)
	if v.Add(f.Value.Start, f.Value.End, RuleAssignment); len(v.Spans) > n {
		v.Spans[n].Shows = f.Shows
	}
}

// Nameless is a name for a value whose own is on another line.
func (v *View) Nameless() syntax.Name { return syntax.Name{Line: &v.Line, Start: v.Lo, End: v.Lo} }

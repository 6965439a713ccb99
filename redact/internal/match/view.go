// Package match holds a line while matchers look for secrets in it: the line with the text
// around it, the spans they have found, and the state that the line leaves to the next.
package match

import (
	"slices"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// Mask replaces every secret.
const Mask = "***"

// A View is the line that matchers look at. They add the spans of secrets to Spans, and
// set Next to the state after the line.
type View struct {
	syntax.Line // matchers stay within

	Limit    int  // matchers are called for literals before this offset
	CutLeft  bool // the line began earlier
	CutRight bool // the line goes on

	Spans       []Span
	EncodedRuns []Span // encoded texts that matchers have noticed and nobody has decoded yet
	Next        State
	Drop        bool // the line is all of a private key, and is left out
	Curl        bool // the line has a command of curl, which may go on
	Checksum    bool // the line has the checksum of a package after its name
	OfAccount   bool // a line before it, with the same indentation, names a user

	Memo
}

// A Memo records how far matchers have searched a line, so that no text makes them search
// the same bytes again and again. Each field is one matcher's; an offset is the end of the
// part that it has searched.
type Memo struct {
	NameTo     int // end of the last name
	PlainNames int // names that were found in the last value without quotes
	Places     int // of values, in statements of SQL

	OptionsFrom int // start of the program's name whose options were searched last
	OptionsTo   int

	PairedTo   int // secret keys that go with the id of a cloud's key
	FacebookTo int // tokens of apps of Facebook
	JWKTo      int // JSON Web Keys in base64
	PEMTo      int // private keys in base64
	EncodedTo  int // words for secrets in base64
	EscapedTo  int // texts with escapes of URLs

	HeaderSeen, SecretSeen bool // all of the line was searched
	QuoteSeen, HasQuote    bool // it was searched for a double quote, and has one

	KeyEnd KeyEnd
	Tokens TokenRow
}

// Forget has the matchers that search ahead do so again, so that what they find from now on
// depends on nothing that they have found.
func (m *Memo) Forget() { m.OptionsTo, m.PairedTo, m.FacebookTo = 0, 0, 0 }

// A TokenRow is the row of tokens with nothing between that was followed last.
type TokenRow struct {
	Of      any // their family
	Start   int
	Len     int
	Ends    [16]int // of the first Len tokens
	Classes [16]ascii.Class
}

// End returns the end of the row.
func (r *TokenRow) End() int {
	if r.Len == 0 {
		return r.Start
	}
	return r.Ends[r.Len-1]
}

// Cut removes the tokens before pos. It reports false if none of the row begins there, nor
// the row ends.
func (r *TokenRow) Cut(pos int) bool {
	n := 0
	if pos != r.Start {
		if n = slices.Index(r.Ends[:r.Len], pos) + 1; n == 0 {
			return false
		}
	}
	r.Start = pos
	r.Len = copy(r.Ends[:], r.Ends[n:r.Len])
	copy(r.Classes[:], r.Classes[n:])
	return true
}

// A KeyEnd is the offset At of the first "END " at or after the offset From, -1 if
// none follows.
type KeyEnd struct{ From, At int }

// Add adds the span Text[start:end] unless it is empty, a mask already or the checksum of
// a package.
func (v *View) Add(start, end int, rule string) {
	if start < end && string(v.Text[start:end]) != Mask && !(v.Checksum && end-start == sha1Digits) {
		v.Spans = append(v.Spans, Span{Start: start, End: end, Rule: rule})
	}
}

const sha1Digits = 40

// Mark adds the value of f, which is a secret.
func (v *View) Mark(f *classify.Field) {
	n := len(v.Spans)
	if v.Add(f.Value.Start, f.Value.End, RuleAssignment); len(v.Spans) > n {
		v.Spans[n].Shows = f.Shows
	}
}

// Expect notes that the value of a name, of strength st and before the operator op, may be
// on the next line.
func (v *View) Expect(st names.Strength, op syntax.Operator) {
	if !v.CutRight && op != syntax.OpCompare && v.Next.Pending.Op != syntax.OpIs { // of a command that prints one
		v.Next.Pending = Pending{Strength: st, Op: op}
	}
}

// Nameless returns an empty name, for a value whose name is on another line.
func (v *View) Nameless() syntax.Name { return syntax.Name{Line: &v.Line, Start: v.Lo, End: v.Lo} }

// Boundary reports whether a token may begin at i: not within a word.
func (v *View) Boundary(i int) bool {
	if i == v.Lo {
		return !v.CutLeft
	}
	c := v.Text[i-1]
	if !ascii.Is(c, ascii.Word) {
		return true
	}
	if i-2 >= v.Lo && v.Text[i-2] == '-' && (i-2 == v.Lo || syntax.EndsValue(v.Text[i-3])) {
		return true // the argument of an option of one letter: -ktoken
	}
	if ascii.Backslashes(v.Text[v.Lo:], i-1-v.Lo)%2 == 1 {
		return ascii.Is(c, ascii.Lower) // the letter of an escape, such as \n
	}
	return syntax.EscapedCode(v.Text[v.Lo:i]) || syntax.EscapedByte(v.Text[v.Lo:i])
}

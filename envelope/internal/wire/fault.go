package wire

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Fault is something wrong with a document.
type Fault struct {
	Pointer string `json:"pointer"` // JSON Pointer (RFC 6901); "" is the whole document
	Rule    string `json:"rule"`    // stable name, for instance "member/missing"
	Text    string `json:"text"`    // the value found and the values allowed
}

// String returns the line that a checker prints: pointer, rule, text. The pointer to
// the whole document is written as "/".
func (f Fault) String() string {
	return OrRoot(f.Pointer) + " " + f.Rule + " " + f.Text
}

// OrRoot returns a JSON Pointer, and "/" for that to the whole document, which is "".
func OrRoot(pointer string) string {
	if pointer == "" {
		return "/"
	}
	return pointer
}

// Problems collects the faults of one document.
type Problems struct {
	Faults []Fault
	Strict bool
	Size   int    // bytes of the document
	Late   string // the first outermost member that comes too late
}

// Reported reports whether there is a fault at a place.
func (p *Problems) Reported(pointer string) bool {
	return slices.ContainsFunc(p.Faults, func(f Fault) bool { return f.Pointer == pointer })
}

// Add adds a fault.
func (p *Problems) Add(pointer, rule, format string, args ...any) {
	p.Faults = append(p.Faults, Fault{pointer, rule, fmt.Sprintf(format, args...)})
}

// Shorten returns s cut to n characters, with … where something was left out.
func Shorten(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	return headRunes(s, max(n-1, 0)) + "…"
}

// headRunes returns the first n characters of s.
func headRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// SubAnd is [Problems.Sub] followed by [Problems.And] with check.
func (p *Problems) SubAnd(pointer string, raw json.RawMessage, into any, check func(p *Problems)) {
	before := len(p.Faults)
	p.Sub(pointer, raw, into)
	p.And(before, check)
}

// And adds the faults that check reports, except at, above or below the places of those
// from index before on.
func (p *Problems) And(before int, check func(p *Problems)) {
	more := Problems{Strict: p.Strict, Late: p.Late}
	check(&more)
	shape := p.Faults[before:]
	for _, f := range more.Faults {
		near := func(o Fault) bool {
			return strings.HasPrefix(f.Pointer+"/", o.Pointer+"/") || strings.HasPrefix(o.Pointer+"/", f.Pointer+"/")
		}
		if !slices.ContainsFunc(shape, near) {
			p.Faults = append(p.Faults, f)
		}
	}
}

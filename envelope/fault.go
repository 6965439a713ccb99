package envelope

import (
	"fmt"
	"slices"
	"strings"
)

// A Fault is one thing that is wrong with a document.
type Fault struct {
	Pointer string `json:"pointer"` // JSON Pointer (RFC 6901); "" is the whole document
	Rule    string `json:"rule"`    // stable name, for instance "member/missing"
	Text    string `json:"text"`    // what was found and what is allowed
}

// String is the line that a checker prints: pointer, rule, text. The pointer to
// the whole document is spelled "/".
func (f Fault) String() string {
	return orRoot(f.Pointer) + " " + f.Rule + " " + f.Text
}

// orRoot is a pointer as a line has it.
func orRoot(pointer string) string {
	if pointer == "" {
		return "/"
	}
	return pointer
}

// A FaultError is a document with faults.
type FaultError struct {
	Dialect string
	Faults  []Fault // at least one, in the order of the document
}

func (e *FaultError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "read %s envelope: %s", e.Dialect, e.Faults[0])
	if n := len(e.Faults) - 1; n > 0 {
		fmt.Fprintf(&b, " (and %d more)", n)
	}
	return b.String()
}

// problems collects the faults of one document.
type problems struct {
	faults []Fault
	strict bool
	size   int    // bytes of the document
	late   string // the first outermost member that stands too late
}

// told reports whether there is a fault at a place.
func (p *problems) told(pointer string) bool {
	return slices.ContainsFunc(p.faults, func(f Fault) bool { return f.Pointer == pointer })
}

func (p *problems) add(pointer, rule, format string, args ...any) {
	p.faults = append(p.faults, Fault{pointer, rule, fmt.Sprintf(format, args...)})
}

package envelope

import (
	"fmt"
	"strings"
)

// A Fault is one thing that is wrong with a document.
type Fault struct {
	Pointer string `json:"pointer"` // JSON Pointer (RFC 6901); "" is the whole document
	Rule    string `json:"rule"`    // stable name, for instance "member/missing"
	Text    string `json:"text"`    // what was found and what is allowed
}

func (f Fault) String() string {
	p := f.Pointer
	if p == "" {
		p = "/"
	}
	return p + " " + f.Rule + " " + f.Text
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

// ValidateOptions are what is checked beyond the format itself.
type ValidateOptions struct {
	Strict bool // unknown members are faults
}

// Validate reports everything that is wrong with one envelope of dialect d; nil
// where nothing is.
func Validate(d Dialect, doc []byte, o ValidateOptions) []Fault { return nil }

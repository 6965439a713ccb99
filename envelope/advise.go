package envelope

import (
	"strconv"
	"strings"
)

// Advice is what a caller does with a helper's answer.
type Advice int

const (
	FallBack Advice = iota // take another way: there is nothing to read
	Install                // tell the user how to get the tool that is missing
	Flag                   // read the answer, and say that sources were skipped
	Read                   // read the answer
)

// String is the advice in one word.
func (a Advice) String() string {
	switch a {
	case Install:
		return "install"
	case Flag:
		return "flag"
	case Read:
		return "read"
	}
	return "fall-back"
}

// Advise is the consumer's algorithm of "Schema-Versioned Helper Output
// Envelope" for the record of any dialect, read with [Decode]. major is the
// schema version's major number that the caller knows; an answer of another one
// is not to be read, whatever its status. Then the status decides: error,
// tool-missing, partial, ok. Dialects without a schema version count as 1.
func Advise(r *Result, major int) Advice {
	if r.schemaMajor() != major {
		return FallBack
	}
	switch statusOfHelper(r) {
	case helperOK:
		return Read
	case helperPartial:
		return Flag
	case helperMissing:
		return Install
	}
	return FallBack
}

// schemaMajor is the major number of the payload's schema version.
func (r *Result) schemaMajor() int {
	version := stringIn(r.Extra.Get("schema_version"))
	if version == "" {
		return 1
	}
	number, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(number)
	if err != nil {
		return -1
	}
	return n
}

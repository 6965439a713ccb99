package envelope

import (
	"github.com/envwrap/envwrap/excerpt"
)

// Keep chooses which outputs are stored although they are small.
type Keep int

const (
	KeepLarge  Keep = iota // only output over the inline limit
	KeepFailed             // also the output of a command that failed
	KeepAll                // any output
	KeepTailed             // as KeepFailed, and stderr that is longer than its tail
	KeepBeside             // as KeepFailed, and any stderr beside a JSON value on stdout
	KeepExact              // as KeepLarge, and text that is shown cleaned
	KeepHidden             // as KeepLarge, and text with hidden characters, which are spelled
)

// Wants reports whether s, which is r's Stdout or Stderr, must be stored although it is
// small. It must be called for Stdout first: the answer for Stderr depends on where
// Stdout is.
func (k Keep) Wants(r *Result, s *Stream) bool {
	stderr := s == &r.Stderr && s.Bytes > 0
	switch {
	case k == KeepLarge || k.IsText():
		return false
	case k == KeepAll || !r.Outcome.OK():
		return true
	case k == KeepTailed:
		return stderr && s.Bytes > stderrTailMost
	case k == KeepBeside:
		return stderr && r.Stdout.isJSON()
	}
	return false
}

// IsText reports whether the dialect is a text that has the output itself, whatever its
// size is.
func (k Keep) IsText() bool { return k == KeepExact || k == KeepHidden }

// WantsExact reports whether s, which stays inline, must be stored, too, because its text
// in the envelope differs from the printed bytes.
func (k Keep) WantsExact(s *Stream) bool {
	switch {
	case s.Artifact != "":
		return false
	case s.Replaced > 0:
		return true
	case k == KeepExact:
		return hasHidden(s.Text) || excerpt.Folded(s.Text).Text != s.Text
	}
	return k == KeepHidden && hasHidden(s.Text)
}

// A Placement decides which output of a run is inline in its envelope, and which is
// stored. [Dialect.Placement] returns one. With the zero Placement all output within
// the limit is inline.
type Placement struct {
	Keep Keep
	fits func(*Result) bool // nil is always
}

// isJSON reports whether the stream is here, whole, as a JSON value.
func (s *Stream) isJSON() bool { return s.JSON != nil && s.Artifact == "" && !s.Truncated }

// Parse chooses how stdout is interpreted.
type Parse int

const (
	ParseAuto   Parse = iota // a JSON object or array is JSON, anything else text
	ParseJSON                // any JSON value; other output is EPARSE
	ParseNDJSON              // one JSON value on each line, as an array
	ParseText                // always text; an envelope is not adopted
)

// stderrTailMost is the most characters of error.details.stderr_tail.
const stderrTailMost = 1000

func classifiers() []Classifier {
	return []Classifier{ByEnvwrap, ByOption, ByTable, ByPipeline, BySignature, BySysexits, ByShell, ByStatus}
}

// inlineMost is the inline threshold of the document, in bytes.
const inlineMost = 32 << 10

// ProgressMost is the largest size of a progress event in bytes.
const ProgressMost = 4 << 10

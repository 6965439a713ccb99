package envelope

import (
	"cmp"
	"slices"

	"github.com/envwrap/envwrap/excerpt"
)

// Keep says which outputs a dialect wants in the store although they are small.
type Keep int

const (
	KeepLarge  Keep = iota // only what is over the inline limit
	KeepFailed             // and the output of a command that failed
	KeepAll                // any output
	KeepTailed             // as KeepFailed, and a stderr that is longer than its tail
	KeepBeside             // as KeepFailed, and any stderr beside a JSON value on stdout
	KeepExact              // only what is over the inline limit, and text that is shown cleaned
)

// Wants reports whether s, which is r's Stdout or Stderr, must be in the store
// although it is small. Ask for Stdout first: where that is decides about Stderr.
func (k Keep) Wants(r *Result, s *Stream) bool {
	stderr := s == &r.Stderr && s.Bytes > 0
	switch {
	case k == KeepLarge || k == KeepExact:
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

// WantsExact reports whether s, which stays in the envelope, must be in the store
// too, since what is shown is not what was printed byte for byte.
func (k Keep) WantsExact(s *Stream) bool {
	return s.Artifact == "" && (s.Replaced > 0 || k == KeepExact && excerpt.Folded(s.Text).Text != s.Text)
}

// A Placement says which output of a run stands in its envelope, and which in the
// store: what [Dialect.Placement] wants. The zero Placement has inline whatever is
// within the limit.
type Placement struct {
	Keep Keep
	fits func(*Result) bool // nil is always
}

// Fits reports whether r may stay as it is: the compact protocol/v1 `data` has no
// more bytes than limit, and the envelope is within the budget with nothing shrunk,
// and nothing left out that is in no store.
func (p Placement) Fits(r *Result, limit int64) bool {
	return int64(InlineSize(r)) <= limit && (p.fits == nil || p.fits(r))
}

// MakeRoom moves slots, the heaviest first, until the rest fits. One that weighs
// nothing stays.
func MakeRoom[S any](slots []S, weight func(S) int64, fits func() bool, move func(S)) {
	slots = slices.Clone(slots)
	slices.SortStableFunc(slots, func(a, b S) int { return cmp.Compare(weight(b), weight(a)) })
	for _, s := range slots {
		if weight(s) <= 0 || fits() {
			return
		}
		move(s)
	}
}

// isJSON reports whether the stream is here, whole, as a JSON value.
func (s *Stream) isJSON() bool { return s.JSON != nil && s.Artifact == "" && !s.Truncated }

// Parse says how stdout is read.
type Parse int

const (
	ParseAuto   Parse = iota // one JSON object or array is JSON, all else text
	ParseJSON                // any JSON value; stdout that is none is EPARSE
	ParseNDJSON              // a line a value, as an array
	ParseText                // always text; an envelope is not adopted
)

// stderrTailMost is the most characters of error.details.stderr_tail.
const stderrTailMost = 1000

func classifiers() []Classifier {
	return []Classifier{ByEnvwrap, ByOption, ByTable, ByPipeline, BySignature, BySysexits, ByShell, ByStatus}
}

// inlineMost is the inline threshold of the document, in bytes.
const inlineMost = 32 << 10

// ProgressMost is the most bytes of a progress event.
const ProgressMost = 4 << 10

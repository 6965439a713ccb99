package envelope

import "errors"

// EncodeOptions are the choices of whoever wants an envelope. The zero value
// is the dialect's own way.
type EncodeOptions struct {
	Layout        Layout
	IncludeOutput Include
	// Budget is the most characters of the whole envelope, counted as UTF-16
	// units; 0 is no limit. foxctl/v1 has at most 32 KiB in any case.
	Budget int
}

// Layout chooses between one line and indentation.
type Layout int

const (
	LayoutDefault Layout = iota // the dialect's own
	LayoutPretty                // two spaces
	LayoutCompact               // one line
)

// Include chooses whether a completed command's output is inlined where the
// dialect leaves it out (delegator/v3.6).
type Include int

const (
	IncludeDefault Include = iota // the dialect's own
	IncludeAlways
	IncludeNever
)

var errNotYet = errors.New("not there yet")

// Encode spells r in d: one envelope and one final newline, valid UTF-8. r is
// not changed. Over the budget, excerpts shrink, then previews, tails and argv;
// status, codes, message and digests stay, so a budget below some 2,000
// characters may be passed. An error means that r holds JSON that is none.
func Encode(d Dialect, r *Result, o EncodeOptions) ([]byte, error) { return nil, errNotYet }

// Fits reports whether r can be spelled in d within the budget without
// shrinking anything. Where it says no, the caller moves a stream to the store
// and asks again.
func Fits(d Dialect, r *Result, o EncodeOptions) bool { return true }

// InlineSize is the size in bytes of the compact protocol/v1 `data` of r as r
// stands: ask while both streams are inline. It is the one measure against
// --inline-limit, whatever the dialect and layout.
func InlineSize(r *Result) int { return 0 }

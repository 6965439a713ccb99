package envelope

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/excerpt"
)

// EncodeOptions configure [Encode]. The zero value means the dialect's defaults.
type EncodeOptions struct {
	Layout        Layout
	Detail        Detail
	IncludeOutput Include
	// Whole keeps text as it was printed, which brief/v1 would otherwise clean.
	Whole bool
	// IncludeEvents inlines the last events of a result_set, which are the lines of
	// JSON that the command printed (delegator/v3.6 only).
	IncludeEvents bool
	// MaxOutput is how many bytes of output delegator/v3.6 inlines, both streams
	// together; 0 is 64 KiB.
	MaxOutput int
	// Budget limits the whole envelope, in characters counted as UTF-16 units; 0 is no
	// limit. foxctl/v1 is limited to 32 KiB in any case.
	Budget int
	// FailureBudget is the Budget of a command that did not end with 0, if it is smaller.
	FailureBudget int
	// Below means that the reader gets the command's output and status from another
	// program, which ran envwrap in the place of a shell: brief/v1 then adds to the output
	// only what that program does not say, and nothing to a success without anything to
	// say.
	Below bool
	// Shown is the output that the reader of brief/v1 has seen already; nil means no output.
	Shown *Shown
}

// Layout chooses between one line and indentation.
type Layout int

const (
	LayoutDefault Layout = iota // the dialect's own
	LayoutPretty                // two spaces
	LayoutCompact               // one line
)

// Include chooses whether the output of a completed command is inlined in
// delegator/v3.6, which leaves it out by default.
type Include int

const (
	IncludeDefault Include = iota // the dialect's own
	IncludeAlways
	IncludeNever
)

// Detail chooses between the full and the lean form of an envelope.
type Detail int

const (
	DetailFull Detail = iota // all members
	DetailLean               // without members that repeat others or are empty
)

// ArtifactState is the state of an artifact in a store.
type ArtifactState int

const (
	ArtifactWhole   ArtifactState = iota // it exists, and matches its digest
	ArtifactMissing                      // the store does not have it
	ArtifactCorrupt                      // its content does not match its digest
)

// ValidateOptions choose what [Validate] checks beyond the format itself.
type ValidateOptions struct {
	Strict bool // members that the format's document does not define are faults

	// Mask returns a JSON document with its secrets masked; each change is a fault. If
	// it is nil secrets are not looked for.
	Mask func(doc []byte) []byte
	// Artifact returns the state of the artifact with a digest, sha256:<64 hex>. If it
	// is nil artifacts are not checked.
	Artifact func(digest string) ArtifactState
}

// A textLimits bounds each kind of text in an envelope: bytes of
// excerpts, previews and inline content, characters of the rest. 0 is no limit.
type textLimits struct {
	excerpt int // head and tail of a stream in the store
	preview int // summary.preview
	tail    int // stderr_tail and its like
	argv    int // the whole command line
	text    int // each hint, warning, message; and each member without a field
	inline  int // content that could not go to the store
}

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
	case s.Replaced > 0, k.IsText() && len(s.Binary) > 0:
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
	fits func(*Result) bool // if nil, all fit
}

// isJSON reports whether the stream is here, whole, as a JSON value.
func (s *Stream) isJSON() bool { return s.JSON != nil && s.Artifact == "" && !s.Truncated }

// stderrTailMost is the most characters of error.details.stderr_tail.
const stderrTailMost = 1000

// inlineMost is the inline threshold of the document, in bytes.
const inlineMost = 32 << 10

// ProgressMost is the largest size of a progress event in bytes.
const ProgressMost = 4 << 10

// Shown is the output that the reader of a brief answer saw while the command ran. The answer
// leaves that out.
type Shown struct {
	Stdout, Stderr ShownStream
	// All means that both streams were shown as they came.
	All bool
	// Text is everything that was shown, with the lines of envwrap's own; the answer's
	// budget is smaller by that.
	Text string
}

// ShownStream is the beginning of a stream.
type ShownStream struct {
	Lines int64  // whole lines
	Part  string // what was shown of the line after them
}

// of returns what was shown of a stream of the run, and false if nothing was.
func (s *Shown) of(name string) (ShownStream, bool) {
	if s == nil || s.All {
		return ShownStream{}, false
	}
	shown := s.Stdout
	if name == "stderr" {
		shown = s.Stderr
	}
	return shown, shown.Lines > 0 || shown.Part != ""
}

// rest returns text, the whole or an excerpt of a stream, without the lines that were
// shown. Gaps begin after them. seen is how many lines of gaps were shown.
func (s ShownStream) rest(text string) (rest string, seen int64) {
	var b strings.Builder
	n := int64(0) // the number of the line before
	for line := range strings.Lines(text) {
		if first, last, ok := gapLines(line); ok {
			from := max(first, s.Lines+1)
			seen += min(from, last+1) - first
			if n = last; from <= last {
				b.WriteString(gapLine(from, last))
			}
			continue
		}
		switch n++; {
		case n <= s.Lines:
		case n == s.Lines+1:
			b.WriteString(strings.TrimPrefix(line, s.Part))
		default:
			b.WriteString(line)
		}
	}
	return b.String(), seen
}

// gapLines returns the first and the last line that a gap of an excerpt stands for, and
// false for any other line.
func gapLines(line string) (first, last int64, ok bool) {
	inner, begins := strings.CutPrefix(line, "... ")
	inner, ends := strings.CutSuffix(strings.TrimSuffix(inner, "\n"), ") ...")
	_, numbers, has := strings.Cut(inner, " lines (")
	from, to, ranged := strings.Cut(numbers, "-")
	if !begins || !ends || !has || !ranged {
		return 0, 0, false
	}
	first, err1 := strconv.ParseInt(from, 10, 64)
	last, err2 := strconv.ParseInt(to, 10, 64)
	return first, last, err1 == nil && err2 == nil && first <= last
}

// gapLine returns the line of a gap, as an excerpt has it.
func gapLine(first, last int64) string {
	return fmt.Sprintf("... %s lines (%d-%d) ...\n", thousands(last-first+1), first, last)
}

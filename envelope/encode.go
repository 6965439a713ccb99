package envelope

import (
	"fmt"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// Encode returns r as an envelope of dialect d: valid UTF-8, with one final newline. r
// is not changed. If the envelope exceeds the budget, excerpts are shortened, then
// previews, tails and argv; status, codes, message and digests are not, so a budget
// below some 2,000 characters may be exceeded. An error means that JSON in r is
// invalid; the envelope is complete nevertheless, with null in its place.
func Encode(d Dialect, r *Result, o EncodeOptions) ([]byte, error) {
	v := newView(r, o)
	doc, err := d.self().spell(v)
	for i := 0; i < len(cuts) && !d.self().within(v, doc); i++ {
		v.cut = cuts[i]
		doc, err = d.self().spell(v)
	}
	if err != nil {
		return doc, fmt.Errorf("spell %s envelope: %w", d.Name(), err)
	}
	return doc, nil
}

// fits reports whether r can be spelled within the budget, with nothing shrunk and
// nothing left out that is in no store.
func (d *dialect) fits(r *Result, o EncodeOptions) bool {
	v := newView(r, o)
	if d.complete != nil && !d.complete(v) {
		return false
	}
	if o.Budget == 0 && d.limit == 0 && !v.Progress {
		return true
	}
	doc, _ := d.spell(v)
	return d.within(v, doc)
}

// InlineSize returns the size in bytes of r's `data` in compact protocol/v1, which is
// compared with --inline-limit whatever the dialect and layout. Both streams of r have
// to be inline.
func InlineSize(r *Result) int {
	doc, _ := wire.Encode(protocolData(newView(r, EncodeOptions{})))
	return len(doc)
}

// spell writes one envelope, whatever its size.
func (d *dialect) spell(v *view) ([]byte, error) {
	if d.text != nil {
		return append(d.text(v), '\n'), nil
	}
	w := d.blank()
	w.fill(v)
	doc, err := wire.Encode(w)
	doc = d.leanForm(v, doc)
	if d.frame != nil {
		return append(d.frame(doc, v), '\n'), err
	}
	if doc = escapeHidden(doc); v.opt.Layout == LayoutPretty || v.opt.Layout == LayoutDefault && d.indented {
		doc = wire.Indent(doc)
	}
	return append(doc, '\n'), err
}

func (d *dialect) within(v *view, doc []byte) bool {
	if v.Progress && len(doc) > ProgressMost {
		return false
	}
	budget := v.opt.Budget
	return (d.limit == 0 || len(doc) <= d.limit) && (budget == 0 || len(doc) <= budget || units(doc) <= budget)
}

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

// A cut says how much of each kind of text an envelope has room for: bytes of
// excerpts, previews and inline content, characters of the rest. 0 is no limit.
type cut struct {
	excerpt int // head and tail of a stream in the store
	preview int // summary.preview
	tail    int // stderr_tail and its like
	argv    int // the whole command line
	text    int // each hint, warning, message; and each member without a field
	inline  int // content that could not go to the store
}

// The cuts, in the order in which they are tried. What an agent can get
// elsewhere goes first; what only the envelope knows goes last.
var cuts = [...]cut{
	{excerpt: 3 << 10},
	{excerpt: 2 << 10},
	{excerpt: 3 << 9},
	{excerpt: 1 << 10},
	{excerpt: 1 << 9, preview: 768},
	{excerpt: 1 << 8, preview: 512},
	{excerpt: 1 << 7, preview: 256, tail: 16 << 10},
	{excerpt: 1, preview: 1, tail: 4 << 10},
	{excerpt: 1, preview: 1, tail: 1 << 10},
	{excerpt: 1, preview: 1, tail: 500},
	{excerpt: 1, preview: 1, tail: 200},
	{excerpt: 1, preview: 1, tail: 200, argv: 2 << 10},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 9},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 8, text: 400},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 8, text: 300, inline: 16 << 10},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 8, text: 300, inline: 8 << 10},
	{excerpt: 1, preview: 1, tail: 100, argv: 1 << 7, text: 200, inline: 4 << 10},
	{excerpt: 1, preview: 1, tail: 50, argv: 1 << 6, text: 150, inline: 2 << 10},
	{excerpt: 1, preview: 1, tail: 1, argv: 1 << 6, text: 100, inline: 1 << 9},
	{excerpt: 1, preview: 1, tail: 1, argv: 32, text: 80, inline: 64},
}

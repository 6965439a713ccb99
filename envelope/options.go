package envelope

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

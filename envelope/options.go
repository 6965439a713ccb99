package envelope

// EncodeOptions are the choices of whoever wants an envelope. The zero value
// is the dialect's own way.
type EncodeOptions struct {
	Layout        Layout
	Detail        Detail
	IncludeOutput Include
	// Whole shows text as it was printed where brief/v1 would clean it.
	Whole bool
	// IncludeEvents inlines the last events of a result_set: the lines of JSON that
	// the command printed (delegator/v3.6).
	IncludeEvents bool
	// MaxOutput is the most bytes of output that delegator/v3.6 inlines, both
	// streams together; 0 is its own 64 KiB.
	MaxOutput int
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

// Detail chooses between all members and the lean form.
type Detail int

const (
	DetailFull Detail = iota // all members
	DetailLean               // without those that say nothing new
)

// ArtifactState is what a store says of an artifact.
type ArtifactState int

const (
	ArtifactWhole   ArtifactState = iota // it is there, and is what its digest says
	ArtifactMissing                      // the store does not have it
	ArtifactCorrupt                      // its content is not what its digest says
)

// ValidateOptions are what is checked beyond the format itself.
type ValidateOptions struct {
	Strict bool // members that the document does not name are faults

	// Mask masks the secrets in a JSON document and leaves it one; what it
	// changes is a fault. Nil: secrets are not looked for.
	Mask func(doc []byte) []byte
	// Artifact returns the state of the artifact with a digest, sha256:<64 hex>. Nil:
	// artifacts are not looked for.
	Artifact func(digest string) ArtifactState
}

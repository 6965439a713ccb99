package artifact

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrNotFound means that no object has the id.
	ErrNotFound = errors.New("no such artifact")
	// ErrCorrupt means that an object's bytes do not match its digest. It has
	// been moved to quarantine/ where that was possible.
	ErrCorrupt = errors.New("the artifact is corrupt: its bytes do not match its digest")
	// ErrID means that a text is no id.
	ErrID = errors.New("an id is sha256: and 64 hexadecimal digits, or the first 6 or more of them")
)

// An AmbiguousError means that an id is the beginning of several digests.
type AmbiguousError struct {
	ID         string
	Candidates []string // sha256:<hex>, sorted
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q is the beginning of %d artifacts: %s", e.ID, len(e.Candidates), strings.Join(e.Candidates, ", "))
}

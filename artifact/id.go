package artifact

import (
	"errors"
	"fmt"
	"strings"
)

// minPrefix is how many hexadecimal digits an id has at least.
const minPrefix = 6

// parseID returns the hexadecimal digits of an id, in lower case.
func parseID(id string) (string, error) {
	name := strings.ToLower(id)
	name = strings.TrimPrefix(name, digestPrefix)
	if len(name) < minPrefix || len(name) > hexLen || !isHex(name) {
		return "", fmt.Errorf("%q: %w", id, ErrID)
	}
	return name, nil
}

// isPart reports whether a name can be that of a part file: it has a dot, which no id has.
func isPart(name string) bool {
	return strings.Contains(name, ".") && !strings.HasPrefix(name, ".") && !strings.ContainsAny(name, `/\`)
}

var (
	// ErrNotFound means that no object has the id.
	ErrNotFound = errors.New("no such artifact")
	// ErrCorrupt means that an object's bytes do not match its digest. It has
	// been moved to quarantine/ where that was possible.
	ErrCorrupt = errors.New("the artifact is corrupt: its bytes do not match its digest")
	// ErrID means that a text does not have the form of an id.
	ErrID = errors.New("an id is sha256: and 64 hexadecimal digits, or the first 6 or more of them")
)

// An AmbiguousError means that an id is a prefix of several digests.
type AmbiguousError struct {
	ID         string
	Candidates []string // sha256:<hex>, sorted
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q is the beginning of %d artifacts: %s", e.ID, len(e.Candidates), strings.Join(e.Candidates, ", "))
}

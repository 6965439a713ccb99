package job

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/oklog/ulid/v2"
)

// TaskPrefix is the prefix that ids have in delegator/v3.6.
const TaskPrefix = "T-local-"

// candidatesMost is how many ids an AmbiguousError names.
const candidatesMost = 10

// An AmbiguousError means that an id is a prefix of several jobs' ids.
type AmbiguousError struct {
	Prefix string
	IDs    []string // at most ten, in order
	More   int      // how many further ids there are
}

func (e *AmbiguousError) Error() string {
	text := fmt.Sprintf("job %q is ambiguous: %s", e.Prefix, strings.Join(e.IDs, ", "))
	if e.More > 0 {
		text += fmt.Sprintf(" and %d more", e.More)
	}
	return text
}

// Resolve returns the ULID of the job that id names. The error wraps ErrNotFound, or is
// an *AmbiguousError.
func (s *Store) Resolve(id string) (string, error) {
	prefix := strings.ToUpper(id)
	prefix = strings.TrimPrefix(prefix, strings.ToUpper(TaskPrefix))
	if prefix == "" || strings.Trim(prefix, ulid.Encoding) != "" || len(prefix) > ulid.EncodedSize {
		return "", fmt.Errorf("job %q: %w", id, ErrNotFound)
	}
	if len(prefix) == ulid.EncodedSize {
		if s.root.has(prefix, recordFile) {
			return prefix, nil
		}
		return "", fmt.Errorf("job %q: %w", id, ErrNotFound)
	}
	ids, err := s.root.ids()
	if err != nil {
		return "", fmt.Errorf("find job %q: %w", id, err)
	}
	ids = slices.DeleteFunc(ids, func(known string) bool { return !strings.HasPrefix(known, prefix) })
	if len(ids) > 1 { // what a killed submit has left is no job
		ids = slices.DeleteFunc(ids, func(known string) bool { return !s.root.has(known, recordFile) })
	}
	switch n := len(ids); {
	case n == 0:
		return "", fmt.Errorf("job %q: %w", id, ErrNotFound)
	case n > 1:
		return "", &AmbiguousError{Prefix: id, IDs: ids[:min(n, candidatesMost)], More: max(n-candidatesMost, 0)}
	}
	return ids[0], nil
}

// IsID reports whether a name has the form of an id: a ULID in upper case.
func IsID(name string) bool {
	if len(name) != ulid.EncodedSize || name[0] > '7' {
		return false
	}
	for _, c := range []byte(name) {
		if c >= 128 || idBytes[c/64]>>(c%64)&1 == 0 {
			return false
		}
	}
	return true
}

// idBytes has a bit for each byte of an id: digits, and capital letters but I, L, O
// and U.
var idBytes = [2]uint64{
	(1<<10 - 1) << '0',
	((1<<26 - 1) << 'A' &^ (1<<'I' | 1<<'L' | 1<<'O' | 1<<'U')) >> 64,
}

// later returns id, or the next one after last where id is not after it: a clock
// that was set back, or two jobs of one millisecond, keep the order of submit.
func later(id, last string) (string, error) {
	if !IsID(last) || id > last {
		return id, nil
	}
	old := ulid.MustParseStrict(last)
	for i := len(old) - 1; i >= 0; i-- {
		if old[i]++; old[i] != 0 {
			return old.String(), nil
		}
	}
	return "", errors.New("the ids of jobs are used up: the last one is from the year 10889")
}

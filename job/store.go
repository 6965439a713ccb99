package job

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Errors that a caller may branch on.
var (
	// ErrNotFound: no job has the id.
	ErrNotFound = errors.New("no such job")
	// ErrRunning: the job is not over yet.
	ErrRunning = errors.New("the job still runs")
	// ErrUnsupported: this system, or the store's file system, has no locks
	// that outlive nobody, so that jobs cannot be told alive from dead.
	ErrUnsupported = errors.New("background jobs are not supported here")
)

// An AmbiguousError means that an id is the beginning of several.
type AmbiguousError struct {
	Prefix string
	IDs    []string // at most ten, in order
	More   int      // how many there are beside these
}

func (e *AmbiguousError) Error() string {
	text := fmt.Sprintf("job %q is ambiguous: %s", e.Prefix, strings.Join(e.IDs, ", "))
	if e.More > 0 {
		text += fmt.Sprintf(" and %d more", e.More)
	}
	return text
}

// Options configure a Store.
type Options struct {
	Dir string           // absolute path of the artifact store
	Now func() time.Time // required
}

// The methods of a Store:
//
//	Submit(Draft) (Record, Position, error)      adds a job and starts its supervisor
//	Wait(ctx, id) (Record, error)                blocks until it is over, or ctx is done: then ErrRunning
//	Get(id) (Record, error)                      as it is now
//	List() ([]Record, error)                     all, in the order of submit
//	Result(id) (*envelope.Result, error)         the finished run; JobID is set; ErrRunning before
//	Cancel(ctx, id) (Record, error)              ends the whole tree within two seconds
//	Tail(ctx, id, TailOptions, io.Writer) error  the output so far, or as it comes
//	Cleanup(Policy) (Cleaned, error)             removes what is old, settles what is lost
//
// An id is a ULID, a ULID behind "T-local-", or the beginning of either that
// fits one job only. Every method settles the lost jobs that it meets.

// A Position is a job's place in the queue: 0 runs now, 1 is next.
type Position int

// Cleaned is what Cleanup did.
type Cleaned struct {
	Stuck  []string      // ids of jobs that said they were queued or running and were dead
	Old    []string      // ids of jobs that were over long enough and are removed
	Oldest time.Duration // age of the oldest that was removed
	Freed  int64         // bytes of records and live output
}

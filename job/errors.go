package job

import "errors"

// Errors that a caller may branch on.
var (
	// ErrNotFound means that no job has the id.
	ErrNotFound = errors.New("no such job")
	// ErrTaken means that there is a job with the id that was chosen for a new one.
	ErrTaken = errors.New("is there already, and is not run a second time")
	// ErrRefused means that no job is submitted under the id any more; see [Store.Refuse].
	ErrRefused = errors.New("is refused: who asked for it before it came was told that it did not run")
	// ErrRunning means that the job is not over yet.
	ErrRunning = errors.New("the job is not over yet")
	// ErrDamaged means that a file of the job was changed by something other than this
	// package; a crash does not cause it.
	ErrDamaged = errors.New("it is damaged")
	// ErrUnsupported means that the store's file system has no locks that end with
	// their holder, without which a dead job cannot be distinguished from a living one.
	ErrUnsupported = errors.New("background jobs need a store on a local disk")
	// ErrElsewhere means that the job was handed over to a runner and that its supervisor is
	// dead: only the far end knows what became of it.
	ErrElsewhere = errors.New("only the runner knows what became of it")
	// ErrNoMark means that a store does not have a mark.
	ErrNoMark = errors.New("the store does not have the mark")
)

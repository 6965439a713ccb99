// Package filelock locks open files, which safefs opened, and waits for locks: for as
// long as a lock passes from process to process, but not for a holder that does nothing.
//
// On unix flock(2) makes the lock: it belongs to the open file, all processes that
// inherit the descriptor hold it together, and the kernel releases it when the last of
// them has closed it or ended. For Windows see [Half].
//
// No library takes its place: rogpeppe/go-internal/lockedfile and gofrs/flock open the file
// by its path, and safefs opens it without following links.
package filelock

// A Mode is how a file is locked.
type Mode bool

const (
	Shared    Mode = false
	Exclusive Mode = true
)

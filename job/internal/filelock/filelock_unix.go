//go:build unix

package filelock

import (
	"os"

	"github.com/envwrap/envwrap/internal/owned"
)

// A Mode is how a file is locked, as in [owned.Lock].
type Mode bool

const (
	Shared    Mode = false
	Exclusive Mode = true
)

// Await takes the lock and blocks its thread until it has it.
func (m Mode) Await(f *os.File) error { return owned.Lock(f, bool(m)) }

// Try takes the lock at once; false means that somebody else has it.
func (m Mode) Try(f *os.File) (bool, error) { return owned.TryLock(f, bool(m)) }

//go:build unix

package filelock

import (
	"os"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// A Mode is how a file is locked, as in [safefs.Lock].
type Mode bool

const (
	Shared    Mode = false
	Exclusive Mode = true
)

// Await takes the lock and blocks its thread until it has it.
func (m Mode) Await(f *os.File) error { return safefs.Lock(f, bool(m)) }

// Try takes the lock at once; false means that somebody else has it.
func (m Mode) Try(f *os.File) (bool, error) { return safefs.TryLock(f, bool(m)) }

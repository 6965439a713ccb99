//go:build unix

package job

import (
	"os"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/owned"
)

// A lockMode is how a file is locked, as in [owned.Lock].
type lockMode bool

const (
	shared    lockMode = false
	exclusive lockMode = true
)

// await takes the lock and blocks its thread until it has it.
func (m lockMode) await(f *os.File) error { return owned.Lock(f, bool(m)) }

// try takes the lock at once; false means that somebody else has it.
func (m lockMode) try(f *os.File) (bool, error) { return owned.TryLock(f, bool(m)) }

// hasLocks reports whether locks in a directory hold, and end with their holder.
func hasLocks(dir string) bool { return artifact.HasLocks(dir) }

// openJobLock opens the file or directory that is locked while a job is settled or removed.
func (root directory) openJobLock(id string) (*os.File, error) { return root.OpenDir(id) }

//go:build unix

package job

import (
	"os"

	"github.com/envwrap/envwrap/artifact"
)

// hasLocks reports whether locks in a directory hold, and end with their holder.
func hasLocks(dir string) bool { return artifact.HasLocks(dir) }

// openJobLock opens the file or directory that is locked while a job is settled or removed.
func (root directory) openJobLock(id string) (*os.File, error) { return root.OpenDir(id) }

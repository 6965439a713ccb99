//go:build unix

package job

import (
	"os"

	"github.com/envwrap/envwrap/artifact"
)

// hasLocks reports whether locks in a directory hold, and end with their holder.
func hasLocks(dir string) bool { return artifact.HasLocks(dir) }

// openJobLock opens the directory that is locked while a process records the end of a
// lost job, or removes the job.
func (root directory) openJobLock(id string) (*os.File, error) { return root.OpenDir(id) }

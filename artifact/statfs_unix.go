//go:build unix && !linux && !darwin && !freebsd

package artifact

import (
	"errors"
	"os"
)

// locksWork reports false: what lies below is not known here.
func locksWork(*os.File) (locks, direct bool) { return false, false }

// freeSpace is not known here.
func freeSpace(*os.File) (int64, error) { return 0, errors.ErrUnsupported }

// fileSystem is not known here.
func fileSystem(*os.File) string { return "unknown" }

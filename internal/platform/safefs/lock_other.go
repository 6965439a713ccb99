//go:build !unix

package safefs

import (
	"errors"
	"os"
)

// TryLock says that there are no locks which die with their holder.
func TryLock(*os.File, bool) (bool, error) { return false, errors.ErrUnsupported }

//go:build !unix && !windows

package filelock

import (
	"errors"
	"os"
)

// Try says that there are no locks which end with their holder.
func (Mode) Try(*os.File) (bool, error) { return false, errors.ErrUnsupported }

// Await says so, too.
func (Mode) Await(*os.File) error { return errors.ErrUnsupported }

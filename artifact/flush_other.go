//go:build !linux

package artifact

import (
	"errors"
	"os"
)

// startSync has no system call to use here: the final sync does it all.
func startSync(*os.File, int64, int64) {}

// writeOut has no system call to use here.
func writeOut(*os.File) error { return errors.ErrUnsupported }

// setDirect has nothing to use here.
func setDirect(*os.File, bool) bool { return false }

//go:build !linux

package filesys

import (
	"errors"
	"os"
)

// startSync does nothing: the system has no such call, and the final sync writes
// everything.
func startSync(*os.File, int64, int64) {}

// writeOut is not supported: the system has no such call.
func writeOut(*os.File) error { return errors.ErrUnsupported }

// setDirect returns false: the system has no such mode.
func setDirect(*os.File, bool) bool { return false }

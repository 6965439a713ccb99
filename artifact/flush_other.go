//go:build !linux

package artifact

import "os"

// startSync has no system call to use here: the final sync does it all.
func startSync(*os.File, int64, int64) {}

// setDirect has nothing to use here.
func setDirect(*os.File, bool) bool { return false }

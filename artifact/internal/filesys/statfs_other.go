//go:build !linux && !darwin && !freebsd

package filesys

import (
	"errors"
	"os"
)

// capabilitiesOf returns no capabilities: the file system is not known here. Without locks
// the store judges part files by their age.
func capabilitiesOf(*os.File) Capabilities { return Capabilities{} }

// freeSpace returns an error: this system has no portable call for it.
func freeSpace(*os.File) (int64, error) { return 0, errors.ErrUnsupported }

// fileSystem is not known here.
func fileSystem(*os.File) string { return "unknown" }

//go:build !linux || !(amd64 || arm64)

package artifact

import (
	"errors"
	"os"
)

// renameNew has no system call to use here.
func renameNew(*os.Root, string, string) error { return errors.ErrUnsupported }

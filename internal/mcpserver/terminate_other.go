//go:build !unix

package mcpserver

import (
	"errors"
	"os"
)

func terminate(*os.Process) error { return errors.ErrUnsupported }

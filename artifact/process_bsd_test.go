//go:build unix && !linux

package artifact

import "errors"

// mountAndFill is for systems on which anybody may mount.
func mountAndFill() error { return errors.ErrUnsupported }

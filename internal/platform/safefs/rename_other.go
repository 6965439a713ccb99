//go:build !linux

package safefs

import "errors"

// RenameNew is for Linux only.
func (d *Dir) RenameNew(string, string) error { return errors.ErrUnsupported }

//go:build !linux

package owned

import "errors"

// RenameNew is for Linux only.
func (d *Dir) RenameNew(string, string) error { return errors.ErrUnsupported }

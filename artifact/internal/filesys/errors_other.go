//go:build !unix

package filesys

import (
	"errors"
	"io/fs"
)

// CannotLink reports whether a failed link should be tried as a rename.
func CannotLink(err error) bool {
	return !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist)
}

// CannotSync reports true: directories have no sync here.
func CannotSync(error) bool { return true }

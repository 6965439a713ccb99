//go:build !unix

package artifact

import (
	"errors"
	"io/fs"
)

// cannotLink reports whether a failed link should be tried as a rename.
func cannotLink(err error) bool {
	return !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist)
}

// cannotSync reports true: directories have no sync here.
func cannotSync(error) bool { return true }

// userID names the user in the path of the fallback place. The directory for
// temporary files is the user's own here.
func userID() string { return "user" }

//go:build !unix

package artifact

import (
	"errors"
	"io/fs"
	"os"
)

// natureOf promises nothing: there are no locks, and the store goes by age.
func natureOf(*os.File) nature { return nature{} }

// cannotLink reports whether a failed link is worth another way.
func cannotLink(err error) bool {
	return !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist)
}

// cannotSync reports true: directories have no sync here.
func cannotSync(error) bool { return true }

// freeSpace is not known here.
func freeSpace(*os.File) (int64, error) { return 0, errors.ErrUnsupported }

// fileSystem is not known here.
func fileSystem(*os.File) string { return "unknown" }

// userID names the user in the path of the fallback place. The directory for
// temporary files is the user's own here.
func userID() string { return "user" }

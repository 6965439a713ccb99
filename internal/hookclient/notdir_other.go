//go:build !unix

package hookclient

import "io/fs"

// errNotDir is what a path has below something that is no directory.
var errNotDir = fs.ErrNotExist

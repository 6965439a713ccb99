//go:build unix

package hookclient

import "syscall"

// errNotDir is what a path has below something that is no directory.
var errNotDir error = syscall.ENOTDIR

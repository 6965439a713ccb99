//go:build !unix

package artifact

import "io/fs"

// checkOwner has nothing to look at: access is the profile directory's.
func checkOwner(fs.FileInfo) error { return nil }

// userID names the user in the path of the fallback place. The directory for
// temporary files is the user's own here.
func userID() string { return "user" }

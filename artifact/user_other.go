//go:build !unix

package artifact

// userID names the user in the path of the fallback place. The directory for
// temporary files is the user's own here.
func userID() string { return "user" }

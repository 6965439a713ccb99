//go:build !unix

package artifact

import (
	"io/fs"
	"os"
	"strings"
)

// checkOwner has nothing to look at: access is the profile directory's.
func checkOwner(fs.FileInfo) error { return nil }

// userID names the user in the path of the fallback place.
func userID() string {
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && strings.ContainsRune(`\/:*?"<>|`, r) {
			return '-'
		}
		return r
	}, os.Getenv("USERNAME"))
	if name == "" {
		return "user"
	}
	return name
}

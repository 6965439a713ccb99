//go:build unix

package artifact

import (
	"os"
	"strconv"
)

// userID names the user in the path of the fallback place.
func userID() string { return strconv.Itoa(os.Geteuid()) }

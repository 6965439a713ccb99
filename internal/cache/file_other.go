//go:build !unix

package cache

import (
	"io/fs"
	"os"
	"time"
)

// identity cannot show that a file is unchanged: there is no time of change
// that no program can set.
func identity(fs.FileInfo) (string, bool) { return "", false }

// changed is not asked where there is no identity.
func changed(info fs.FileInfo) time.Time { return info.ModTime() }

func openFile(name string) (*os.File, error) { return os.Open(name) }

// lockable says that there are no locks which die with their holder: identical
// runs do not wait for each other.
const lockable = false

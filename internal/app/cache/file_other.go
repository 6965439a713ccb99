//go:build !unix

package cache

import (
	"io/fs"
	"os"
	"time"
)

// identity returns false: this system has no time of change that programs cannot set.
func identity(fs.FileInfo) (string, bool) { return "", false }

// changed is never called, since there is no identity.
func changed(info fs.FileInfo) time.Time { return info.ModTime() }

func openFile(name string) (*os.File, error) { return os.Open(name) }

// lockable says that there are no locks which die with their holder: identical
// runs do not wait for each other.
const lockable = false

//go:build !linux

package job

import "os"

// reserve does nothing: there is no portable way to take hold of space.
func reserve(*os.Root, string) {}

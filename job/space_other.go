//go:build !linux

package job

import "github.com/envwrap/envwrap/internal/owned"

// reserve does nothing: there is no portable way to take hold of space.
func reserve(*owned.Dir, string) {}

//go:build !linux

package job

import (
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// reserve does nothing: there is no portable way to take hold of space.
func reserve(*safefs.Dir, string) {}

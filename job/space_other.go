//go:build !linux

package job

import (
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// reserve does nothing: no portable call allocates disk space.
func reserve(*safefs.Dir, string) {}

//go:build !linux

package job

import (
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// killTree leaves all alone: without its start a process cannot be distinguished from
// another that got its id since.
func killTree(Process, string) {}

// reserve does nothing: there is no portable way to take hold of space.
func reserve(*safefs.Dir, string) {}

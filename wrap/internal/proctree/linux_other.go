//go:build !linux

package proctree

import "os"

// Stubs of functions that only Linux has.

// WaitsForStdin is known on Linux only.
func (t *Tree) WaitsForStdin() bool { return false }

// ReadsTerminal is known on Linux only.
func (t *Tree) ReadsTerminal() bool { return false }

// Echoes is known on Linux only.
func Echoes(*os.File) bool { return false }

// Reap is for Linux only, where orphans come to us.
func (t *Tree) Reap() bool { return false }

func (t *Tree) dying([]Process) bool { return false }

// Holders is empty: there is no /proc to read it from.
func Holders([]*os.File) []Process { return nil }

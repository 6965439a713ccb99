//go:build !linux

package wrap

import (
	"os"
)

// What only Linux does or says, on other systems.

// waitsForStdin is known on Linux only.
func (r *run) waitsForStdin() bool { return false }

// asksTerminal is known on Linux only.
func (r *run) asksTerminal() bool { return false }

func echoes(*os.File) bool { return false }

// BecomeSubreaper is for Linux only; it returns false.
func BecomeSubreaper() bool { return false }

func (r *run) reap() bool { return false }

func (r *run) dying([]holder) bool { return false }

// holders is empty: there is no /proc to read it from.
func holders([]*os.File) []holder { return nil }

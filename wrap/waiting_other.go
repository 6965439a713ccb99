//go:build !linux

package wrap

import "os"

// waitsForStdin is known on Linux only.
func (r *run) waitsForStdin() bool { return false }

// asksTerminal is known on Linux only.
func (r *run) asksTerminal() bool { return false }

func echoes(*os.File) bool { return false }

//go:build !linux

package wrap

// waitsForStdin is known on Linux only.
func (r *run) waitsForStdin() bool { return false }

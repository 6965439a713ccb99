//go:build !linux

package wrap

// fewProcesses is known on Linux only.
func fewProcesses() bool { return false }

// tableSpace is known on Linux only.
func tableSpace(int) error { return nil }

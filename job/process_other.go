//go:build !linux

package job

// killTree does nothing: this system does not report when a process started, so another
// process with the same id cannot be told apart.
func killTree(Process, string) {}

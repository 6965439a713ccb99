//go:build !linux

package spawn

import "os"

// Start is os.StartProcess.
func Start(path string, argv []string, attr *os.ProcAttr) (*os.Process, error) {
	return os.StartProcess(path, argv, attr)
}

// fewProcesses is known on Linux only.
func fewProcesses() bool { return false }

// tableSpace is known on Linux only.
func tableSpace(int) error { return nil }

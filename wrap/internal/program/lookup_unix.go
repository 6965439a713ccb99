//go:build unix

package program

import (
	"io/fs"
	"strings"
	"syscall"
)

func hasSeparator(name string) bool { return strings.Contains(name, "/") }

func sameName(a, b string) bool { return a == b }

// executableNames returns the files that name may mean.
func executableNames(name string, _ []string) []string { return []string{name} }

// accessible asks the kernel whether the file may be executed (access(2)).
func accessible(path string, _ fs.FileInfo) error {
	const executeOK = 1 // X_OK
	if err := syscall.Access(path, executeOK); err != nil {
		return &fs.PathError{Op: "access", Path: path, Err: err}
	}
	return nil
}

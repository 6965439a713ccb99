package testenv

import (
	"os"
	"syscall"
)

// WriteProgram writes a program that a test executes at once. No process is started
// meanwhile: it would have the file open for writing until its own program is loaded, and
// execve(2) fails then with ETXTBSY.
func WriteProgram(name, text string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(name, []byte(text), 0o700)
}

package proctree

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"unsafe"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

// WaitsForStdin reports whether the child, or a process below it, is in a
// read of descriptor 0 right now (proc_pid_syscall(5)). Where the kernel does
// not say, it is not.
func (t *Tree) WaitsForStdin() bool {
	reading := fmt.Sprintf("%d 0x0 ", syscall.SYS_READ)
	return slices.ContainsFunc(proc.Read().Tree([]int{t.child.Pid}, nil), func(pid int) bool {
		return proc.InCall(pid, reading)
	})
}

// ReadsTerminal reports whether the child, or a process below it, reads from a terminal.
func (t *Tree) ReadsTerminal() bool {
	return slices.ContainsFunc(proc.Read().Tree([]int{t.child.Pid}, nil), readsTerminal)
}

// readsTerminal reports whether a process is in read(2) of a terminal.
func readsTerminal(pid int) bool {
	fd, ok := proc.Reading(pid, syscall.SYS_READ)
	if !ok {
		return false
	}
	name, err := os.Readlink(proc.Descriptor(pid, fd))
	return err == nil && (name == "/dev/console" || strings.HasPrefix(name, "/dev/pts/") || strings.HasPrefix(name, "/dev/tty"))
}

// Echoes reports whether f is a terminal that echoes input (termios(3)).
func Echoes(f *os.File) bool {
	conn, err := f.SyscallConn()
	if err != nil {
		return false // there is no file
	}
	var t syscall.Termios
	var errno syscall.Errno
	if conn.Control(func(fd uintptr) {
		_, _, errno = syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TCGETS, uintptr(unsafe.Pointer(&t)))
	}) != nil {
		return false
	}
	return errno == 0 && t.Lflag&syscall.ECHO != 0
}

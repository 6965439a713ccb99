package wrap

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"unsafe"

	"github.com/envwrap/envwrap/internal/proc"
)

// waitsForStdin reports whether the child, or a process below it, is in a
// read of descriptor 0 right now (proc_pid_syscall(5)). Where the kernel does
// not say, it is not.
func (r *run) waitsForStdin() bool {
	reading := fmt.Sprintf("%d 0x0 ", syscall.SYS_READ)
	return slices.ContainsFunc(proc.Read().Tree([]int{r.proc.Pid}, nil), func(pid int) bool {
		return proc.InCall(pid, reading)
	})
}

// asksTerminal reports whether the child, or a process below it, waits for what a
// person types: it reads from a terminal, or the terminal on stdin shows no longer what
// is typed, as while a password is read (sudo and ssh may not be looked at).
func (r *run) asksTerminal() bool {
	if r.echoed && !echoes(r.c.Stdin.File) {
		return true
	}
	return slices.ContainsFunc(proc.Read().Tree([]int{r.proc.Pid}, nil), readsTerminal)
}

// readsTerminal reports whether a process is in read(2) of a terminal.
func readsTerminal(pid int) bool {
	fd, ok := proc.Reading(pid, syscall.SYS_READ)
	if !ok {
		return false
	}
	name, err := os.Readlink(proc.Descriptor(pid, fd))
	return err == nil && (name == "/dev/tty" || name == "/dev/console" || strings.HasPrefix(name, "/dev/pts/") || strings.HasPrefix(name, "/dev/tty"))
}

// echoes reports whether f is a terminal that shows what is typed (termios(3)).
func echoes(f *os.File) bool {
	if f == nil {
		return false
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return false
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

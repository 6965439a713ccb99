package runcmd

import (
	"os"
	"syscall"
	"unsafe"
)

// takePending makes this thread take the signals that the process was sent. The kernel
// gives such a signal to the first thread if that does not block it, and leaves it there
// while that thread waits for a file system that does not answer: only a thread that takes
// a signal of its own looks at the others. SIGURG is one that the Go runtime expects.
func takePending() { _ = syscall.Tgkill(os.Getpid(), syscall.Gettid(), syscall.SIGURG) }

// resetAction has a signal end this process in the kernel's way. The Go runtime ignores some
// signals, and prints its stacks for others.
func resetAction(sig syscall.Signal) {
	var action [4]uint64 // struct sigaction (rt_sigaction(2)): SIG_DFL, no flags, an empty mask
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)
}

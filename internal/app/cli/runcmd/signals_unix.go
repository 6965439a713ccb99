//go:build unix

package runcmd

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func endingSignals() []os.Signal {
	return []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
}

func otherSignals() []os.Signal {
	return []os.Signal{
		syscall.SIGQUIT, syscall.SIGTSTP, syscall.SIGCONT,
		syscall.SIGWINCH, syscall.SIGUSR1, syscall.SIGUSR2,
	}
}

// Unbreakable returns f, or if f is descriptor 1 or 2 another one for the same file: on
// those a write to a closed pipe ends a Go program by SIGPIPE (os/signal), on others it
// is an error. SIGPIPE is not ignored, so that the command starts with its default
// action.
func Unbreakable(f *os.File) *os.File {
	conn, err := f.SyscallConn()
	if err != nil {
		return f
	}
	dup := -1
	err = conn.Control(func(fd uintptr) {
		if fd > 2 {
			return
		}
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if n, dupErr := syscall.Dup(int(fd)); dupErr == nil {
			syscall.CloseOnExec(n)
			dup = n
		}
	})
	if err != nil || dup < 0 {
		return f
	}
	return os.NewFile(uintptr(dup), f.Name())
}

// duplicate returns another descriptor for a file.
func duplicate(f *os.File) (*os.File, error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	var copied *os.File
	var dupErr error
	err = conn.Control(func(fd uintptr) {
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		var n int
		if n, dupErr = syscall.Dup(int(fd)); dupErr == nil {
			syscall.CloseOnExec(n)
			copied = os.NewFile(uintptr(n), f.Name())
		}
	})
	return copied, errors.Join(err, dupErr)
}

// ownSession returns the attributes of a process that no signal for this one's group
// reaches.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// dieBy ends this process by a signal, as the command was ended, without a core file. It returns
// if no signal has the name.
func dieBy(name string) {
	sig := unix.SignalNum(name)
	if sig == 0 {
		return
	}
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) // fails where it is allowed to be none
	signal.Reset(sig)
	resetAction(sig)
	_ = syscall.Kill(os.Getpid(), sig)
	time.Sleep(time.Second) // until it comes
}

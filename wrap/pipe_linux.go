package wrap

import (
	"os"

	"golang.org/x/sys/unix"
)

// lookAtPipe asks the kernel (FIONREAD, which is TIOCINQ, and poll(2)).
func lookAtPipe(f *os.File) (state pipeState, ok bool) {
	conn, err := f.SyscallConn()
	if err != nil {
		return pipeState{}, false
	}
	err = conn.Control(func(fd uintptr) {
		n, err := unix.IoctlGetInt(int(fd), unix.TIOCINQ)
		poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		if _, pollErr := unix.Poll(poll, 0); err != nil || pollErr != nil {
			return
		}
		state, ok = pipeState{n, poll[0].Revents&unix.POLLHUP != 0}, true
	})
	return state, ok && err == nil
}

// enlargePipe gives a pipe room for a whole read, so that its two ends wait for each
// other less often. The kernel may refuse; the error is ignored.
func enlargePipe(f *os.File) {
	if conn, err := f.SyscallConn(); err == nil {
		_ = conn.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pumpLarge) })
	}
}

package pipe

import (
	"os"

	"golang.org/x/sys/unix"
)

// New returns a pipe. The child's end blocks, as programs expect. os.Pipe would
// register that end with the runtime's poller, too, which wakes a thread to hear that
// there is room in the pipe, and make it block afterwards.
func New() (read, child *os.File, err error) {
	var ends [2]int
	if err = unix.Pipe2(ends[:], unix.O_CLOEXEC|unix.O_NONBLOCK); err != nil {
		return nil, nil, os.NewSyscallError("pipe2", err)
	}
	if err = unix.SetNonblock(ends[1], false); err != nil {
		_, _ = unix.Close(ends[0]), unix.Close(ends[1])
		return nil, nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(uintptr(ends[0]), "|0"), os.NewFile(uintptr(ends[1]), "|1"), nil
}

// Inspect asks the kernel how many bytes a pipe holds (FIONREAD, which is TIOCINQ) and for
// its state (poll(2)). It returns false if f is no open pipe.
func Inspect(f *os.File) (state State, ok bool) {
	conn, err := f.SyscallConn()
	if err != nil {
		return State{}, false
	}
	err = conn.Control(func(fd uintptr) {
		n, err := unix.IoctlGetInt(int(fd), unix.TIOCINQ)
		poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		if _, pollErr := unix.Poll(poll, 0); err != nil || pollErr != nil {
			return
		}
		state, ok = State{n, poll[0].Revents&unix.POLLHUP != 0}, true
	})
	return state, ok && err == nil
}

// Enlarge gives a pipe room for size bytes, so that its two ends wait for each other less
// often. The kernel may refuse; the error is ignored.
func Enlarge(f *os.File, size int) {
	if conn, err := f.SyscallConn(); err == nil {
		_ = conn.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, size) })
	}
}

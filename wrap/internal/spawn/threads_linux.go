package spawn

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// fewProcesses reports whether this user may have so few processes and threads
// (RLIMIT_NPROC, getrlimit(2)) that one command can use them up.
func fewProcesses() bool {
	const few = 1024
	var limit unix.Rlimit
	return unix.Getrlimit(unix.RLIMIT_NPROC, &limit) == nil && limit.Cur < few
}

// tableSpace returns the error with which the system refuses n more processes or
// threads, nil where it has room. No file says how many a user has. It makes n
// processes that end at once and count until they are waited for.
func tableSpace(n int) error { return forkEach(n, forkIdle) }

// forkEach calls fork n times, and waits for the processes that it made.
func forkEach(n int, fork func() (pid int, errno syscall.Errno)) error {
	pids := make([]int, 0, n)
	defer func() {
		for _, pid := range pids {
			_, _ = syscall.Wait4(pid, nil, syscall.WALL, nil)
		}
	}()
	for range n {
		pid, errno := fork()
		if errno != 0 {
			return errno
		}
		pids = append(pids, pid)
	}
	return nil
}

// forkIdle makes a process that ends at once. It sends no signal when it ends, so
// that only a wait that asks for such processes (__WALL) sees it. Nobody reads its
// status: 1 is for a test that ended by mistake where only a child may.
//
//go:norace
//go:noinline
func forkIdle() (int, syscall.Errno) {
	pid, _, errno := syscall.RawSyscall6(syscall.SYS_CLONE, 0, 0, 0, 0, 0, 0)
	if errno == 0 && pid == 0 {
		for {
			_, _, _ = syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 1, 0, 0)
		}
	}
	return int(pid), errno
}

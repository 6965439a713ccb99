package output

import (
	"os"

	"golang.org/x/sys/unix"
)

// writeNow writes what f takes of b without waiting (RWF_NOWAIT, pwritev2(2)), and
// returns how much that is: 0 if there is an error, if f is nil, or if the kernel does not
// know for this kind of file whether it would wait.
func writeNow(f *os.File, b []byte) int {
	conn, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	n := 0
	err = conn.Control(func(fd uintptr) {
		const here = -1 // the file's own offset
		n, _ = unix.Pwritev2(int(fd), [][]byte{b}, here, unix.RWF_NOWAIT)
	})
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// roomSize is the disk space that is kept for an envelope, in bytes.
const roomSize = 64 << 10

// keepRoom allocates room for an envelope in f, and reports whether it has. It asks for no more
// than the process may write, since the kernel would end it (SIGXFSZ).
func keepRoom(f *os.File) bool {
	var most unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &most); err != nil || most.Cur < roomSize {
		return false
	}
	return unix.Fallocate(int(f.Fd()), 0, 0, roomSize) == nil
}

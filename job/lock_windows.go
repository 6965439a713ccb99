package job

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// A lock is one of LockFileEx on two bytes past the end of any file: those of a
// region keep others from reading it. A lock belongs to one handle of one process,
// is not inherited, and ends with either. Whoever holds the lock for itself holds both
// bytes. A submitter hands one over: it gives the second back, the supervisor takes
// that, and the submitter lets go of the first; so the lock is never free.
type lockMode uint32

const (
	shared    lockMode = 0
	exclusive lockMode = windows.LOCKFILE_EXCLUSIVE_LOCK
)

// A half is one of the two bytes.
type half uint32

const (
	first half = iota
	second
)

func (h half) at() *windows.Overlapped {
	return &windows.Overlapped{Offset: uint32(h), OffsetHigh: 1 << 30}
}

// take takes one byte at once; false means that somebody else has it.
func (h half) take(f *os.File, m lockMode) (bool, error) {
	err := control(f, func(handle windows.Handle) error {
		return windows.LockFileEx(handle, uint32(m)|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, h.at())
	})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, os.NewSyscallError("LockFileEx", err)
}

// release gives one byte back.
func (h half) release(f *os.File) error {
	return os.NewSyscallError("UnlockFileEx", control(f, func(handle windows.Handle) error {
		return windows.UnlockFileEx(handle, 0, 1, 0, h.at())
	}))
}

func control(f *os.File, do func(windows.Handle) error) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var doErr error
	if err := conn.Control(func(fd uintptr) { doErr = do(windows.Handle(fd)) }); err != nil {
		return err
	}
	return doErr
}

// try takes the lock at once; false means that somebody else has it.
func (m lockMode) try(f *os.File) (bool, error) {
	if got, err := first.take(f, m); !got {
		return false, err
	}
	got, err := second.take(f, m)
	if !got {
		err = errors.Join(err, first.release(f))
	}
	return got, err
}

// await tries until it has the lock: a call that waits would keep the handle from
// being read or closed.
func (m lockMode) await(f *os.File) error {
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		if got, err := m.try(f); got || err != nil {
			return err
		}
		time.Sleep(pause)
	}
}

// hasLocks reports true: LockFileEx works on network drives, too.
func hasLocks(string) bool { return true }

// openJobLock opens the file or directory that is locked while a job is settled or removed. A directory
// cannot be locked, so all jobs share a file.
func (root directory) openJobLock(id string) (*os.File, error) {
	if _, err := root.Lstat(id); err != nil {
		return nil, err
	}
	return root.openLock(".settle")
}

package filelock

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// A Half is one of the two bytes past the end of any file that LockFileEx locks, as a
// locked region cannot be read by others. A lock belongs to one handle of one
// process, is not inherited, and ends with either. Whoever holds the lock for itself holds both
// bytes. A submitter hands one over: it gives the second back, the supervisor takes
// that, and the submitter lets go of the first; so the lock is never free.
type Half uint32

const (
	First Half = iota
	Second
)

func (h Half) at() *windows.Overlapped {
	return &windows.Overlapped{Offset: uint32(h), OffsetHigh: 1 << 30}
}

// Take takes one byte at once; false means that somebody else has it.
func (h Half) Take(f *os.File, m Mode) (bool, error) {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if m == Exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := control(f, func(handle windows.Handle) error {
		return windows.LockFileEx(handle, flags, 0, 1, 0, h.at())
	})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, os.NewSyscallError("LockFileEx", err)
}

// Release gives one byte back.
func (h Half) Release(f *os.File) error {
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

// Try takes the lock at once; false means that somebody else has it.
func (m Mode) Try(f *os.File) (bool, error) {
	if got, err := First.Take(f, m); !got {
		return false, err
	}
	got, err := Second.Take(f, m)
	if !got {
		err = errors.Join(err, First.Release(f))
	}
	return got, err
}

// Await tries until it has the lock: a call that waits would keep the handle from
// being read or closed.
func (m Mode) Await(f *os.File) error {
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		if got, err := m.Try(f); got || err != nil {
			return err
		}
		time.Sleep(pause)
	}
}

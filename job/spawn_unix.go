//go:build unix

package job

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// Descriptors of a supervisor beside the usual three.
const (
	lockFD = 3 // the job's lock
	turnFD = 4 // its place in the queue, or its slot
)

// spawn starts a supervisor in a session of its own and does not wait for it. The
// supervisor gets its locks and its stdin, and none of the descriptors that this process
// has or has inherited.
func (l *Launch) spawn(args []string, lock, turn *os.File) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	stdin := l.Stdin
	if stdin == nil {
		stdin = null
	}
	closeOnExec()
	p, err := os.StartProcess(l.Program, args, &os.ProcAttr{
		Env:   l.Env,
		Files: []*os.File{stdin, null, null, lock, turn},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return err
	}
	return p.Release()
}

// closeOnExec sets the close-on-exec flag of the descriptors that this process has
// inherited: a pipe among them would keep its reader waiting for as long as the job runs.
func closeOnExec() {
	dir, err := os.Open("/dev/fd")
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}

// inherit returns the locks that a supervisor was started with, or nil if other files
// have their descriptors. It keeps them from the command.
func (root directory) inherit(id string) (lock, turn *os.File) {
	own, err := root.lockInfo(id)
	if err != nil {
		return nil, nil
	}
	want, ok := own.Sys().(*syscall.Stat_t)
	var have syscall.Stat_t
	if !ok || syscall.Fstat(lockFD, &have) != nil || have.Dev != want.Dev || have.Ino != want.Ino {
		return nil, nil
	}
	syscall.CloseOnExec(lockFD)
	syscall.CloseOnExec(turnFD)
	return os.NewFile(lockFD, lockFile), os.NewFile(turnFD, turnLock)
}

// lockInfo describes the file of a job's lock.
func (root directory) lockInfo(id string) (fs.FileInfo, error) {
	if !IsID(id) {
		return nil, ErrNotFound
	}
	f, err := root.openShared(id + "/" + lockFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}

// interruptSelf sends SIGTERM to this process.
func interruptSelf() { _ = syscall.Kill(os.Getpid(), syscall.SIGTERM) }

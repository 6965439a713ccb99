package job

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/windows"

	"github.com/envwrap/envwrap/internal/platform/filelock"
)

// handOverTimeout bounds how long a supervisor may take to take its locks over.
const handOverTimeout = 30 * time.Second

// spawn starts a supervisor on a console of its own, without a window, and outside
// of our job object where that is allowed. It waits until the supervisor has taken
// its locks over, and not for its end.
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
	if err := errors.Join(filelock.Second.Release(lock), filelock.Second.Release(turn)); err != nil {
		return err
	}
	var p *os.Process
	for _, flags := range []uint32{windows.CREATE_NO_WINDOW | windows.CREATE_BREAKAWAY_FROM_JOB, windows.CREATE_NO_WINDOW} {
		p, err = os.StartProcess(l.Program, args, &os.ProcAttr{
			Env:   l.Env,
			Files: []*os.File{stdin, null, null},
			Sys:   &syscall.SysProcAttr{CreationFlags: flags},
		})
		if err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() {
		state, err := p.Wait()
		if err == nil {
			err = fmt.Errorf("it ended at once: %v", state)
		}
		ended <- err
	}()
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for giveUp := time.Now().Add(handOverTimeout); ; {
		taken, err := locksTaken(lock, turn)
		if taken || err != nil {
			return err
		}
		if time.Now().After(giveUp) {
			return errors.Join(fmt.Errorf("it has not taken its locks for %v", handOverTimeout), p.Kill())
		}
		select {
		case err := <-ended:
			return err
		case <-look.C:
		}
	}
}

// locksTaken reports whether somebody else has the second byte of each lock.
func locksTaken(locks ...*os.File) (bool, error) {
	for _, f := range locks {
		free, err := filelock.Second.Take(f, filelock.Shared)
		if err != nil {
			return false, err
		}
		if free {
			return false, filelock.Second.Release(f)
		}
	}
	return true, nil
}

// inherit takes over the locks that a submitter holds for this process, or returns nil if
// no process holds them.
func (root directory) inherit(id string) (lock, turn *os.File) {
	if !IsID(id) {
		return nil, nil
	}
	lock, err := root.takeOver(id + "/" + lockFile)
	if lock == nil || err != nil {
		return nil, nil
	}
	if free, _ := filelock.First.Take(lock, filelock.Shared); free { // nobody submits it
		_ = lock.Close()
		return nil, nil
	}
	if turn, err = root.takeOver(queueDir + "/" + id); err == nil && turn != nil {
		return lock, turn
	}
	slots, _ := root.names(slotsDir)
	for _, name := range slots {
		f, err := root.openShared(slotsDir + "/" + name)
		if err != nil {
			continue
		}
		ours := readOwner(f) == id
		_ = f.Close()
		if !ours {
			continue
		}
		if turn, _ = root.takeOver(slotsDir + "/" + name); turn != nil {
			return lock, turn
		}
	}
	_ = lock.Close()
	return nil, nil
}

// takeOver takes the second byte of a lock while another process holds the first one. It
// tries again while a process that tests the lock holds the second byte for a moment.
func (root directory) takeOver(name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	for {
		if got, err := filelock.Second.Take(f, filelock.Exclusive); got || err != nil {
			return f, err
		}
		free, err := filelock.First.Take(f, filelock.Shared)
		if free || err != nil {
			return nil, errors.Join(err, f.Close())
		}
		time.Sleep(time.Millisecond)
	}
}

// interruptSelf sends Ctrl-C to this process, by the console that spawn gave it.
func interruptSelf() { _ = windows.GenerateConsoleCtrlEvent(windows.CTRL_C_EVENT, 0) }

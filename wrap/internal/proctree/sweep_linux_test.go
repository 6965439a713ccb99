package proctree

import (
	"errors"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

// A killed process that needs no more than a processor to end is waited for. This one
// is held at its end by a debugger, which is us.
func TestSweepWaitsForTheKilled(t *testing.T) {
	t.Parallel()
	if !proc.Visible() {
		t.Skip("/proc does not show this process")
	}
	cmd := exec.Command("cat")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	runtime.LockOSThread() // whoever traces a process is a thread
	defer func() {
		_ = cmd.Process.Kill()
		_ = unix.PtraceCont(pid, 0)
		_ = cmd.Wait()
		runtime.UnlockOSThread()
	}()
	if _, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(pid), 0, unix.PTRACE_O_TRACEEXIT, 0, 0); errno != 0 {
		t.Skipf("a child may not be traced: %v", errno)
	}
	// It is past its start, in which it waits for the disk.
	if _, err := in.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	f := &Tree{child: cmd.Process, group: pid}
	swept := make(chan struct{})
	go func() {
		defer close(swept)
		f.Sweep(time.Time{}, nil, 1, time.Hour) // each look that finds nothing on its way to its end is the last
	}()
	var status unix.WaitStatus
	for status.TrapCause() != unix.PTRACE_EVENT_EXIT { // it is stopped before it is killed
		if _, err := unix.Wait4(pid, &status, 0, nil); err != nil || status.Exited() || status.Signaled() {
			t.Fatalf("the end of the process was not held: %v, %#x", err, status)
		}
	}
	select {
	case <-swept:
		t.Error("the sweep gave up")
	case <-time.After(20 * sweepPoll): // it looks some times: with no look this test has found nothing
	}
	f.Sweep(time.Time{}, nil, time.Hour, 1) // and gives up where all of its time is over
	if err := unix.PtraceCont(pid, 0); err != nil {
		t.Fatal(err)
	}
	<-swept
	if s, ok := proc.ReadStat(pid); ok && !s.Zombie() {
		t.Errorf("it is alive: %+v", s)
	}
}

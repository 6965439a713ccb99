package job

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

// bystander starts a process that leads a group of its own and has nothing to do
// with any job.
func bystander(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sleep", "1000")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	check(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd
}

// lives reports whether a process is there and has not ended.
func lives(pid int) bool {
	s, ok := proc.ReadStat(pid)
	return ok && !s.Zombie()
}

// An ancestor with the job's mark in its environment is not killed, either.
func TestNoAncestorIsMarked(t *testing.T) {
	t.Parallel()
	for _, pid := range markedProcesses("", map[int]bool{os.Getppid(): true}) { // every process has the empty mark
		if pid <= 1 || isSelfOrAncestor(pid) {
			t.Errorf("process %d would be killed", pid)
		}
	}
}

// A process that its record identifies in full, and that is no ancestor, is ended; other
// processes are not taken for supervisors.
func TestAFullRecordKillsItsProcess(t *testing.T) {
	t.Parallel()
	cmd := bystander(t)
	child := identify(cmd.Process.Pid)
	if child.interrupt() || !lives(child.PID) {
		t.Error("a process that is no supervisor was signalled as one")
	}
	killTree(child, environmentMark("00000000000000000000000000"))
	_ = cmd.Wait()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Errorf("it ended with %v", cmd.ProcessState)
	}
}

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

// A record condemns nothing that it does not identify: not by an id alone, not by
// the start of another process, not the first process, nothing that a negative id
// means, and none of those that run us. (It is asked and not tried: a fault would
// end the machine's processes.)
func TestARecordAloneCondemnsNothing(t *testing.T) {
	t.Parallel()
	victim := bystander(t).Process.Pid
	boot, space := proc.BootID(), proc.Namespace()
	gone := exec.Command("true")
	check(t, gone.Run())
	for name, p := range map[string]Process{
		"an id alone":            {PID: victim},
		"an id of this boot":     {PID: victim, Boot: boot},
		"a start without a boot": {PID: victim, Started: proc.Start(victim)},
		"another start":          {PID: victim, Started: "1", Boot: boot},
		"another boot":           {PID: victim, Started: proc.Start(victim), Boot: "x"},
		"another namespace":      {PID: victim, Started: proc.Start(victim), Boot: boot, Space: "pid:[1]"},
		"a negative id":          {PID: -victim, Boot: boot},
		"the first process":      identify(1),
		"no process":             {Boot: boot, Space: space},
		"all processes":          {PID: -1, Boot: boot},
		"a process that is gone": {PID: gone.Process.Pid, Boot: boot},
		"this process":           identify(os.Getpid()),
		"the parent of this one": identify(os.Getppid()),
	} {
		if p.mayKill() || p.supervises() {
			t.Errorf("%s: %+v would be killed", name, p)
		}
	}
	if !identify(victim).mayKill() {
		t.Error("a process that is identified in full would not be killed")
	}
}

// None of those who run us is killed for the job's mark in its environment, either.
func TestNoAncestorIsMarked(t *testing.T) {
	t.Parallel()
	for _, pid := range markedProcesses("", map[int]bool{os.Getppid(): true}) { // every process has the empty mark
		if pid <= 1 || isSelfOrAncestor(pid) {
			t.Errorf("process %d would be killed", pid)
		}
	}
}

// What is identified in full, and is no ancestor of ours, is ended; a process that
// is no supervisor is not taken for one.
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

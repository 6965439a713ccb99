package proctree

import (
	"os/exec"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

// A zombie whose parent does not wait for it keeps its group known to the kernel,
// but nothing of the run is alive.
func TestZombieIsNotAlive(t *testing.T) {
	if !proc.Visible() {
		t.Skip("/proc does not show this process")
	}
	start := func(group int) *exec.Cmd {
		t.Helper()
		cmd := exec.Command("sleep", "600")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
		return cmd
	}
	end := func(cmd *exec.Cmd) { // it is left as a zombie
		t.Helper()
		if err := syscall.Kill(cmd.Process.Pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		poll := time.NewTicker(time.Millisecond)
		defer poll.Stop()
		for s, ok := proc.ReadStat(cmd.Process.Pid); !ok || !s.Zombie(); s, ok = proc.ReadStat(cmd.Process.Pid) {
			<-poll.C
		}
	}
	leader := start(0)
	member := start(leader.Process.Pid)
	f := &Tree{group: leader.Process.Pid}
	end(leader)
	for range 2 { // the second look knows the member
		if !f.Alive() {
			t.Error("a living member of the group was not seen")
		}
	}
	end(member)
	if err := syscall.Kill(-leader.Process.Pid, 0); err != nil {
		t.Fatalf("the kernel does not know the group of zombies: %v", err)
	}
	if f.Alive() {
		t.Error("zombies are taken for living processes")
	}
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	alive := f.Alive()
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if !alive {
		t.Error("without a descriptor for /proc, the group that the kernel knows is taken for dead")
	}
}

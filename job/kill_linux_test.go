package job

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// group starts a shell with a child in its group, which the shell leads, and
// returns both: the script prints the id of the child.
func group(t *testing.T, script string, env ...string) (leader, member int) {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	check(t, err, cmd.Start())
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	if _, err := fmt.Fscan(bufio.NewReader(out), &member); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid, member
}

// A group is ended by its leader's id only, and with all its members.
func TestKillGroup(t *testing.T) {
	t.Parallel()
	leader, member := group(t, "sleep 1000 & echo $!; wait")
	killGroup(member)
	if !lives(leader) || !lives(member) {
		t.Fatal("the id of a member that leads no group ended the group")
	}
	killGroup(leader)
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	for lives(leader) || lives(member) { // a signal takes its time
		<-poll.C
	}
}

// When killTree returns, all that carry the job's mark are dead, and so are all that
// descend from them.
func TestMarkedAreDead(t *testing.T) {
	t.Parallel()
	mark := environmentMark("00000000000000000000000001")
	var all []int
	for range 20 {
		leader, member := group(t, "env -i sleep 1000 & echo $!; wait", mark+"1")
		all = append(all, leader, member)
	}
	killTree(Process{}, mark)
	for _, pid := range all {
		if lives(pid) {
			t.Errorf("process %d lives", pid)
		}
	}
}

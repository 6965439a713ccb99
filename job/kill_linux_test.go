package job

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
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

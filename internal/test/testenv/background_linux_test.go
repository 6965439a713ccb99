package testenv

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A process of envwrap is found by the directory in its command line, waited for, and
// named and killed if it does not end.
func TestBackgroundEnds(t *testing.T) {
	dir := t.TempDir()
	for _, stays := range []bool{false, true} {
		cmd := exec.Command("sh")
		cmd.Args = []string{"envwrap", "-c", "read line", "job", "supervise", "--jobs", dir + "/store"}
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if found := background(dir); !slices.Equal(found, []int{cmd.Process.Pid}) {
			t.Errorf("processes %v, want %d", found, cmd.Process.Pid)
		}
		if stays {
			err = ends(cmd.Process.Pid, 0)
		} else {
			stdin.Close()
			err = BackgroundEnds(dir)
		}
		if found := background(dir); len(found) > 0 || stays != (err != nil) || stays && !strings.Contains(err.Error(), "--jobs "+dir) {
			t.Errorf("%v are left, %v", found, err)
		}
		_ = cmd.Wait()
	}
}

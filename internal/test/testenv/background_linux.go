package testenv

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

// backgroundLimit is how long a process in the background may go on after a test.
const backgroundLimit = time.Minute

// dyingLimit is how long a process that was killed may take to end.
const dyingLimit = 5 * time.Second

// TempDir is [testing.T.TempDir] for a directory with stores: the directory is removed
// once no envwrap writes to them in the background, such as a job's supervisor, which
// goes on a little after the job is over, or the refresh of a remembered run.
func TempDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() {
		if err := BackgroundEnds(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// BackgroundEnds waits until no envwrap runs in the background for a store below dir. It
// kills those that are left after a minute, and returns an error that names them.
func BackgroundEnds(dir string) error {
	var late []error
	for found := background(dir); len(found) > 0; found = background(dir) {
		for _, pid := range found {
			if err := ends(pid, backgroundLimit); err != nil {
				late = append(late, err)
			}
		}
	}
	return errors.Join(late...)
}

// background returns the processes of envwrap that have dir in their command line, which
// those in the background get from the envwrap that starts them.
func background(dir string) []int {
	var found []int
	all, _ := os.ReadDir("/proc")
	for _, e := range all {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() || !proc.HasArguments(pid, "envwrap") { // waits for one that was just started
			continue
		}
		if line, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline")); bytes.Contains(line, []byte(dir)) {
			found = append(found, pid)
		}
	}
	return found
}

// ends waits for the end of a process. It kills a process that has not ended in time.
func ends(pid int, limit time.Duration) error {
	fd, err := unix.PidfdOpen(pid, 0)
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("watch process %d: %w", pid, err)
	}
	defer unix.Close(fd)
	end := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(end, int(limit.Milliseconds()))
		switch {
		case n > 0:
			return nil
		case err == nil:
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
			_, _ = unix.Poll(end, int(dyingLimit.Milliseconds()))
			return fmt.Errorf("process %d was left running: %q", pid, bytes.ReplaceAll(line, []byte{0}, []byte{' '}))
		case !errors.Is(err, unix.EINTR):
			return fmt.Errorf("wait for process %d: %w", pid, err)
		}
	}
}

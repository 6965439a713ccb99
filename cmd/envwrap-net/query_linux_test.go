package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// The companion that envwrap has started ends with it, however it ended.
func TestQueryEndsWithItsCaller(t *testing.T) {
	dir, env := programs(t)
	digest := stored(t, dir, env, "1")
	companion := filepath.Join(dir, "envwrap-net")
	if err := os.Remove(companion); err != nil {
		t.Fatal(err)
	}
	const script = "#!/bin/sh\necho $$ >\"$0.new\"; mv \"$0.new\" \"$0.pid\"; exec sleep 600\n"
	if err := testenv.WriteProgram(companion, script); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "envwrap"), "artifact", "query", "def f: f; f", digest)
	cmd.Env = env
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	testenv.Await(t, companion+".pid")
	text, err := os.ReadFile(companion + ".pid")
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	n, err := 0, error(unix.EINTR)
	for errors.Is(err, unix.EINTR) {
		n, err = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 20_000)
	}
	if n != 1 {
		_ = unix.Kill(pid, unix.SIGKILL)
		t.Errorf("the companion goes on: %d, %v", n, err)
	}
}

package wrap_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

func init() { roles["count"] = count }

// count says how often it was interrupted within a moment of the first time,
// and whether it is in its parent's process group.
func count([]string) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT)
	group, _ := syscall.Getpgid(os.Getppid())
	fmt.Println("ready, same group:", group == syscall.Getpgrp())
	<-signals
	moment := time.After(300 * time.Millisecond) // a second delivery would come at once
	n := 1
	for {
		select {
		case <-signals:
			n++
		case <-moment:
			fmt.Println("interrupted", n)
			os.Exit(0)
		}
	}
}

// At a terminal the command stays in our process group, so that it may read
// the terminal, and Ctrl-C reaches it once: from the kernel, not from us.
func TestInterruptAtATerminal(t *testing.T) {
	t.Parallel()
	master, slave := testenv.Terminal(t)
	cmd := exec.Command(os.Args[0], "1m", "count")
	cmd.Env = append(inRole("supervise"), "TERMINAL=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	var got []string
	for lines := bufio.NewScanner(master); lines.Scan(); {
		line := strings.TrimSpace(strings.ReplaceAll(lines.Text(), "^C", ""))
		got = append(got, line)
		if strings.HasPrefix(line, "ready") {
			if _, err := master.WriteString("\x03"); err != nil {
				t.Fatal(err)
			}
		}
		if strings.HasPrefix(line, "outcome") {
			break
		}
	}
	const want = "ready, same group: true|interrupted 1|outcome canceled"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("got %q, want %q", s, want)
	}
}

package wrap_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

func init() { roles["supervise"], roles["waitstdin"] = supervise, waitStdin }

// supervise is an envwrap of its own: it runs this binary in role args[1] with
// the time limit args[0], shows its stdout, and prints the outcome.
func supervise(args []string) {
	limit, err := time.ParseDuration(args[0])
	if err != nil {
		panic(err)
	}
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGCONT, syscall.SIGTSTP)
	res, err := wrap.Run(context.Background(), &wrap.Command{
		Process: wrap.Process{
			Argv:     append([]string{os.Args[0]}, args[2:]...),
			Env:      inRole(args[1]),
			Stdin:    wrap.Stdin{File: os.Stdin},
			Terminal: os.Getenv("TERMINAL") != "",
			Signals:  signals,
		},
		Limits:  wrap.Limits{Timeout: limit, InlineLimit: 32 << 10, KillAfter: 5 * time.Second},
		Capture: wrap.Capture{Redactor: redact.New(redact.Options{}), LiveStdout: os.Stdout},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println("outcome", res.Outcome.Kind)
}

// waitStdin writes its id to args[0] and ends when its stdin does.
func waitStdin(args []string) {
	writeFile(args[0], strconv.Itoa(os.Getpid()))
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// A supervised is a running supervise.
type supervised struct {
	*exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
	child string // file with the child's id
}

func startSupervised(t *testing.T, limit string) *supervised {
	t.Helper()
	s := &supervised{child: filepath.Join(t.TempDir(), "pid")}
	s.Cmd = exec.Command(os.Args[0], limit, "waitstdin", s.child)
	s.Env = inRole("supervise")
	stdin, err := s.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := s.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.stdin, s.lines = stdin, bufio.NewScanner(stdout)
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Process.Kill(); _ = s.Wait() })
	s.expect(t, "ready")
	return s
}

func (s *supervised) expect(t *testing.T, line string) {
	t.Helper()
	if !s.lines.Scan() || s.lines.Text() != line {
		t.Fatalf("got %q (%v), want %q", s.lines.Text(), s.lines.Err(), line)
	}
}

// state waits until the process is in one of the states of proc_pid_stat(5).
func state(t *testing.T, pid int, states string) {
	t.Helper()
	poll := time.NewTicker(time.Millisecond) // nobody reports that a process was stopped
	defer poll.Stop()
	for ; ; <-poll.C {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(string(text), ") ")
		if strings.Contains(states, after[:1]) {
			return
		}
	}
}

// Time in which envwrap itself was stopped does not count for its limits.
func TestStoppedTimeDoesNotCount(t *testing.T) {
	t.Parallel()
	s := startSupervised(t, "3s")
	_ = s.Process.Signal(syscall.SIGSTOP)
	state(t, s.Process.Pid, "T")
	<-time.After(3500 * time.Millisecond) // longer than the limit: this is what is tested
	_ = s.Process.Signal(syscall.SIGCONT)
	state(t, s.Process.Pid, "SR")
	s.stdin.Close()
	s.expect(t, "outcome success")
}

// Ctrl-Z stops the command and envwrap; fg lets both go on.
func TestStopAndContinue(t *testing.T) {
	t.Parallel()
	s := startSupervised(t, "1m")
	child := readPID(t, s.child)
	_ = s.Process.Signal(syscall.SIGTSTP)
	state(t, s.Process.Pid, "T")
	state(t, child, "T")
	_ = s.Process.Signal(syscall.SIGCONT)
	state(t, child, "SR")
	s.stdin.Close()
	s.expect(t, "outcome success")
}

// A command that waits for input that never comes says so, and at which prompt.
func TestTimeoutTellsWhatItWaitedFor(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	c := command(t, "exit")
	c.Argv = []string{"sh", "-c", "printf 'Password: '; exec cat"}
	c.Stdin.File = reader
	c.IdleTimeout = 3 * time.Second // a busy machine may take its time to start cat
	res := run(t, c)
	if d := res.Outcome.Details; string(d.Get("waiting_for")) != `"stdin"` || string(d.Get("prompt")) != `"Password:"` {
		t.Errorf("details %+v", d)
	}
}

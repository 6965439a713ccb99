package proctree

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/envwrap/envwrap/internal/platform/proc"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// A child is a shell that runs a script, and its tree.
type child struct {
	*Tree
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Reader
}

// start runs a script that prints a line when it is ready.
func start(t *testing.T, c Config, script string) *child {
	t.Helper()
	if !proc.Visible() {
		t.Skip("/proc does not show this process")
	}
	cmd := exec.Command("sh", "-c", script)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: c.OwnGroup}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f := &Tree{Config: c}
	f.Gather(cmd.Process)
	t.Cleanup(func() {
		f.Kill()
		_ = cmd.Wait()
	})
	return &child{f, cmd, in, bufio.NewReader(out)}
}

func (c *child) line(t *testing.T) string {
	t.Helper()
	line, err := c.lines.ReadString('\n')
	if err != nil {
		t.Fatalf("the child printed no line: %v", err)
	}
	return strings.TrimSuffix(line, "\n")
}

// pid reads the id of a process, which the script has started, and ends it with the test.
func (c *child) pid(t *testing.T) int {
	t.Helper()
	pid, err := strconv.Atoi(c.line(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	return pid
}

// ended waits for the child, and returns the signal that ended it, 0 for none.
func (c *child) ended(t *testing.T) syscall.Signal {
	t.Helper()
	_ = c.cmd.Wait()
	status, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok {
		t.Fatal("its end is not known")
	}
	if !status.Signaled() {
		return 0
	}
	return status.Signal()
}

// await waits until something is so. A test in which it never is fails at the time limit
// of all tests.
func await(is func() bool) {
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	for !is() {
		<-poll.C
	}
}

func dead(pid int) bool {
	s, ok := proc.ReadStat(pid)
	return !ok || s.Zombie()
}

func state(pid int) byte {
	s, _ := proc.ReadStat(pid)
	return s.State
}

// becomeSubreaper makes orphans come to this process until the test ends.
func becomeSubreaper(t *testing.T) {
	t.Helper()
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		t.Skipf("this process cannot be a subreaper: %v", err)
	}
	t.Cleanup(func() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) })
}

// stray starts a process in a session of its own, and goes on in the group.
const stray = "setsid sleep 600 >/dev/null & echo $!; exec sleep 601"

// left waits until a process has left the group of the child.
func (c *child) left(t *testing.T, pid int) {
	t.Helper()
	await(func() bool { s, _ := proc.ReadStat(pid); return s.Group == pid && s.Name == "sleep" })
}

// Stopped processes also react to SIGTERM, in the group and outside of it.
func TestTerminate(t *testing.T) {
	c := start(t, Config{OwnGroup: true}, stray)
	pid := c.pid(t)
	c.left(t, pid)
	for _, stopped := range []int{pid, c.cmd.Process.Pid} {
		if err := syscall.Kill(stopped, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		await(func() bool { return state(stopped) == 'T' })
	}
	c.Terminate()
	if by := c.ended(t); by != syscall.SIGTERM {
		t.Errorf("the child was ended by %v", by)
	}
	await(func() bool { return dead(pid) })
}

// Kill returns the names of the processes that it killed outside of the group only.
func TestKill(t *testing.T) {
	for _, own := range []bool{true, false} {
		c := start(t, Config{OwnGroup: own}, stray)
		pid := c.pid(t)
		c.left(t, pid)
		if got, want := c.Kill(), []Process{{PID: pid, Name: "sleep"}}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if by := c.ended(t); by != syscall.SIGKILL {
			t.Errorf("the child was ended by %v", by)
		}
		await(func() bool { return dead(pid) })
	}
}

// Helpers do not belong to the run.
func TestHelperIsSpared(t *testing.T) {
	helper := 0
	c := start(t, Config{OwnGroup: true, IsHelper: func(pid int) bool { return pid == helper }}, stray)
	helper = c.pid(t)
	c.left(t, helper)
	if got := c.Kill(); slices.ContainsFunc(got, func(p Process) bool { return p.PID == helper }) || dead(helper) {
		t.Errorf("killed %v, and it is a helper", got)
	}
}

// Only what left the group is asked once more, and what is stopped acts on it.
func TestTerminateStrays(t *testing.T) {
	for _, own := range []bool{true, false} {
		c := start(t, Config{OwnGroup: own}, stray)
		pid := c.pid(t)
		c.left(t, pid)
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		await(func() bool { return state(pid) == 'T' })
		c.TerminateStrays()
		await(func() bool { return dead(pid) })
		_ = c.cmd.Process.Signal(syscall.SIGUSR1)
		if by := c.ended(t); by != syscall.SIGUSR1 {
			t.Errorf("own group %v: the child was ended by %v", own, by)
		}
	}
}

// A signal of the terminal reaches a child in our group from the kernel, and no other
// signal does.
func TestForward(t *testing.T) {
	// A shell cannot trap what was ignored when it started, as in the background of a script.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT)
	defer signal.Stop(signals)
	const script = "trap 'echo int' INT; trap 'echo usr' USR1; echo ready; while read x || kill -0 $PPID; do :; done"
	for _, own := range []bool{true, false} {
		c := start(t, Config{OwnGroup: own}, script)
		c.line(t)
		forward := func(sig os.Signal) {
			c.Forward(sig)
			// A shell that had looked for signals just before it began to read looks again.
			if _, err := io.WriteString(c.in, "\n"); err != nil {
				t.Fatal(err)
			}
		}
		forward(other{})
		forward(syscall.SIGINT)
		if own {
			if got := c.line(t); got != "int" {
				t.Errorf("it got %q", got)
			}
		}
		forward(syscall.SIGUSR1)
		if got := c.line(t); got != "usr" {
			t.Errorf("own group %v: it got %q", own, got)
		}
		if err := c.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		await(func() bool { return state(c.cmd.Process.Pid) == 'T' })
		c.Wake()
		await(func() bool { return state(c.cmd.Process.Pid) != 'T' })
	}
}

// other is a signal without a number.
type other struct{}

func (other) String() string { return "other" }
func (other) Signal()        {}

// Processes that a child leaves running pass to the subreaper, are alive and named, and a
// sweep ends them.
func TestLeftovers(t *testing.T) {
	for _, script := range []string{"sleep 600 >/dev/null & echo $!", "setsid sleep 600 >/dev/null & echo $!"} {
		becomeSubreaper(t)
		c := start(t, Config{OwnGroup: true, Subreaper: true}, script)
		pid := c.pid(t)
		_ = c.cmd.Wait()
		await(func() bool { s, _ := proc.ReadStat(pid); return s.Parent == os.Getpid() && s.Name == "sleep" })
		if !c.Alive() {
			t.Errorf("%s: not alive", script)
		}
		if got, want := c.Leftovers(time.Time{}), []Process{{PID: pid, Name: "sleep"}}; !slices.Equal(got, want) {
			t.Errorf("%s: left over %v, want %v", script, got, want)
		}
		if got := c.Sweep(time.Time{}, nil, SweepMost, SweepAll); got[pid] != "sleep" || len(got) != 1 {
			t.Errorf("%s: swept %v", script, got)
		}
		if c.Alive() || c.Leftovers(time.Time{}) != nil || !dead(pid) {
			t.Errorf("%s: it is alive after the sweep", script)
		}
	}
}

// A leftover that ends by itself in time is not named, and one that does not is.
func TestLeftoversEnd(t *testing.T) {
	becomeSubreaper(t)
	c := start(t, Config{OwnGroup: true, Subreaper: true}, "sleep 600 >/dev/null & echo $!")
	pid := c.pid(t)
	_ = c.cmd.Wait()
	if got := c.Leftovers(time.Now().Add(leftoverPoll)); len(got) != 1 || got[0].PID != pid {
		t.Errorf("left over %v, want %d", got, pid)
	}
	found := make(chan []Process)
	go func() { found <- c.Leftovers(time.Now().Add(time.Hour)) }()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if got := <-found; len(got) != 0 {
		t.Errorf("left over %v, which has ended", got)
	}
}

// A helper that is left over is no part of the run, and without a subreaper none is.
func TestNoLeftovers(t *testing.T) {
	becomeSubreaper(t)
	helper := 0
	c := start(t, Config{OwnGroup: true, Subreaper: true, IsHelper: func(pid int) bool { return pid == helper }}, "setsid sleep 600 >/dev/null & echo $!")
	helper = c.pid(t)
	_ = c.cmd.Wait()
	await(func() bool { s, _ := proc.ReadStat(helper); return s.Parent == os.Getpid() && s.Name == "sleep" })
	if c.Alive() || c.Leftovers(time.Time{}) != nil {
		t.Errorf("a helper is taken for a part of the run: %v", c.Leftovers(time.Time{}))
	}
	c.IsHelper, c.Subreaper = nil, false
	if c.Alive() || c.Leftovers(time.Time{}) != nil {
		t.Errorf("without a subreaper: %v", c.Leftovers(time.Time{}))
	}
	_ = syscall.Kill(helper, syscall.SIGKILL)
	await(func() bool { return !c.Reap() }) // it would be in the way of the other tests
}

// No more than twenty are named.
func TestManyLeftovers(t *testing.T) {
	becomeSubreaper(t)
	c := start(t, Config{OwnGroup: true, Subreaper: true}, "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do sleep 600 >/dev/null & done; echo ready")
	c.line(t)
	_ = c.cmd.Wait()
	if got := c.Leftovers(time.Time{}); len(got) != 20 {
		t.Errorf("%d are named", len(got))
	}
	if got := c.Sweep(time.Time{}, nil, SweepMost, SweepAll); len(got) != 21 {
		t.Errorf("%d were swept", len(got))
	}
}

// Orphans that ended are collected, and the child is left to who waits for it.
func TestReap(t *testing.T) {
	becomeSubreaper(t)
	c := start(t, Config{OwnGroup: true, Subreaper: true}, "sh -c 'sleep 0 >/dev/null & echo $!'; exit 3")
	pid := c.pid(t)
	await(func() bool { return dead(c.cmd.Process.Pid) })
	await(func() bool { return c.Reap() && proc.Gone(pid, proc.Start(pid)) || syscall.Kill(pid, 0) != nil })
	if _ = c.cmd.Wait(); c.cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("the child: %v", c.cmd.ProcessState)
	}
	if c.Reap() {
		t.Error("there are children")
	}
}

// A process that may end by itself gets time to, until a signal cancels the run.
func TestSweepIsPatient(t *testing.T) {
	c := start(t, Config{OwnGroup: true}, "exec 3<&0; sh -c 'echo ready; read x' <&3 & exit")
	c.line(t)
	await(func() bool { return dead(c.cmd.Process.Pid) })
	sigs := make(chan os.Signal, 2)
	sigs <- syscall.SIGUSR1
	sigs <- syscall.SIGINT
	killAt := time.Now().Add(time.Hour)
	if got := c.Sweep(killAt, sigs, time.Hour, time.Hour); len(got) != 0 || c.Alive() {
		t.Errorf("%v", got) // it is killed with the group, which names nobody
	}
	if len(sigs) != 0 {
		t.Errorf("%d signals are left", len(sigs))
	}
	c = start(t, Config{OwnGroup: true}, "exec 3<&0; sh -c 'echo ready; read x; echo bye' <&3 & exit")
	c.line(t)
	await(func() bool { return dead(c.cmd.Process.Pid) })
	swept := make(chan map[int]string)
	go func() { swept <- c.Sweep(killAt, nil, SweepMost, SweepAll) }()
	if _, err := fmt.Fprintln(c.in, "x"); err != nil {
		t.Fatal(err)
	}
	if got := c.line(t); got != "bye" {
		t.Errorf("it said %q", got)
	}
	if got := <-swept; len(got) != 0 {
		t.Errorf("swept %v", got)
	}
}

// Those that hold the other end of a pipe are named in their order, but not this process.
func TestHolders(t *testing.T) {
	if !proc.Visible() {
		t.Skip("/proc does not show this process")
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	var want []Process
	for range 2 {
		cmd := exec.Command("sleep", "600")
		cmd.Stdout = write
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
		await(func() bool { s, _ := proc.ReadStat(cmd.Process.Pid); return s.Name == "sleep" }) // a moment after Start
		want = append(want, Process{PID: cmd.Process.Pid, Name: "sleep"})
	}
	slices.SortFunc(want, func(a, b Process) int { return a.PID - b.PID })
	if got := Holders([]*os.File{read}); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Holders(nil); got != nil {
		t.Errorf("of no pipe: %v", got)
	}
}

// A process below the child may be the one that waits.
func TestWaitsForStdin(t *testing.T) {
	if _, err := os.ReadFile("/proc/self/syscall"); err != nil {
		t.Skip("the kernel does not say what a process waits for")
	}
	c := start(t, Config{OwnGroup: true}, "cat")
	await(c.WaitsForStdin)
	if c.ReadsTerminal() {
		t.Error("a pipe is taken for a terminal")
	}
	c = start(t, Config{OwnGroup: true}, "echo ready; exec sleep 600")
	c.line(t)
	await(func() bool { s, _ := proc.ReadStat(c.cmd.Process.Pid); return s.Name == "sleep" && s.State == 'S' })
	if c.WaitsForStdin() || c.ReadsTerminal() {
		t.Error("it reads nothing")
	}
	_, slave := testenv.Terminal(t)
	defer slave.Close()
	cmd := exec.Command("cat")
	cmd.Stdin = slave
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	f := &Tree{}
	f.Gather(cmd.Process)
	await(f.ReadsTerminal)
}

// Only a terminal shows what is typed, and only while it is told to.
func TestEchoes(t *testing.T) {
	_, slave := testenv.Terminal(t)
	if !Echoes(slave) {
		t.Error("a terminal shows nothing")
	}
	mode, err := unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	mode.Lflag &^= unix.ECHO
	if err := unix.IoctlSetTermios(int(slave.Fd()), unix.TCSETS, mode); err != nil {
		t.Fatal(err)
	}
	if Echoes(slave) {
		t.Error("a terminal that shows nothing")
	}
	slave.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, f := range []*os.File{nil, slave, null} {
		if Echoes(f) {
			t.Errorf("%v is taken for a terminal", f)
		}
	}
}

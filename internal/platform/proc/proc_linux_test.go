package proc

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"

	"golang.org/x/sys/unix"
)

// Reading /proc of this process and of a child gives the true values.
func TestOfThisMachine(t *testing.T) {
	if !Visible() {
		t.Skip("/proc does not show the processes of this PID namespace")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command("cat")
	cmd.Stdin, cmd.Env = r, []string{"PROC_TEST=here"}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("no cat: %v", err)
	}
	// When it has answered it waits for no disk.
	if _, err := w.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	start := Start(pid)
	if !Killable(pid) || Ending(pid) || Gone(pid, start) || !Gone(pid, start+"0") {
		t.Error("a living process is gone, or is another one")
	}
	defer func() {
		_ = w.Close()
		_ = unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if Killable(pid) || !Ending(pid) || !Gone(pid, start) {
			t.Error("a zombie is alive")
		}
		_ = cmd.Wait()
		if Start(pid) != "" || !Gone(pid, start) {
			t.Error("a process that was waited for is still there")
		}
	}()
	if parent, ok := Parent(pid); !ok || parent != os.Getpid() {
		t.Errorf("the parent is %d, %t; want %d", parent, ok, os.Getpid())
	}
	table := Read()
	if s := table[pid]; s.Name != "cat" || s.Start == "" || s.Start != Start(pid) || s.Zombie() {
		t.Errorf("the child is %+v, and started at %q", s, Start(pid))
	}
	if below := table.Below(os.Getpid(), nil); !slices.Contains(below, pid) {
		t.Errorf("below us are %v, without %d", below, pid)
	}
	if !HasVariable(pid, "PROC_TEST=he") || HasVariable(pid, "ROC_TEST=") || !HasArguments(pid, "cat") || HasArguments(pid, "ca") {
		t.Error("the child's environment or arguments are read wrong")
	}
	if env, ok := Environ(pid); !ok || !slices.Equal(env, cmd.Env) {
		t.Errorf("the environment is %q, %t", env, ok)
	}
	pipe, has := Link(r), false
	if !Links(pid, func(name string) bool { has = has || name == pipe; return true }) || !has {
		t.Errorf("the child has not %q open", pipe)
	}
	calls := 0
	Links(pid, func(string) bool { calls++; return false })
	if calls != 1 {
		t.Errorf("after false %d links were shown", calls)
	}
	if a, err := os.Stat(Descriptor(pid, 0)); err != nil || a.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("its standard input is %v, %v", a, err)
	}
	if id := BootID(); len(id) != 36 {
		t.Errorf("the id of the boot is %q", id)
	}
	if name := Namespace(); !strings.HasPrefix(name, "pid:[") {
		t.Errorf("the namespace is %q", name)
	}
	if text, err := os.ReadFile("/proc/thread-self/syscall"); err == nil && !strings.HasPrefix(string(text), strconv.Itoa(unix.SYS_READ)+" ") {
		t.Logf("an emulator makes the system calls, which have the numbers of another processor: %q", text)
		return
	}
	// It has written what it read, and reads again as soon as it gets a processor.
	reading := func() (int, bool) { return Reading(pid, unix.SYS_READ) }
	for fd, ok := reading(); ; fd, ok = reading() {
		if _, err := os.ReadFile(file(pid, "syscall")); err != nil {
			t.Logf("no system call can be seen: %v", err)
			break
		}
		if ok {
			if prefix := strconv.Itoa(unix.SYS_READ) + " "; fd != 0 || !InCall(pid, prefix) || InCall(pid, "x") {
				t.Errorf("it reads from %d", fd)
			}
			if _, ok := Reading(pid, unix.SYS_READ+1); ok {
				t.Error("it is in another call")
			}
			break
		}
		if t.Context().Err() != nil {
			t.Fatal("it does not read")
		}
	}
}

// A process that does not exist has no data.
func TestNoProcess(t *testing.T) {
	const pid = 1 << 30
	if _, ok := ReadStat(pid); ok || Killable(pid) || InCall(pid, "") || HasVariable(pid, "") || HasArguments(pid) {
		t.Error("it has a state, or was started with something")
	}
	if _, ok := Reading(pid, unix.SYS_READ); ok {
		t.Error("it reads")
	}
	if env, ok := Environ(pid); ok || env != nil {
		t.Errorf("its environment is %q", env)
	}
	if _, ok := Parent(pid); ok || Links(pid, func(string) bool { return true }) {
		t.Error("it has a parent, or files")
	}
	if _, ok := Parent(1); ok {
		t.Error("the first process has a parent")
	}
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if name := Link(f); name != "" {
		t.Errorf("a closed file is %q", name)
	}
}

// A program is executed while its parent looks: what it was started with is never
// taken for empty.
func TestWithinExecve(t *testing.T) {
	for range 150 {
		cmd := exec.Command("cat")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = []string{"PROC_TEST=here"}
		if err := cmd.Start(); err != nil {
			t.Skipf("no cat: %v", err)
		}
		if pid := cmd.Process.Pid; !HasVariable(pid, "PROC_TEST=") || !HasArguments(pid, "cat") {
			t.Fatal("it has no environment, or no arguments")
		}
		_ = in.Close()
		_ = cmd.Wait()
	}
}

// A process that ends between two looks is not taken for one without variables, and a
// moment of execve(2) without end is given up.
func TestStartedWith(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		within := []byte("12 (a) S" + strings.Repeat(" 1", statMemory-1) + " 4096 1" + strings.Repeat(" 0", 60))
		for _, c := range []struct {
			files fstest.MapFS
			want  string
			err   error
		}{
			{fstest.MapFS{"environ": {Data: []byte("A=1")}}, "A=1", nil},
			{fstest.MapFS{"environ": {}}, "", fs.ErrNotExist},
			{fstest.MapFS{}, "", fs.ErrNotExist},
			{fstest.MapFS{"environ": {}, "stat": {}}, "", nil},
			{fstest.MapFS{"environ": {}, "stat": {Data: within}}, "", os.ErrDeadlineExceeded},
		} {
			if got, err := startedWith(c.files, "environ", statEnviron); string(got) != c.want || !errors.Is(err, c.err) {
				t.Errorf("%v: got %q, %v", c.files, got, err)
			}
		}
	})
}

// A process is ending once none of its threads runs its program any more, also while some of
// them, which SIGKILL waits for, have not come to their end. One whose first thread has ended
// alone goes on.
func TestEnding(t *testing.T) {
	thread := func(state, flags, pending string) *fstest.MapFile {
		fields := strings.Fields(state + strings.Repeat(" 1", 49))
		fields[statFlags], fields[statPending] = flags, pending
		return &fstest.MapFile{Data: []byte("12 (a) " + strings.Join(fields, " ") + "\n")}
	}
	for _, c := range []struct {
		name          string
		first, second *fstest.MapFile
		want          bool
	}{
		{"alive", thread("S", "4194560", "0"), thread("R", "4194560", "0"), false},
		{"alive, with another signal to come", thread("S", "4194560", "0"), thread("T", "4194560", "16384"), false},
		{"the first thread has ended", thread("Z", "4194564", "0"), thread("S", "4194560", "0"), false},
		{"the first thread is ending, SIGKILL waits for the second", thread("R", "4194564", "0"), thread("S", "4194560", "256"), true},
		{"both are ending", thread("R", "4194564", "0"), thread("R", "4194564", "0"), true},
		{"it has ended", thread("Z", "4194564", "0"), nil, true},
	} {
		files := fstest.MapFS{"task/12/stat": c.first}
		if c.second != nil {
			files["task/13/stat"] = c.second
		}
		if got := ending(files); got != c.want {
			t.Errorf("%s: ending is %t", c.name, got)
		}
	}
	if Ending(os.Getpid()) {
		t.Error("this process is ending")
	}
}

// /proc belongs to our PID namespace if it shows this process under its own id.
func TestVisible(t *testing.T) {
	text, err := os.ReadFile("/proc/self/stat")
	if want := err == nil && strings.HasPrefix(string(text), strconv.Itoa(os.Getpid())+" "); Visible() != want {
		t.Errorf("got %t, want %t: %.40q, %v", Visible(), want, text, err)
	}
}

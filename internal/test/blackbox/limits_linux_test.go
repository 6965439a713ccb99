package blackbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/platform/proc"
	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// A stranger is a user of this machine that nobody else is: limits count the
// processes of a user.
type stranger struct {
	uid  int
	home string // a directory of its own
	path string // envwrap, where this user may execute it
}

var strangers struct {
	sync.Mutex
	next int
	able bool // one of them has run envwrap
}

// newStranger needs root, and a /tmp that others may enter. All
// that the user left is killed at the end of the test, which fails if that was
// not nothing.
func newStranger(t *testing.T) stranger {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root may become another user")
	}
	strangers.Lock()
	strangers.next++
	s := stranger{uid: 1<<20 + os.Getpid()*64 + strangers.next}
	strangers.Unlock()
	base, err := os.MkdirTemp("/tmp", "envwrap-stranger-") // TMPDIR may be for root alone
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	s.home, s.path = filepath.Join(base, "home"), filepath.Join(base, "envwrap")
	program, err := exec.LookPath("envwrap")
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []func() error{
		func() error { return os.Chmod(base, 0o755) },
		func() error { return install(program, s.path) },
		func() error { return os.Mkdir(s.home, 0o700) },
		func() error { return os.Chown(s.home, s.uid, s.uid) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	strangers.Lock()
	defer strangers.Unlock()
	if !strangers.able {
		if out, err := s.command(t, "envwrap -- true").CombinedOutput(); err != nil {
			t.Skipf("user %d cannot run envwrap: %v, %s", s.uid, err, out)
		}
		strangers.able = true
	}
	t.Cleanup(func() {
		if left := s.processes(); len(left) > 0 {
			t.Errorf("%d processes of the user are left: %v", len(left), left)
		}
		for range 100 { // what is killed may have started others
			left := s.processes()
			if len(left) == 0 {
				break
			}
			for pid := range left {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	})
	return s
}

// install gives a program another name, or makes a copy of it on another file system or
// where others may not execute the program. cp(1) makes the copy: a file that this process
// writes may be open in a child just forked by another test, and is not executed then (ETXTBSY).
func install(program, name string) error {
	info, err := os.Stat(program)
	if err == nil && info.Mode()&0o005 == 0o005 && os.Link(program, name) == nil {
		return nil
	}
	return errors.Join(exec.Command("cp", program, name).Run(), os.Chmod(name, 0o755)) // whatever the umask
}

// limited is shell code that limits the number of a user's processes. The option
// is -p in dash, and -u in others.
func limited(n int) string {
	return fmt.Sprintf("if (ulimit -u %d) 2>/dev/null; then ulimit -u %[1]d; else ulimit -p %[1]d; fi && ", n)
}

// command is a shell of the user that runs what is before the first "envwrap" of
// a line, and then executes that with the rest as its arguments.
func (s stranger) command(t *testing.T, line string) *exec.Cmd {
	t.Helper()
	before, args, ok := strings.Cut(line, "envwrap ")
	if !ok {
		t.Fatalf("no envwrap in %q", line)
	}
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", before+"exec "+s.path+" "+args)
	cmd.Dir = s.home
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "TMPDIR=" + s.home, "LC_ALL=C", "ENVWRAP_AGENT=none", "GORACE=" + os.Getenv("GORACE")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(s.uid), Gid: uint32(s.uid)}}
	return cmd
}

// processes are the living processes of the user.
func (s stranger) processes() map[int]string {
	found := map[int]string{}
	for pid, stat := range proc.Read() {
		info, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
		if err != nil || stat.Zombie() {
			continue
		}
		if sys, ok := info.Sys().(*syscall.Stat_t); ok && int(sys.Uid) == s.uid {
			found[pid] = stat.Name
		}
	}
	return found
}

// ended checks that a run was stopped by its time limit and that its envelope
// says so.
func (s stranger) ended(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	var got struct{ Error struct{ Code string } }
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil || got.Error.Code != "ETIMEOUT" || cmd.ProcessState.ExitCode() != 124 {
		t.Errorf("%v: %v, with %q and %.200q", cmd.ProcessState, err, stdout.Bytes(), stderr.Bytes())
	}
	if left := s.processes(); len(left) > 0 {
		t.Errorf("%d processes are left: %v", len(left), left)
	}
}

// A command that fills the process table does not keep envwrap from stopping it:
// the Go runtime would end the program where it is refused a thread.
func TestFullProcessTable(t *testing.T) {
	// When the table is full, the command goes on to print: what takes the output in
	// would have many threads.
	const fill = `(i=0; while [ $i -lt 100 ]; do sleep 60 & i=$((i+1)); done) 2>/dev/null; while :; do echo $-; done`
	for range matrix.Times(1, 4) {
		s := newStranger(t)
		s.ended(t, s.command(t, limited(50)+"export GOMAXPROCS=16; "+
			"envwrap --timeout 300ms --kill-after 200ms --max-artifact 1MiB --on-overflow truncate -- sh -c '"+fill+"'"))
	}
}

// Where the table is full already, envwrap says that it is, or does not start.
func TestNoRoomToStart(t *testing.T) {
	s := newStranger(t)
	holder := s.command(t, "envwrap -- true")
	holder.Args[2] = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 60 & all=\"$all $!\"; done; echo; read -r x; kill $all; wait"
	in, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = in.Close()
		_ = holder.Wait()
	}()
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	// The shell and its twelve, and what the runtime itself has when it has begun.
	cmd := s.command(t, limited(20)+"envwrap -- mkdir made")
	cmd.Dir = s.home
	got, err := cmd.Output()
	if _, err := os.Stat(filepath.Join(s.home, "made")); err == nil {
		t.Error("the command was run")
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 2 && refusedThread(exit.Stderr) {
		return // before anything began
	}
	if cmd.ProcessState.ExitCode() != 126 || !bytes.Contains(got, []byte(`"code":"EIO"`)) || !bytes.Contains(got, []byte(`"retryable":true`)) {
		t.Errorf("%v, with %q (%v)", cmd.ProcessState, got, err)
	}
}

// refusedThread reports whether Go's runtime, or the C library's, ended a program
// since there was no room for a thread of its own.
func refusedThread(stderr []byte) bool {
	return bytes.Contains(stderr, []byte("failed to create new OS thread")) || bytes.Contains(stderr, []byte("pthread_create failed"))
}

// A command whose processes start others while they are killed, ignore SIGTERM
// and leave their group and their parent is ended with all of them.
func TestForkingWhileKilled(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid to leave a group with")
	}
	s := newStranger(t)
	// Each of 30 starts its successor and ends; after 100 it is over in any case. Up to
	// three processes of each live at a time, so that 600 are never reached.
	const script = `trap "" TERM; [ $1 -gt 0 ] || exit; sleep 0.1; setsid sh chain $(($1 - 1)) & exit`
	if err := os.WriteFile(filepath.Join(s.home, "chain"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	const fork = `i=0; while [ $i -lt 30 ]; do sh chain 100 & i=$((i+1)); done; sleep 60`
	s.ended(t, s.command(t, limited(600)+"envwrap --timeout 200ms --kill-after 150ms -- sh -c '"+fork+"' 2>/dev/null"))
}

// A command does not outlive an envwrap that is killed. It is asked to end, as it
// may have something to put in order.
func TestKilledWithItsCommand(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{{}, {"--timeout", "60s"}, {"--emit", "agent"}} {
		ready := filepath.Join(dir, "ready")
		if err := syscall.Mkfifo(ready, 0o600); err != nil {
			t.Fatal(err)
		}
		// The command holds the reading end of a pipe: its end is seen as that of the pipe.
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "envwrap", append(args, "--", "sh", "-c", "echo >ready; exec sleep 60")...)
		cmd.Dir, cmd.Env, cmd.ExtraFiles = dir, peopleEnv(dir), []*os.File{w}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_ = w.Close()
		if _, err := os.ReadFile(ready); err != nil { // waits for the command
			t.Fatal(err)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		ended := make(chan struct{})
		go func() {
			_, _ = io.ReadAll(r)
			close(ended)
		}()
		select {
		case <-ended:
		case <-time.After(hangs):
			t.Errorf("%v: the command lives on without envwrap", args)
		}
		_ = r.Close()
		_ = os.Remove(ready)
	}
}

// With too few open files for a run envwrap says so on stderr and, unless there are
// hardly any, in an envelope: the Go runtime would end the program with a trace. With
// enough of them the run is whole.
func TestFewOpenFiles(t *testing.T) {
	t.Parallel()
	for n := 5; n <= 40; n++ {
		if n%matrix.Every(5) > 0 {
			continue
		}
		dir := t.TempDir()
		cmd := exec.CommandContext(t.Context(), "sh", "-c", fmt.Sprintf("ulimit -n %d; exec envwrap --timeout 60s -- seq 8000", n))
		cmd.Dir, cmd.Env = dir, peopleEnv(dir)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		_ = cmd.Run()
		text := stderr.String()
		switch cmd.ProcessState.ExitCode() {
		case 125:
			reported := bytes.HasSuffix(stdout.Bytes(), []byte("}\n")) && bytes.Contains(stdout.Bytes(), []byte(`"code":"EIO"`))
			if n >= 30 || !reported && (n >= 16 || stdout.Len() > 0) || strings.Count(text, "\n") != 2 || !strings.Contains(text, "ulimit -n") {
				t.Errorf("%d: got %q and %.300q", n, stdout.Bytes(), text)
			}
		case 0:
			if n < 15 || text != "" || !bytes.Contains(stdout.Bytes(), []byte(`"status":"ok"`)) {
				t.Errorf("%d: got %q and %.300q", n, stdout.Bytes(), text)
			}
		default:
			t.Errorf("%d: %v, with %.300q", n, cmd.ProcessState, text)
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "ulimit -n 16; exec envwrap -- echo disabled")
	cmd.Env = append(peopleEnv(t.TempDir()), "ENVWRAP=0")
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "disabled\n" {
		t.Errorf("ENVWRAP=0: %v, %.300q", err, out)
	}
}

// Without /proc time limits and jobs work by process group, and say what they cannot.
func TestWithoutProc(t *testing.T) {
	t.Parallel()
	dir := testenv.TempDir(t)
	run := func(line string) (string, int) {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", "mount -t tmpfs none /proc || exit 77; "+line)
		cmd.Dir, cmd.Env = dir, peopleEnv(dir)
		cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == 77 {
			t.Skipf("no file system can be mounted over /proc here: %v, %s", err, stderr.Bytes())
		}
		return string(out) + stderr.String(), cmd.ProcessState.ExitCode()
	}
	text, status := run("exec envwrap --timeout 300ms --kill-after 300ms -- sh -c 'trap \"\" TERM; sleep 60 & sleep 60'")
	if status != 124 || !strings.Contains(text, "what left it was not looked for") || !strings.Contains(text, `"code":"ETIMEOUT"`) {
		t.Errorf("a time limit: status %d, %s", status, text)
	}
	text, status = run("envwrap job submit -- sh -c 'echo done; exit 3' | sed 's/.*\"job\":{\"id\":\"//; s/\".*//' >id && exec envwrap job wait $(cat id)")
	if status != 3 || !strings.Contains(text, `"text":"done\n"`) {
		t.Errorf("a job: status %d, %s", status, text)
	}
}

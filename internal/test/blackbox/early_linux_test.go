package blackbox

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/platform/proc"
	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// cancelSoon is the most that a canceled start may take in a test: ten times what
// docs/child.md says, and less than any limit that would end a wait by itself.
const cancelSoon = 9 * time.Second

// An earlyRun is an envwrap that is kept from starting its command.
type earlyRun struct {
	*testing.T
	program        string
	dir            string // its working directory
	trace          string // which the command would make
	env            []string
	through        []string // what executes envwrap
	stdout, stderr bytes.Buffer
	errs           *os.File // in place of stderr
	cmd            *exec.Cmd
}

func newEarlyRun(t *testing.T) *earlyRun {
	t.Helper()
	program, err := exec.LookPath("envwrap")
	if err != nil {
		t.Fatal(err)
	}
	dir := testenv.TempDir(t)
	return &earlyRun{T: t, program: program, dir: dir, trace: filepath.Join(dir, "trace"), env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "GORACE=atexit_sleep_ms=0",
	}}
}

// start starts envwrap with options, and a command that leaves a trace.
func (e *earlyRun) start(options ...string) {
	e.Helper()
	e.startLine(append(options, "--", "touch", e.trace)...)
}

func (e *earlyRun) startLine(line ...string) {
	e.Helper()
	line = slices.Concat(e.through, []string{e.program}, line)
	e.cmd = exec.Command(line[0], line[1:]...)
	e.cmd.Dir, e.cmd.Env, e.cmd.Stdout, e.cmd.Stderr = e.dir, e.env, &e.stdout, &e.stderr
	if e.errs != nil {
		e.cmd.Stderr = e.errs
	}
	if err := e.cmd.Start(); err != nil {
		e.Fatal(err)
	}
	e.Cleanup(func() { _ = e.cmd.Process.Kill() })
}

// until waits until something is true of the process.
func (e *earlyRun) until(is func(pid int) bool) {
	e.Helper()
	for !is(e.cmd.Process.Pid) {
		if proc.Gone(e.cmd.Process.Pid, proc.Start(e.cmd.Process.Pid)) {
			_ = e.cmd.Wait()
			e.Fatalf("it has ended: %s%s", e.stdout.String(), e.stderr.String())
		}
		select {
		case <-e.Context().Done():
			e.Fatal("it did not come so far")
		case <-time.After(time.Millisecond):
		}
	}
}

// cancel sends a signal and returns the status that envwrap ends with.
func (e *earlyRun) cancel(sig syscall.Signal) int {
	e.Helper()
	if e.cmd.Args[1] != "job" { // which waits for that
		e.until(takesSignals)
	}
	begun := time.Now()
	if err := e.cmd.Process.Signal(sig); err != nil {
		e.Fatal(err)
	}
	_ = e.cmd.Wait()
	if took := time.Since(begun); took > cancelSoon {
		e.Errorf("it took %v to end", took)
	}
	if _, err := os.Stat(e.trace); err == nil {
		e.Error("the command ran")
	}
	return e.cmd.ProcessState.ExitCode()
}

// takesSignals is a condition: a run has asked for the signals that it hands on, SIGUSR1
// among the last. The runtime of Go has a thread for that, which blocks the signals that
// nobody has asked for, such as SIGIO (proc_pid_status(5)).
func takesSignals(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	for _, thread := range threads {
		text, _ := os.ReadFile(thread)
		_, mask, _ := strings.Cut(string(text), "\nSigBlk:\t")
		var blocked uint64
		_, err := fmt.Sscanf(mask, "%x", &blocked)
		if err == nil && blocked&(1<<(syscall.SIGIO-1)) != 0 && blocked&(1<<(syscall.SIGUSR1-1)) == 0 {
			return true
		}
	}
	return false
}

// config writes the user's configuration.
func (e *earlyRun) config(text string) {
	e.Helper()
	e.write(".config/envwrap/config.toml", text)
}

func (e *earlyRun) write(name, text string) string {
	e.Helper()
	path := filepath.Join(e.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		e.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		e.Fatal(err)
	}
	return path
}

// fifo makes a FIFO. If held is set, the test has it open for writing, and writes
// nothing.
func (e *earlyRun) fifo(held bool) (path string, w *os.File) {
	e.Helper()
	path = filepath.Join(e.dir, "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		e.Fatal(err)
	}
	if !held {
		return path, nil
	}
	w, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		e.Fatal(err)
	}
	e.Cleanup(func() { _ = w.Close() })
	return path, w
}

// opens returns a condition: the process has a file open whose path contains name.
func opens(name string) func(pid int) bool {
	return func(pid int) (found bool) {
		proc.Links(pid, func(path string) bool {
			found = strings.Contains(path, name)
			return !found
		})
		return found
	}
}

// inOpenOf returns a condition: a thread of the process is blocked in openat(2) of path.
func inOpenOf(path string) func(pid int) bool {
	return inCall(syscall.SYS_OPENAT, func(pid int, args []string) bool {
		at := int64(0)
		if _, err := fmt.Sscanf(args[1], "0x%x", &at); err != nil {
			return false
		}
		memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
		if err != nil {
			return false
		}
		defer memory.Close()
		name := make([]byte, len(path)+1)
		_, err = memory.ReadAt(name, at)
		return err == nil && string(name) == path+"\x00"
	})
}

// inWrite is a condition: a thread of the process is blocked in write(2).
func inWrite(pid int) bool {
	return inCall(syscall.SYS_WRITE, func(int, []string) bool { return true })(pid)
}

// inCall returns a condition: a thread of the process is blocked in a system call with
// such arguments (proc_pid_syscall(5)).
func inCall(number int, with func(pid int, args []string) bool) func(pid int) bool {
	return func(pid int) bool {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/syscall", pid))
		for _, thread := range threads {
			line, _ := os.ReadFile(thread)
			fields := strings.Fields(string(line))
			if len(fields) > 3 && fields[0] == fmt.Sprint(number) && with(pid, fields[1:]) {
				return true
			}
		}
		return false
	}
}

// oneProcessor is the environment of a Go program on a machine with one processor, which
// collects garbage all the time.
var oneProcessor = []string{"GOMAXPROCS=1", "GOGC=1"}

// script writes a program whose interpreter is in dir.
func (e *earlyRun) script(dir string) string {
	e.Helper()
	path := e.write("script", "#!"+dir+"/sh\n")
	if err := os.Chmod(path, 0o700); err != nil {
		e.Fatal(err)
	}
	return path
}

// earlyPhases are the steps of envwrap before it starts a command, each with a way to
// keep it there.
var earlyPhases = map[string]func(e *earlyRun){
	"the user's configuration": onHungDir(func(e *earlyRun, hung string) {
		e.env = append(e.env, "XDG_CONFIG_HOME="+hung)
		e.start()
	}),
	"records of trust": onHungDir(func(e *earlyRun, hung string) {
		e.write(".envwrap.toml", "store = \"/elsewhere\"\n")
		e.env = append(e.env, "XDG_STATE_HOME="+hung)
		e.start()
	}),
	"--secret-file":   onHungDir(func(e *earlyRun, hung string) { e.start("--secret-file", hung+"/f") }),
	"--redact-config": onHungDir(func(e *earlyRun, hung string) { e.start("--redact-config", hung+"/f") }),
	"--request":       onHungDir(func(e *earlyRun, hung string) { e.start("-f", "agent-response", "--request", hung+"/f") }),
	"--output":        onHungDir(func(e *earlyRun, hung string) { e.start("-o", hung+"/f") }),
	"--stdin":         onHungDir(func(e *earlyRun, hung string) { e.start("--stdin", hung+"/f") }),
	"--cwd":           onHungDir(func(e *earlyRun, hung string) { e.start("--cwd", hung+"/d") }),
	"--cache-input":   onHungDir(func(e *earlyRun, hung string) { e.start("--cache", "1h", "--cache-input", hung+"/f") }),
	"store":           onHungDir(func(e *earlyRun, hung string) { e.start("--cache", "1h", "--store", hung+"/s") }),
	"store of jobs":   onHungDir(func(e *earlyRun, hung string) { e.start("--wait", "1h", "--store", hung+"/s") }),
	"PATH": onHungDir(func(e *earlyRun, hung string) {
		e.env[0] = "PATH=" + hung
		e.start()
	}),
	"runner's program": onHungDir(func(e *earlyRun, hung string) {
		e.config("[runner.far]\ncommand = [\"" + hung + "/ssh\"]\n")
		e.env = append(e.env, oneProcessor...)
		e.start("--on", "far")
	}),
	"runner's interpreter": onHungDir(func(e *earlyRun, hung string) {
		e.config("[runner.far]\ncommand = [\"" + e.script(hung) + "\"]\n")
		e.env = append(e.env, oneProcessor...)
		e.start("--on", "far")
	}),
	"interpreter": onHungDir(func(e *earlyRun, hung string) {
		e.env = append(e.env, oneProcessor...)
		e.startLine("--", e.script(hung))
	}),
	"job submit, configuration": onHungDir(func(e *earlyRun, hung string) {
		e.env = append(e.env, "XDG_CONFIG_HOME="+hung)
		e.startLine("job", "submit", "--", "touch", e.trace)
	}),
	"job submit, store": onHungDir(func(e *earlyRun, hung string) {
		e.startLine("job", "submit", "--store", hung+"/s", "--", "touch", e.trace)
	}),
	"silent writer": func(e *earlyRun) {
		path, _ := e.fifo(true)
		e.start("--secret-file", path)
		e.until(opens(path))
	},
	"no writer": func(e *earlyRun) {
		path, _ := e.fifo(false)
		e.start("--stdin", path)
		e.until(inOpenOf(path))
	},
	"no reader of stderr": func(e *earlyRun) {
		e.write(".envwrap.toml", "store = \"/elsewhere\"\n") // which a warning is about
		unread, full := fullPipe(e.T)
		e.Cleanup(func() { _ = unread.Close() })
		fd := full.Fd() // blocks from now on
		e.errs = os.NewFile(fd, "stderr")
		e.start()
		e.until(inWrite)
	},
	"large input": func(e *earlyRun) {
		path := e.write("large", "")
		if err := os.Truncate(path, 1<<42); err != nil {
			e.Skipf("no file can be so large here: %v", err)
		}
		e.start("--cache", "1h", "--cache-input", path)
		e.until(opens(path))
	},
	"lock of jobs": func(e *earlyRun) {
		e.holdSubmitLock()
		e.start("--wait", "1h", "--store", e.dir+"/s")
		e.until(opens("/.submit"))
	},
	"job submit, lock": func(e *earlyRun) {
		e.holdSubmitLock()
		e.startLine("job", "submit", "--store", e.dir+"/s", "--", "touch", e.trace)
		e.until(opens("/.submit"))
	},
	"turn of a remembered run": func(e *earlyRun) {
		line := []string{"--cache", "1h", "--store", e.dir + "/s", "--", "sh", "-c", "test -e go && touch trace; echo >&9; exec sleep 300"}
		began, tell, err := os.Pipe()
		if err != nil {
			e.Fatal(err)
		}
		first := exec.Command("envwrap", line...)
		first.Dir, first.Env = e.dir, e.env
		first.ExtraFiles = []*os.File{2: nil, 6: tell} // descriptor 9
		if err := first.Start(); err != nil {
			e.Fatal(err)
		}
		e.Cleanup(func() {
			_ = first.Process.Signal(syscall.SIGTERM)
			_ = first.Wait()
		})
		_ = tell.Close()
		if _, err := began.Read(make([]byte, 1)); err != nil {
			e.Fatal(err)
		}
		e.write("go", "")
		e.startLine(line...)
		e.until(opens("/locks/"))
	},
	"companion": func(e *earlyRun) {
		path, asked := e.fifo(true)
		bin := filepath.Dir(e.write("bin/envwrap-net", "#!/bin/sh\necho >"+path+"\nexec sleep 300\n"))
		if err := os.Chmod(bin+"/envwrap-net", 0o700); err != nil {
			e.Fatal(err)
		}
		if err := exec.Command("cp", e.program, bin).Run(); err != nil { // the companion is beside it
			e.Fatal(err)
		}
		e.program = bin + "/envwrap"
		keys := exec.Command("envwrap", "cache", "keygen", e.dir+"/key")
		keys.Env = e.env
		if out, err := keys.CombinedOutput(); err != nil {
			e.Fatalf("%v: %s", err, out)
		}
		e.start("--cache", "1h", "--cache-remote", "--cache-key", e.dir+"/key", "--remote", "http://127.0.0.1:9/x", "--store", e.dir+"/s")
		fd := int32(asked.Fd())
		e.until(func(int) bool {
			n, err := unix.Poll([]unix.PollFd{{Fd: fd, Events: unix.POLLIN}}, 0)
			return n > 0 && err == nil
		})
	},
}

// onHungDir returns a phase that is reached when envwrap is blocked in a file system.
func onHungDir(start func(e *earlyRun, hung string)) func(e *earlyRun) {
	return func(e *earlyRun) {
		hung := testenv.NewHungDir(e.T)
		start(e, hung.Path)
		hung.AwaitAccess(e.T)
	}
}

// holdSubmitLock locks what a submission has to lock.
func (e *earlyRun) holdSubmitLock() {
	e.Helper()
	if err := os.MkdirAll(e.dir+"/s/jobs", 0o700); err != nil {
		e.Fatal(err)
	}
	lock, err := os.OpenFile(e.dir+"/s/jobs/.submit", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		e.Fatal(err)
	}
	e.Cleanup(func() { _ = lock.Close() })
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		e.Fatal(err)
	}
}

// A signal that asks envwrap to end, and comes before the command was started, ends it
// soon wherever it is, and the command never runs.
func TestSignalBeforeStart(t *testing.T) {
	t.Parallel()
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	for i, name := range slices.Sorted(maps.Keys(earlyPhases)) {
		reach := earlyPhases[name]
		for j, sig := range signals {
			if (i+j)%matrix.Every(len(signals)) > 0 {
				continue
			}
			status := 128 + int(sig)
			t.Run(fmt.Sprint(name, "/", status), func(t *testing.T) {
				t.Parallel()
				e := newEarlyRun(t)
				reach(e)
				if e.cancel(sig) != status {
					t.Errorf("%v, want status %d", e.cmd.ProcessState, status)
				}
				d, ok := envelope.Identify(e.stdout.Bytes())
				if !ok {
					t.Fatalf("no envelope: %q, %q", e.stdout.String(), e.stderr.String())
				}
				res, err := envelope.Decode(d, e.stdout.Bytes())
				if err != nil {
					t.Fatal(err)
				}
				o := res.Outcome
				if o.Kind != envelope.Canceled || o.Code != envelope.ECANCELED || o.Retryable || o.ExitCode != nil || !strings.Contains(o.Message, "was not started: envwrap got SIG") {
					t.Errorf("%+v", o)
				}
				for _, f := range envelope.Validate(d, e.stdout.Bytes(), envelope.ValidateOptions{Strict: true}) {
					t.Error(f)
				}
			})
		}
	}
}

// The answer is the one that the line asks for, as far as it could be read, and shows
// nothing that may be a secret.
func TestSignalBeforeStartAnswer(t *testing.T) {
	t.Parallel()
	const says = "was not started: envwrap got SIGTERM"
	inStdout := func(e *earlyRun) string { return e.stdout.String() }
	for _, c := range []struct {
		options []string
		status  int
		envelope,
		stderr func(e *earlyRun) string
	}{
		{[]string{"--exit-code", "envelope"}, 1, inStdout, nil},
		{[]string{"--exit-code", "zero", "-f", "helper"}, 0, inStdout, nil},
		{[]string{"--exit-code", "envelope", "-f", "delegator"}, 1, inStdout, nil},
		{[]string{"-f", "agent-response"}, 143, inStdout, nil},
		{[]string{"-f", "tool-envelope"}, 143, inStdout, nil},
		{[]string{"-f", "brief"}, 143, inStdout, nil},
		{[]string{"--stream"}, 143, inStdout, nil},
		{[]string{"--emit", "auto"}, 143, nil, nil},
		{[]string{"-o", "answer"}, 143, func(e *earlyRun) string {
			text, err := os.ReadFile(filepath.Join(e.dir, "answer"))
			if err != nil {
				e.Error(err)
			}
			return string(text)
		}, nil},
	} {
		t.Run(strings.Join(c.options, " "), func(t *testing.T) {
			t.Parallel()
			e := newEarlyRun(t)
			path, _ := e.fifo(true)
			e.start(append(c.options, "--secret-file", path, "--pretty=0")...)
			e.until(opens(path))
			if e.cancel(syscall.SIGTERM) != c.status {
				t.Errorf("%v, want status %d", e.cmd.ProcessState, c.status)
			}
			var got string
			if c.envelope != nil {
				got = c.envelope(e)
			}
			if answered := strings.Contains(strings.ToLower(got), strings.ToLower(says)); answered != (c.envelope != nil) || strings.Contains(got, e.trace) {
				t.Errorf("%s", got)
			}
			apart := c.envelope == nil || c.options[0] == "-o"
			if e.stderr.String() == "envwrap: touch "+says+"\n" != apart || apart && e.stdout.Len() > 0 {
				t.Errorf("stdout %q, stderr %q", e.stdout.String(), e.stderr.String())
			}
		})
	}
}

// Signals that were ignored when envwrap began, as nohup and the background of a shell
// have it, do not end it.
func TestIgnoredSignalsBeforeStart(t *testing.T) {
	t.Parallel()
	e := newEarlyRun(t)
	path, secrets := e.fifo(true)
	e.through = []string{"sh", "-c", `trap "" HUP INT; exec "$0" "$@"`}
	e.start("--secret-file", path)
	e.until(opens(path))
	e.until(takesSignals)
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if err := e.cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := secrets.WriteString("a secret\n"); err != nil {
		t.Fatal(err)
	}
	if err := secrets.Close(); err != nil {
		t.Fatal(err)
	}
	if err := e.cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, e.stdout.String())
	}
	if _, err := os.Stat(e.trace); err != nil {
		t.Error(err)
	}
}

// Whenever the signal comes, a command that is said not to have been started has not run.
func TestSignalAroundStart(t *testing.T) {
	t.Parallel()
	for i := range matrix.Times(20, 500) {
		e := newEarlyRun(t)
		e.start()
		for range i * 50 { // a little later each time
			_ = os.Getpid()
		}
		if err := e.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		_ = e.cmd.Wait()
		_, err := os.Stat(e.trace)
		ran, status := err == nil, e.cmd.ProcessState.ExitCode()
		notStarted := status < 0 || strings.Contains(e.stdout.String(), "was not started")
		if ran && notStarted || status >= 0 && status != 143 && status != 0 {
			t.Errorf("it ran: %t; %v, %s%s", ran, e.cmd.ProcessState, e.stdout.String(), e.stderr.String())
		}
	}
}

// A signal to its supervisor cancels a queued job.
func TestSignalToQueuedJob(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.submit("sleep 300", "--max-jobs", "1")
	for sig, status := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		id := b.submit("touch "+b.store+"/trace", "--max-jobs", "1")
		var supervisor int
		b.until("a supervisor", func() bool { supervisor, _ = b.pids(id); return supervisor != 0 })
		if err := syscall.Kill(supervisor, sig); err != nil {
			t.Fatal(err)
		}
		if res, got := b.wait(id); got != status || res.Outcome.Code != envelope.ECANCELED || !strings.Contains(res.Outcome.Message, "was not started: envwrap got SIG") {
			t.Errorf("%v: status %d, %+v", sig, got, res.Outcome)
		}
	}
	if _, err := os.Stat(b.store + "/trace"); err == nil {
		t.Error("a canceled job ran")
	}
}

// A store that does not answer is not waited for once the answer is out.
func TestRecordOnHungDir(t *testing.T) {
	t.Parallel()
	e := newEarlyRun(t)
	hung := testenv.NewHungDir(t)
	e.start("--store", hung.Path+"/s")
	if err := e.cmd.Wait(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(e.stdout.String(), `"status":"ok"`) {
		t.Errorf("%s%s", e.stdout.String(), e.stderr.String())
	}
	if _, err := os.Stat(e.trace); err != nil {
		t.Error(err)
	}
}

//go:build unix

package wrap_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap"
)

func TestStatusOfASignalledChild(t *testing.T) {
	for sig, name := range map[syscall.Signal]string{
		// not INT: a test that runs in the background may have it ignored
		syscall.SIGTERM: "SIGTERM", syscall.SIGKILL: "SIGKILL", syscall.SIGSEGV: "SIGSEGV", syscall.SIGUSR1: "SIGUSR1",
	} {
		c := command(t, "exit")
		c.Argv = []string{"sh", "-c", fmt.Sprintf("kill -%d $$; sleep 10", int(sig))}
		res := run(t, c)
		want(t, res, envelope.Failure, envelope.ERUNTIME, 128+int(sig))
		if res.Outcome.ExitCode != nil || res.Outcome.Signal != name || res.Outcome.Retryable != (sig == syscall.SIGKILL) ||
			strings.HasPrefix(res.Outcome.Hint, "SIGKILL came from a kill of the text's own, or memory") != (sig == syscall.SIGKILL) {
			t.Errorf("%v: %+v", sig, res.Outcome)
		}
	}
}

// alive reports whether the process whose id the file holds is there. A
// zombie that nobody has reaped yet is not.
func alive(t *testing.T, file string) bool {
	t.Helper()
	pid := readPID(t, file)
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	ended := 0
	for _, thread := range threads {
		if status, err := os.ReadFile(thread); err != nil || strings.Contains(string(status), ") Z ") {
			ended++
		}
	}
	return ended < len(threads) || ended == 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// A time limit ends the whole group, also who ignores SIGTERM.
func TestTimeoutEndsTheGroup(t *testing.T) {
	t.Parallel()
	pid := filepath.Join(t.TempDir(), "pid")
	c := command(t, "family", pid)
	timeout(t, c)
	want(t, run(t, c), envelope.Timeout, envelope.ETIMEOUT, 124)
	t.Cleanup(func() { killPID(t, pid) })
	if alive(t, pid) {
		t.Error("a grandchild is left")
	}
}

func TestSignalsToEnvwrap(t *testing.T) {
	t.Run("the first is forwarded", func(t *testing.T) {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
			c := command(t, "polite", "0")
			c.KillAfter = time.Minute
			sendWhenReady(c, sig)
			res := run(t, c)
			want(t, res, envelope.Canceled, envelope.ECANCELED, 128+int(sig))
			if got := res.Stdout.Text; got != "ready\n"+sig.String()+"\n" {
				t.Errorf("%v: the child printed %q", sig, got)
			}
		}
	})
	t.Run("the second kills", func(t *testing.T) {
		c := command(t, "deaf")
		c.KillAfter = time.Minute
		sendWhenReady(c, syscall.SIGINT, syscall.SIGINT)
		want(t, run(t, c), envelope.Canceled, envelope.ECANCELED, 128+2)
	})
	t.Run("the kill comes by itself", func(t *testing.T) {
		c := command(t, "deaf")
		sendWhenReady(c, syscall.SIGTERM)
		want(t, run(t, c), envelope.Canceled, envelope.ECANCELED, 128+15)
	})
	t.Run("others only pass", func(t *testing.T) {
		c := command(t, "polite", "5")
		sendWhenReady(c, syscall.SIGQUIT)
		res := run(t, c)
		want(t, res, envelope.Failure, envelope.ERUNTIME, 5)
		if got := res.Stdout.Text; got != "ready\nquit\n" {
			t.Errorf("the child printed %q", got)
		}
	})
}

// A signal counts also where it comes while the child is ending.
func TestSignalAtTheEnd(t *testing.T) {
	c := command(t, "print", "no newline, so it is shown at the end", "")
	sendWhenReady(c, syscall.SIGTERM)
	want(t, run(t, c), envelope.Canceled, envelope.ECANCELED, 128+15)
}

// A reader of the output that does not read holds no run that is over.
func TestReaderThatDoesNotRead(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*wrap.Command){
		"hang":   func(c *wrap.Command) { timeout(t, c) },
		"polite": func(c *wrap.Command) { sendWhenReady(c, syscall.SIGINT, syscall.SIGINT) },
	} {
		c := command(t, name, "0")
		prepare(c)
		gone := make(chan struct{})
		c.GiveUp = func() { close(gone) }
		c.LiveStdout = after(c.LiveStdout, func() {
			<-gone
		})
		if res := run(t, c); !strings.HasPrefix(res.Stdout.Text, "ready\n") {
			t.Errorf("%s: stdout %q", name, res.Stdout.Text)
		}
	}
}

// A reader who is slow when the run is over, and was not stopped, is waited for.
func TestSlowReaderIsWaitedFor(t *testing.T) {
	t.Parallel()
	c := command(t, "print", "text\n", "")
	c.GiveUp = func() { t.Error("the reader was given up") }
	c.LiveStdout = after(nil, func() { <-time.After(10 * drainSlice) })
	want(t, run(t, c), envelope.Success, "", 0)
}

// drainSlice is how often a reader is looked at.
const drainSlice = 10 * time.Millisecond

// after is w with something that happens after each write; nil is no w.
func after(w io.Writer, then func()) io.Writer {
	return writerFunc(func(p []byte) {
		if w != nil {
			_, _ = w.Write(p)
		}
		then()
	})
}

// sendWhenReady makes envwrap get the signals as soon as the child has printed.
func sendWhenReady(c *wrap.Command, signals ...os.Signal) {
	sent := make(chan os.Signal, len(signals))
	c.Signals = sent
	first := true
	c.LiveStdout = writerFunc(func([]byte) {
		if !first {
			return
		}
		first = false
		for _, sig := range signals {
			sent <- sig
		}
	})
}

func TestSocketOnStdinIsNotInherited(t *testing.T) {
	here, there := net.Pipe()
	defer here.Close()
	defer there.Close()
	c := command(t, "echo")
	t.Chdir(t.TempDir()) // the name of a socket must be short
	listener, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := net.Dial("unix", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	file, err := conn.(*net.UnixConn).File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c.Stdin = wrap.Stdin{File: file}
	want(t, run(t, c), envelope.Success, "", 0)
}

// A missing program's hint names one with a like name, if it is a program.
func TestHintNamesAProgramOfPath(t *testing.T) {
	for _, c := range []struct {
		name string
		mode os.FileMode // 0 for a directory
		want string
	}{
		{"frobnicate", 0o700, "Did you mean frobnicate?"},
		{"frobnicate", 0, ""},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, c.name)
		err := os.Mkdir(path, 0o700)
		if c.mode != 0 {
			err = errors.Join(os.Remove(path), os.WriteFile(path, nil, c.mode))
		}
		if err != nil {
			t.Fatal(err)
		}
		cmd := command(t, "exit")
		cmd.Argv, cmd.Env = []string{"frobnicat"}, []string{"PATH=" + dir}
		hint := run(t, cmd).Outcome.Hint
		if strings.Contains(hint, "Did you mean") != (c.want != "") || !strings.Contains(hint, c.want) {
			t.Errorf("%s with mode %v: hint %q, want %q", c.name, c.mode, hint, c.want)
		}
	}
}

// Each way not to start has its own code, status and words.
func TestStartFailures(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file("plain", "text", 0o644)
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name    string
		argv    []string
		kind    envelope.Kind
		code    envelope.Code
		status  int
		message string
	}{
		{"not on PATH", []string{"no-such-program"}, envelope.NotStarted, envelope.ENOTFOUND, 127, "not found on PATH"},
		{"empty name", []string{""}, envelope.NotStarted, envelope.ENOTFOUND, 127, "no such file"},
		{"no such path", []string{"./no/such"}, envelope.NotStarted, envelope.ENOTFOUND, 127, "no such file"},
		{"a directory", []string{dir}, envelope.Failure, envelope.EIO, 126, "is a directory"},
		{"a FIFO", []string{fifo}, envelope.Failure, envelope.EIO, 126, "permission denied"}, // nothing waits for its writer
		{"no x bit", []string{filepath.Join(dir, "plain")}, envelope.Failure, envelope.EIO, 126, "permission denied"},
		{"no x bit on PATH", []string{"plain"}, envelope.Failure, envelope.EIO, 126, "permission denied"},
		{"below a file", []string{filepath.Join(dir, "plain", "x")}, envelope.Failure, envelope.EIO, 126, "not a directory"},
		{"wrong format", []string{file("binary", "\x00\x01\x02 garbage", 0o755)}, envelope.Failure, envelope.EIO, 126, "wrong binary format"},
		{"no interpreter", []string{file("bad", "#!/no/such/interpreter -x\n", 0o755)}, envelope.NotStarted, envelope.ENOTFOUND, 127, "/no/such/interpreter"},
		{"CRLF", []string{file("crlf", "#!/bin/sh\r\necho\r\n", 0o755)}, envelope.NotStarted, envelope.ENOTFOUND, 127, "CR LF"},
		{"no interpreter for env", []string{file("env", "#!/usr/bin/env -S no-such-interpreter -x\n", 0o755)}, envelope.NotStarted, envelope.ENOTFOUND, 127, `interpreter "no-such-interpreter" not found`},
		{"NUL", []string{"echo", "a\x00b"}, envelope.Failure, envelope.EARG, 125, "NUL"},
		{"too long", []string{"/bin/echo", strings.Repeat("x", 2<<20)}, envelope.Failure, envelope.EIO, 126, "argument list too long"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := command(t, "exit")
			c.Argv = tc.argv
			c.Env = []string{"PATH=" + dir + ":/usr/bin:/bin"}
			res := run(t, c)
			want(t, res, tc.kind, tc.code, tc.status)
			if !strings.Contains(res.Outcome.Message, tc.message) || res.Outcome.ExitCode != nil && tc.name != "no interpreter for env" {
				t.Errorf("message %q, exit code %v", res.Outcome.Message, res.Outcome.ExitCode)
			}
		})
	}
	t.Run("interpreter in the details", func(t *testing.T) {
		c := command(t, "exit")
		c.Argv = []string{filepath.Join(dir, "bad")}
		if got := run(t, c).Outcome.Interpreter; got != "/no/such/interpreter" {
			t.Errorf("interpreter %q", got)
		}
	})
	t.Run("bad directory", func(t *testing.T) {
		for _, bad := range []string{filepath.Join(dir, "nowhere"), filepath.Join(dir, "plain")} {
			c := command(t, "exit", "0")
			c.Dir = bad
			want(t, run(t, c), envelope.Failure, envelope.EARG, 125)
		}
	})
	t.Run("text without a first line runs by the shell", func(t *testing.T) {
		for content, stdout := range map[string]string{"echo by $0 $1\n": "by " + filepath.Join(dir, "script") + " arg\n", "": ""} {
			c := command(t, "exit")
			c.Argv = []string{file("script", content, 0o755), "arg"}
			res := run(t, c)
			want(t, res, envelope.Success, "", 0)
			if res.Stdout.Text != stdout {
				t.Errorf("stdout %q", res.Stdout.Text)
			}
		}
	})
}

// The lookup uses the PATH that the child gets, and what it finds only through
// a relative element runs, with a warning.
func TestLookup(t *testing.T) {
	dir := t.TempDir()
	writeFile(filepath.Join(dir, "tool"), "#!/bin/sh\necho found\n")
	if err := os.Chmod(filepath.Join(dir, "tool"), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, warnings := range map[string]int{
		dir: 0, "/nowhere:" + dir: 0, ".": 1, "": 1, "/nowhere:": 1, "../" + filepath.Base(dir): 1,
	} {
		c := command(t, "exit")
		c.Argv = []string{"tool"}
		c.Dir = dir
		c.Env = []string{"PATH=" + path}
		res := run(t, c)
		want(t, res, envelope.Success, "", 0)
		if res.Stdout.Text != "found\n" || len(res.Warnings) != warnings {
			t.Errorf("PATH=%q: stdout %q, warnings %q", path, res.Stdout.Text, res.Warnings)
		}
	}
	c := command(t, "exit")
	c.Argv = []string{"true"}
	c.Env = nil
	want(t, run(t, c), envelope.Success, "", 0)
}

func TestShellsOwnStatuses(t *testing.T) {
	for script, expected := range map[string]struct {
		kind   envelope.Kind
		code   envelope.Code
		status int
	}{
		"no-such-command-here": {envelope.NotStarted, envelope.ENOTFOUND, 127},
		"exit 126":             {envelope.Failure, envelope.EIO, 126},
		"exit 3":               {envelope.Failure, envelope.ERUNTIME, 3},
		"exit 1":               {envelope.Failure, envelope.ERUNTIME, 1},
		"exit 75":              {envelope.Failure, envelope.ERUNTIME, 75},
		"kill -9 $$":           {envelope.Failure, envelope.ERUNTIME, 137},
	} {
		c := command(t, "exit")
		c.Argv = []string{"sh", "-c", script}
		want(t, run(t, c), expected.kind, expected.code, expected.status)
	}
}

// The hint of a shell is about what was not found or executed, not about what is there.
func TestHintsOfShells(t *testing.T) {
	in := shell(t, "")
	for name, content := range map[string]string{"bad": "#!/no/such/interpreter\n", "crlf": "#!/bin/sh\r\n", "sub/file": ""} {
		path := filepath.Join(in.Dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		"./bad":                         "Install /no/such/interpreter, or mend the first line of ./bad.",
		"./crlf":                        `Give the script Unix line ends: sed -i 's/\r$//' ./crlf`,
		"./nosuch":                      "There is no program ./nosuch: check the path",
		"./words":                       "Make it executable (chmod +x ./words)",
		"exec nosuchprog":               `No program named "nosuchprog"`,
		"echo a | xargs nosuchprog":     `No program named "nosuchprog"`,
		"echo a | env nosuchprog":       `No program named "nosuchprog"`,
		"echo a | sh -c nosuchprog":     `No program named "nosuchprog"`,
		"eval nosuchprog":               `No program named "nosuchprog"`,
		"echo a | nosuchprog | cat >&2": `No program named "nosuchprog"`,
	} {
		for _, sh := range []string{in.Argv[0], "sh"} {
			c := command(t, "exit")
			c.Process = in.Process
			c.Argv = []string{sh, "-c", text}
			if o := run(t, c).Outcome; (sh != "sh" || !strings.Contains(text, "|")) && !strings.HasPrefix(o.Hint, want) {
				t.Errorf("%s %q: %s, hint %q, want %q", sh, text, o.Kind, o.Hint, want)
			}
		}
	}
	c := command(t, "exit")
	c.Process = in.Process
	c.Argv = []string{in.Argv[0], "-c", "./sub"}
	if hint := run(t, c).Outcome.Hint; hint != "Name a program inside it." {
		t.Errorf("directory: hint %q", hint)
	}
}

// A record says what the child used of the machine.
func TestUsage(t *testing.T) {
	if u := run(t, command(t, "exit", "0")).Usage; u == nil || u.MaxRSSBytes < 1<<20 {
		t.Errorf("%+v", u)
	}
}

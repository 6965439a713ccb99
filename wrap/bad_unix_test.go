//go:build unix

package wrap_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

func init() {
	roles["mute"] = mute
	roles["halt"] = halt
	roles["endless"] = endless
	roles["longline"] = longLine
}

// mute closes both streams, goes on for a while, and ends with status 6.
func mute([]string) {
	fmt.Println("before")
	os.Stdout.Close()
	os.Stderr.Close()
	<-time.After(200 * time.Millisecond)
	os.Exit(6)
}

// halt stops itself, for ever. Another thread may take the signal, so that this one
// goes on for a moment.
func halt([]string) {
	fmt.Println("ready")
	for {
		_ = syscall.Kill(syscall.Getpid(), syscall.SIGSTOP)
	}
}

// endless prints until it is stopped, also where nobody seems to read.
func endless([]string) {
	line := strings.Repeat("y\n", 32<<10)
	for {
		if _, err := os.Stdout.WriteString(line); err != nil {
			os.Exit(1)
		}
	}
}

const longLineBytes = 20_000_000

// longLine prints 20 MB without a newline.
func longLine([]string) {
	block := strings.Repeat("all work and no play ", 50_000)
	for left := longLineBytes; left > 0; left -= len(block) {
		if _, err := os.Stdout.WriteString(block[:min(left, len(block))]); err != nil {
			os.Exit(1)
		}
	}
}

func TestChildClosesItsStreams(t *testing.T) {
	t.Parallel()
	res := run(t, command(t, "mute"))
	want(t, res, envelope.Failure, envelope.ERUNTIME, 6)
	if res.Stdout.Text != "before\n" || len(res.Warnings) != 0 {
		t.Errorf("stdout %q, warnings %q", res.Stdout.Text, res.Warnings)
	}
}

func TestChildStopsItself(t *testing.T) {
	t.Parallel()
	c := command(t, "halt")
	c.Timeout = time.Second
	want(t, run(t, c), envelope.Timeout, envelope.ETIMEOUT, 124)
}

func TestChildPrintsForEver(t *testing.T) {
	t.Parallel()
	c := command(t, "endless")
	c.MaxCapture, c.MaxArtifact = 64<<10, 128<<10
	c.Timeout = 200 * time.Millisecond
	res := run(t, c)
	want(t, res, envelope.Timeout, envelope.ETIMEOUT, 124)
	if res.Stdout.Truncated != (res.Stdout.Bytes > 64<<10) {
		t.Errorf("stdout %d bytes, truncated %v", res.Stdout.Bytes, res.Stdout.Truncated)
	}
}

func TestLongLine(t *testing.T) {
	t.Parallel()
	c := command(t, "longline")
	c.MaxCapture = 0
	res := run(t, c)
	want(t, res, envelope.Success, "", 0)
	if res.Stdout.Bytes != longLineBytes || res.Stdout.Lines != 1 || res.Stdout.Artifact == "" {
		t.Errorf("%d bytes, %d lines", res.Stdout.Bytes, res.Stdout.Lines)
	}
}

func TestEachSignalHasItsNumber(t *testing.T) {
	for sig, name := range map[syscall.Signal]string{
		syscall.SIGILL: "SIGILL", syscall.SIGTRAP: "SIGTRAP", syscall.SIGABRT: "SIGABRT", syscall.SIGBUS: "SIGBUS",
		syscall.SIGFPE: "SIGFPE", syscall.SIGSEGV: "SIGSEGV", syscall.SIGUSR2: "SIGUSR2", syscall.SIGPIPE: "SIGPIPE",
		syscall.SIGALRM: "SIGALRM", syscall.SIGXCPU: "SIGXCPU", syscall.SIGXFSZ: "SIGXFSZ", syscall.SIGVTALRM: "SIGVTALRM",
		syscall.SIGPROF: "SIGPROF", syscall.SIGSYS: "SIGSYS",
	} {
		c := command(t, "exit")
		c.Argv = []string{"sh", "-c", fmt.Sprintf("ulimit -c 0; echo JavaScript heap out of memory >&2; kill -%d $$; sleep 10", int(sig))}
		res := run(t, c)
		want(t, res, envelope.Failure, envelope.ERUNTIME, 128+int(sig))
		if o := res.Outcome; o.Signal != name || !strings.Contains(o.Hint, "Node's memory limit") {
			t.Errorf("%s: %q, hint %q", name, o.Signal, o.Hint)
		}
	}
}

// A file that is still being written is tried again for a moment (ETXTBSY).
func TestBusyProgramIsTriedAgain(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "busy")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Write(program); err != nil {
		t.Fatal(err)
	}
	c := command(t, "exit", "5")
	c.Argv[0] = path
	res := run(t, c)
	want(t, res, envelope.Failure, envelope.EIO, 126)
	if !strings.Contains(res.Outcome.Message, "text file busy") || res.Duration < 30*time.Millisecond {
		t.Errorf("%s after %v", res.Outcome.Message, res.Duration)
	}
	time.AfterFunc(5*time.Millisecond, func() { file.Close() })
	want(t, run(t, c), envelope.Failure, envelope.ERUNTIME, 5)
}

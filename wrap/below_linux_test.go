package wrap_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap"
)

// Below a client, SIGTERM ends the run although the command goes on, and SIGINT is the
// command's own affair: both came to the whole process group.
func TestBelowSignals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		signal os.Signal
		text   string
		kind   envelope.Kind
		status int
	}{
		{syscall.SIGTERM, `echo ready >&3; read x <&4; echo on >late`, envelope.Canceled, 128 + 15},
		{os.Interrupt, `echo ready >&3; echo printed; exit 0`, envelope.Success, 0},
	} {
		cmd := shell(t, "")
		dir := cmd.Dir
		for _, name := range []string{"ready", "go", "late"} {
			if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd.Argv[2] = "exec 3<>ready 4<>go; " + c.text
		cmd.Below = true
		signals := make(chan os.Signal, 1)
		cmd.Signals = signals
		ready, err := os.OpenFile(filepath.Join(dir, "ready"), os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		goOn, err := os.OpenFile(filepath.Join(dir, "go"), os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_, _ = ready.Read(make([]byte, 6))
			signals <- c.signal
		}()
		res := run(t, cmd)
		if res.Outcome.Kind != c.kind || res.ExitStatus != c.status {
			t.Errorf("%v, %s: %s, status %d, %q", c.signal, c.text, res.Outcome.Kind, res.ExitStatus, res.Warnings)
		}
		if res.ExitStatus != 128+15 {
			continue
		}
		if _, err := goOn.WriteString("x\n"); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "late")) // until the command writes to it
		if err != nil || string(text) != "on\n" {
			t.Errorf("the command went on with %q, %v", text, err)
		}
	}
}

// The status of a command that ends by itself after SIGTERM is its own. If it takes too long
// on a busy machine, the run is over before that.
func TestBelowStatusAfterSignal(t *testing.T) {
	t.Parallel()
	for status, kind := range map[int]envelope.Kind{9: envelope.Canceled, 0: envelope.Success} {
		cmd := shell(t, "")
		for _, name := range []string{"ready", "go"} {
			if err := syscall.Mkfifo(filepath.Join(cmd.Dir, name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd.Argv[2] = fmt.Sprintf("echo >ready; read x <go; exit %d", status)
		cmd.Below = true
		signals := make(chan os.Signal)
		cmd.Signals = signals
		go func() {
			_, _ = os.ReadFile(filepath.Join(cmd.Dir, "ready"))
			signals <- syscall.SIGTERM
			_ = os.WriteFile(filepath.Join(cmd.Dir, "go"), []byte("\n"), 0o600)
		}()
		res := run(t, cmd)
		if res.Outcome.ExitCode != nil && (res.Outcome.Kind != kind || res.ExitStatus != status) {
			t.Errorf("exit %d: %s, status %d", status, res.Outcome.Kind, res.ExitStatus)
		}
	}
}

// Below a client the output of a command is all there if the store fails, also if it is longer
// than what is held else, and the command's own end counts.
func TestBelowWithoutStore(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		kind   envelope.Kind
		status int
	}{"seq 60000": {envelope.Success, 0}, "seq 60000; exit 2": {envelope.Failure, 2}} {
		cmd := shell(t, text)
		cmd.Below, cmd.InlineLimit, cmd.MaxCapture, cmd.OnOverflow = true, 1000, 10_000, wrap.OverflowTruncate
		brief, _ := envelope.Lookup("brief/v1")
		cmd.Placement = brief.Placement(envelope.EncodeOptions{})
		cmd.Store = func() (*artifact.Store, string, error) { return nil, "", errors.New("no room") }
		res := run(t, cmd)
		if res.Outcome.Kind != want.kind || res.ExitStatus != want.status || !res.Unstored || len(res.Warnings) != 1 {
			t.Errorf("%s: %+v, status %d, warnings %q", text, res.Outcome, res.ExitStatus, res.Warnings)
		}
		if s := res.Stdout.Text; strings.Count(s, "\n") != 60000 || !strings.HasSuffix(s, "\n60000\n") {
			t.Errorf("%s: %d bytes, %d lines", text, len(s), strings.Count(s, "\n"))
		}
	}
}

// A pipe that a process keeps open goes to the heir, and nothing warns of it.
func TestHeir(t *testing.T) {
	t.Parallel()
	cmd := shell(t, "")
	gate := filepath.Join(cmd.Dir, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd.Argv[2] = "(read x <gate; echo late) & echo first"
	cmd.Below = true
	var pipe *os.File
	cmd.Heir = func(_ string, f *os.File) {
		n, err := syscall.Dup(int(f.Fd()))
		if err != nil {
			t.Error(err)
			return
		}
		pipe = os.NewFile(uintptr(n), "pipe")
	}
	cmd.Merge, cmd.DrainQuiet = true, 0
	res := run(t, cmd)
	if res.Stdout.Text != "first\n" || len(res.Warnings) > 0 || pipe == nil {
		t.Fatalf("%q, warnings %q, pipe %v", res.Stdout.Text, res.Warnings, pipe)
	}
	if err := os.WriteFile(gate, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for b := make([]byte, 64); ; {
		n, err := pipe.Read(b)
		text.Write(b[:n])
		if err != nil {
			break
		}
	}
	if text.String() != "late\n" {
		t.Errorf("the heir read %q", text.String())
	}
}

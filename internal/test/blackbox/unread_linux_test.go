package blackbox

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A run that was stopped ends though nobody reads its envelope: after --kill-after, with
// 125 and the reason.
func TestStoppedUnread(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		options []string
		signal  bool
	}{
		{"time limit", []string{"--timeout", "100ms"}, false},
		{"signal", nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			unread, full := fullPipe(t)
			defer unread.Close()
			ready := filepath.Join(t.TempDir(), "ready")
			if err := syscall.Mkfifo(ready, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := b.command(append(append([]string{"--kill-after", "100ms"}, tt.options...), "--", "sh", "-c", `echo >"`+ready+`"; exec sleep 300`)...)
			var stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = full, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_ = full.Close()
			if tt.signal {
				if _, err := os.ReadFile(ready); err != nil { // the command runs
					t.Fatal(err)
				}
				if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
			}
			const want = "cannot write the envelope: nobody reads it"
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 125 || !strings.Contains(stderr.String(), want) {
				t.Errorf("%v, stderr %q", err, stderr.String())
			}
		})
	}
}

// fullPipe returns a pipe that takes no more.
func fullPipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := w.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var last error
	err = conn.Control(func(fd uintptr) {
		for last == nil {
			_, last = syscall.Write(int(fd), make([]byte, 4096)) // os.Pipe's do not block
		}
	})
	if err != nil || !errors.Is(last, syscall.EAGAIN) {
		t.Fatal(err, last)
	}
	return r, w
}

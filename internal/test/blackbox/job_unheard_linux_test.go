package blackbox

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// Where stdout takes no envelope, the status is none that could be the job's own,
// and stderr says why; who submits learns the id there.
func TestJobAnswerUnheard(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	over := b.submit("echo line; exit 3")
	b.wait(over)
	goes := b.submit("sleep 300")
	for name, open := range map[string]func() (*os.File, error){"full": fullDevice, "pipe": unreadPipe} {
		for _, tt := range []struct {
			args   []string
			status int
			says   string
		}{
			{[]string{"job", "wait", over}, 125, "print the envelope"},
			{[]string{"job", "results", over}, 125, "print the envelope"},
			{[]string{"job", "wait", "--timeout", "1ms", goes}, 125, "print the envelope"},
			{[]string{"job", "submit", "--", "true"}, 1, "report job 0"},
			{[]string{"job", "tail", "--follow", over}, 125, "print the envelope"},
		} {
			if name == "pipe" && tt.args[1] == "tail" {
				continue // it ends by SIGPIPE, as any filter
			}
			out, err := open()
			if err != nil {
				t.Fatal(err)
			}
			cmd := b.command(tt.args...)
			var stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = out, &stderr
			_ = cmd.Run() // the status is read below
			_ = out.Close()
			if got := cmd.ProcessState.ExitCode(); got != tt.status || !strings.Contains(stderr.String(), tt.says) {
				t.Errorf("%s: %v: status %d, want %d; stderr %q, want %q", name, tt.args[:2], got, tt.status, stderr.String(), tt.says)
			}
		}
	}
}

func fullDevice() (*os.File, error) { return os.OpenFile("/dev/full", os.O_WRONLY, 0) }

// unreadPipe is a pipe that nobody reads any more.
func unreadPipe() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return w, r.Close()
}

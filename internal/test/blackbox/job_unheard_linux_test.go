package blackbox

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// If nobody reads stdout any more, the status cannot be taken for the job's own, and
// stderr says why; job submit prints the id there. The script job/answers has a full disk.
func TestJobAnswerUnheard(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	over := b.submit("echo line; exit 3")
	b.wait(over)
	running := b.submit("sleep 300")
	for _, tt := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"job", "wait", over}, 125, "print the envelope"},
		{[]string{"job", "results", over}, 125, "print the envelope"},
		{[]string{"job", "wait", "--timeout", "1ms", running}, 125, "print the envelope"},
		{[]string{"job", "submit", "--", "true"}, 1, "report job 0"},
	} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = read.Close()
		cmd := b.command(tt.args...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = write, &stderr
		_ = cmd.Run() // the status is read below
		_ = write.Close()
		if got := cmd.ProcessState.ExitCode(); got != tt.status || !strings.Contains(stderr.String(), tt.says) {
			t.Errorf("%v: status %d, want %d; stderr %q, want %q", tt.args[:2], got, tt.status, stderr.String(), tt.says)
		}
	}
}

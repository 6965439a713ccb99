package runcmd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// Where the envelope goes to a file, stderr says that the command was not run, and
// nothing of how it failed by itself.
func TestSayFailure(t *testing.T) {
	status := 3
	missing := envelope.Outcome{Kind: envelope.NotStarted, Code: envelope.ENOTFOUND, Message: "no such program"}
	failed := envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME, Message: "it failed", ExitCode: &status}
	full := envelope.Outcome{Kind: envelope.Failure, Code: envelope.EIO, Message: "the disk is full", ExitCode: &status, ClassifiedBy: envelope.ByEnvwrap}
	read := envelope.Outcome{Kind: envelope.Failure, Code: envelope.EIO, Message: "cannot read", ExitCode: &status, ClassifiedBy: envelope.BySignature}
	// Who sent the signal knows of it, also where the command never began.
	canceled := envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED, Message: "canceled"}
	for _, c := range []struct {
		name, output string
		toStdout     bool
		outcome      envelope.Outcome
		want         string
	}{
		{"not run", "file", false, missing, "envwrap: no such program\n"},
		{"not run, on stdout", "", true, missing, ""},
		{"not run, on stdout by name", "-", true, missing, ""},
		{"not run, on stdout as a file", "/dev/stdout", true, missing, ""},
		{"failed by itself", "file", false, failed, ""},
		{"envwrap failed", "file", false, full, "envwrap: the disk is full\n"},
		{"the command failed so", "file", false, read, ""},
		{"canceled", "file", false, canceled, ""},
	} {
		stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
		if err != nil {
			t.Fatal(err)
		}
		r := &Runner{
			Env: &cli.Env{Stdout: os.Stdout, Stderr: stderr}, O: &RunOptions{output: c.output}, sink: &output.Sink{},
			cmd: &wrap.Command{Capture: wrap.Capture{Redactor: redact.New(redact.Options{})}},
		}
		if c.toStdout {
			r.sink.Stream = r.Stdout
		}
		r.sayFailure(&c.outcome)
		_ = stderr.Close()
		if got, err := os.ReadFile(stderr.Name()); string(got) != c.want || err != nil {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

package wrap_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap"
)

// A hint says what to do next. An outcome without a known mend has no hint, rather
// than a sentence that holds for every failure.
func TestHintOnlyWhereItHelps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tool, status, stderr, want string
	}{
		{"thing", "1", "boom\n", ""},
		{"thing", "3", "", ""},
		{"thing", "64", "usage: thing\n", ""},
		{"thing", "69", "down\n", ""},
		{"thing", "77", "no\n", ""},
		{"pytest", "1", "FAILED test_x.py::test_x\n", ""},
		{"rsync", "24", "file has vanished\n", "--retries 3 runs it again."},
		{"make", "2", "make: *** [Makefile:3: all] Error 7\n", ""},
		{"make", "2", "make: *** [Makefile:3: all] Error 127\n", "make ran a command that was not found (status 127): install it, or mend PATH."},
		{"thing", "1", "HTTP 401 Unauthorized\n", "Log in, or give the command valid credentials."},
		{"thing", "1", "write: no space left on device\n", "Make room on the disk, or write to a file system that is not read-only."},
		{"thing", "1", "HTTP 429\n", "The server limits requests; wait, or lower the rate. Add --retries 3 to let envwrap wait for you."},
		{"thing", "1", "dial tcp: connection refused\n", "--retries 3 runs it again."},
		{"thing", "1", "operation timed out\n", "Raise the command's own time limit. Or --retries 3 runs it again."},
		{"thing", "1", "lookup nosuch: no such host\n", "Check the spelling of the host name. If it was right, --retries 3 runs it again."},
		{"curl", "6", "", "Check the spelling of the host name. If it was right, --retries 3 runs it again."},
	} {
		cmd := command(t, "fail", c.status, c.stderr, "")
		cmd.Argv[0] = named(t, c.tool)
		if o := run(t, cmd).Outcome; o.Code == "" || o.Hint != c.want {
			t.Errorf("%s %s %q: %s, hint %q; want %q", c.tool, c.status, c.stderr, o.Code, o.Hint, c.want)
		}
	}
}

// The hint names no --retries if the run already has it.
func TestNoHintOfRetriesAfterRetries(t *testing.T) {
	t.Parallel()
	for _, stderr := range []string{"HTTP 429\n", "connection refused\n", "operation timed out\n", "no such host\n"} {
		cmd := command(t, "fail", "1", stderr, "")
		y := wrap.Retry{Times: 1, On: func(*envelope.Outcome) bool { return true }, Delay: time.Millisecond, MaxDelay: time.Millisecond}
		res, err := y.Run(context.Background(), cmd)
		if err != nil {
			t.Fatal(err)
		}
		if o := res.Outcome; !o.Retryable || strings.Contains(o.Hint, "retries") {
			t.Errorf("%q: retryable %v, hint %q", stderr, o.Retryable, o.Hint)
		}
	}
}

// The hint names no option of envwrap below a client: who reads it there did not call envwrap.
func TestNoHintOfRetriesBelow(t *testing.T) {
	for stderr, want := range map[string]string{
		"HTTP 429\n": "The server limits requests; wait, or lower the rate.", "connection refused\n": "",
		"operation timed out\n": "Raise the command's own time limit.", "no such host\n": "Check the spelling of the host name.",
	} {
		cmd := command(t, "fail", "1", stderr, "")
		cmd.Below = true
		if o := run(t, cmd).Outcome; !o.Retryable || o.Hint != want {
			t.Errorf("%q: retryable %v, hint %q; want %q", stderr, o.Retryable, o.Hint, want)
		}
	}
}

// A command that printed no reason has that of its documentation, where that says
// more than that it failed.
func TestReasonOfASilentCommand(t *testing.T) {
	for _, c := range []struct{ tool, status, stderr, want string }{
		{"curl", "7", "", "curl ended with status 7: failed to connect to host"},
		{"curl", "7", "curl: (7) no route\n", "curl ended with status 7: curl: (7) no route"},
		{"wget", "8", "", "wget ended with status 8: server issued an error response"},
		{"wget", "1", "", "wget ended with status 1"},
		{"git", "1", "", "git ended with status 1"},
		{"thing", "3", "", "thing ended with status 3"},
	} {
		cmd := command(t, "fail", c.status, c.stderr, "")
		cmd.Argv[0] = named(t, c.tool)
		if o := run(t, cmd).Outcome; o.Message != c.want {
			t.Errorf("%s %s: %q; want %q", c.tool, c.status, o.Message, c.want)
		}
	}
}

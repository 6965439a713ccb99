package wrap_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

func init() { roles["fail"] = failing }

// failing prints args[1] on stderr and args[2] on stdout and ends with args[0].
func failing(args []string) {
	fmt.Fprint(os.Stderr, args[1])
	fmt.Print(args[2])
	os.Exit(number(args[0]))
}

func TestWellKnownTexts(t *testing.T) {
	for _, c := range []struct {
		stderr, stdout string
		kind           envelope.Kind
		code           envelope.Code
		retryable      bool
		network        bool
	}{
		{"HTTP 429 Too Many Requests\n", "", envelope.Failure, envelope.ERATELIMIT, true, false},
		{"API rate limit exceeded\n", "", envelope.Failure, envelope.ERATELIMIT, true, false},
		{"HTTP 401: Bad credentials\n", "", envelope.Failure, envelope.EAUTH, false, false},
		{"u@h: Permission denied (publickey).\n", "", envelope.Failure, envelope.EAUTH, false, false},
		{"write: no space left on device\n", "", envelope.Failure, envelope.EIO, false, false},
		{"connect: connection refused\n", "", envelope.Failure, envelope.ERUNTIME, true, true},
		{"operation timed out\n", "", envelope.Timeout, envelope.ETIMEOUT, true, false},
		{"it failed\n", `{"status":"401"}`, envelope.Failure, envelope.EAUTH, false, false},
	} {
		res := run(t, command(t, "fail", "9", c.stderr, c.stdout))
		want(t, res, c.kind, c.code, 9)
		o := res.Outcome
		if o.ClassifiedBy != envelope.BySignature || o.Retryable != c.retryable || o.Network != c.network {
			t.Errorf("%q: by %s, retryable %t, network %t", c.stderr, o.ClassifiedBy, o.Retryable, o.Network)
		}
	}
}

// Output does not classify a success, nor a status that the caller has explained.
func TestTextsOfASuccessSayNothing(t *testing.T) {
	res := run(t, command(t, "fail", "0", "HTTP 429\n", "rate limit exceeded\n"))
	want(t, res, envelope.Success, "", 0)
	c := command(t, "fail", "3", "HTTP 429\n", "")
	c.OkExit = []int{3}
	want(t, run(t, c), envelope.Success, "", 3)
	want(t, run(t, command(t, "fail", "9", "429 records read\n", "")), envelope.Failure, envelope.ERUNTIME, 9)
}

// A broad row of the table of exit statuses is refined by a text, others stand,
// and a status that a build tool hides is reported.
func TestTextsRefineTheTable(t *testing.T) {
	for _, c := range []struct {
		tool, status, stderr string
		code                 envelope.Code
		by                   envelope.Classifier
		hint                 string
	}{
		{"curl", "22", "curl: (22) The requested URL returned error: 429\n", envelope.ERATELIMIT, envelope.BySignature, ""},
		{"curl", "22", "curl: (22) The requested URL returned error: 404\n", envelope.ERUNTIME, envelope.ByTable, ""},
		{"curl", "6", "HTTP 429\n", envelope.ERUNTIME, envelope.ByTable, ""},
		{"make", "2", "make: *** [Makefile:3: all] Error 127\n", envelope.ERUNTIME, envelope.ByTable, "was not found (status 127)"},
		{"make", "2", "make: *** [Makefile:3: all] Error 7\n", envelope.ERUNTIME, envelope.ByTable, ""},
		{"pytest", "1", "connection refused\n", envelope.ERUNTIME, envelope.ByTable, ""},
	} {
		cmd := command(t, "fail", c.status, c.stderr, "")
		cmd.Argv[0] = named(t, c.tool)
		res := run(t, cmd)
		o := res.Outcome
		if o.Code != c.code || o.ClassifiedBy != c.by || o.Meaning == "" || !strings.Contains(o.Hint, c.hint) {
			t.Errorf("%s %s %q: %s by %s (%s), hint %q", c.tool, c.status, c.stderr, o.Code, o.ClassifiedBy, o.Meaning, o.Hint)
		}
	}
}

// A status that means a failure of the network says so.
func TestStatusOfTheNetwork(t *testing.T) {
	for _, c := range []struct {
		tool, status string
		network      bool
	}{
		{"curl", "7", true},   // failed to connect
		{"curl", "60", true},  // the certificate is not trusted
		{"curl", "23", false}, // the output could not be written
	} {
		cmd := command(t, "fail", c.status, "it failed\n", "")
		cmd.Argv[0] = named(t, c.tool)
		if o := run(t, cmd).Outcome; o.ClassifiedBy != envelope.ByTable || o.Network != c.network {
			t.Errorf("%s %s: by %s, network %t", c.tool, c.status, o.ClassifiedBy, o.Network)
		}
	}
}

// named is a link to this test's binary under another name.
func named(t *testing.T, name string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), name)
	if err := os.Link(self, link); err != nil && os.Symlink(self, link) != nil {
		t.Skipf("this system makes no links: %v", err)
	}
	return link
}

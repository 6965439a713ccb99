package wrap_test

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// A tool that could not begin its work has found nothing, although it ends with
// the status of findings.
func TestToolThatCouldNotBegin(t *testing.T) {
	for _, c := range []struct {
		argv, output string
		status       string
		kind         envelope.Kind
		code         envelope.Code
		hint         string
	}{
		{"pytest", "/usr/bin/python3: No module named pytest\n", "1", envelope.Failure, envelope.ENOTFOUND, "pip install pytest"},
		{"pytest", "FAILED test_x.py::test_x\n", "1", envelope.Findings, envelope.ERUNTIME, ""},
		{"tsc", "error TS18003: No inputs were found\n", "2", envelope.Failure, envelope.EARG, ""},
		{"npm", "npm error code E401\n", "1", envelope.Failure, envelope.EAUTH, ""},
		{"npm", "npm error code ETIMEDOUT\n", "1", envelope.Timeout, envelope.ETIMEOUT, ""},
	} {
		cmd := command(t, "fail", c.status, c.output, "")
		cmd.Argv[0] = named(t, c.argv)
		res := run(t, cmd)
		if o := res.Outcome; o.Kind != c.kind || o.Code != c.code || o.ClassifiedBy != envelope.ByTable || !strings.Contains(o.Hint, c.hint) {
			t.Errorf("%s, %q: %s %s by %s, hint %q; want %s %s", c.argv, c.output, o.Kind, o.Code, o.ClassifiedBy, o.Hint, c.kind, c.code)
		}
	}
}

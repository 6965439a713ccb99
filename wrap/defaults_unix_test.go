//go:build unix

package wrap_test

import (
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// A command without limits and store shows what it printed.
func TestZeroCommand(t *testing.T) {
	c := command(t, "print", "out\n", "err\n")
	res := run(t, &wrap.Command{Process: wrap.Process{Argv: c.Argv, Env: c.Env}, Capture: wrap.Capture{Redactor: redact.New(redact.Options{})}})
	if !res.Outcome.OK() || res.Stdout.Text != "out\n" || res.Stderr.Text != "err\n" || len(res.Warnings) > 0 {
		t.Errorf("got %+v", res)
	}
}

// Without a KillAfter a command has time to end after a signal; below 0 it has none.
func TestZeroKillAfter(t *testing.T) {
	c := command(t, "polite", "0")
	c.KillAfter = 0
	sendWhenReady(c, syscall.SIGTERM)
	res := run(t, c)
	want(t, res, envelope.Canceled, envelope.ECANCELED, 128+15)
	if got := res.Stdout.Text; got != "ready\nterminated\n" {
		t.Errorf("the child printed %q", got)
	}
	c = command(t, "deaf")
	c.KillAfter = -1
	sendWhenReady(c, syscall.SIGTERM)
	want(t, run(t, c), envelope.Canceled, envelope.ECANCELED, 128+15)
}

package blackbox

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// A job's own command can cancel it: nobody signals a process that runs him, so the
// supervisor reads the word for it.
func TestJobCancelsItself(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.submit(`echo begun; envwrap job cancel "${ENVWRAP_CTX%%:*}"; sleep 303.5`)
	b.until("it is over", func() bool { return b.state(id) == "canceled" })
	if res, status := b.wait(id); res.Outcome.Code != envelope.ECANCELED || status != 143 || !strings.HasPrefix(shown(&res.Stdout), "begun\n") {
		t.Errorf("%+v, status %d, %q", res.Outcome, status, shown(&res.Stdout))
	}
	b.until("all is gone", func() bool { return len(carrying("303.5")) == 0 })
}

// A job is canceled from another container, in which its supervisor's id means
// another process or none.
func TestCancelFromAnotherContainer(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.submit("echo begun; sleep 304.5")
	b.printed(id, "begun")
	cmd := exec.Command("unshare", "--pid", "--fork", "--mount", "sh", "-c", `mount -t proc proc /proc || exit 90; envwrap job cancel "$0"`, id)
	cmd.Env = b.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		if cannotUnshare(err, stderr.String(), cmd.ProcessState) {
			t.Skipf("no namespaces here: %v %s", err, stderr.String())
		}
		t.Errorf("cancel: %v: %s", err, stderr.String())
	}
	if state := b.state(id); state != "canceled" {
		t.Errorf("state %s", state)
	}
	b.until("all is gone", func() bool { return len(carrying("304.5")) == 0 })
}

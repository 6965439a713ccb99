package blackbox

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// As the entry point of a container envwrap is process 1: it reaps what is
// left to it, hands on signals, and ends what does not end by itself.
func TestEntryPoint(t *testing.T) {
	t.Parallel()
	const script = `
mount -t proc proc /proc || exit 90
exec envwrap --timeout 5s -- sh -c '
	for i in 1 2 3; do sh -c "sleep 0.1 & exit 0"; done
	sleep 1.4
	grep -h State /proc/[0-9]*/status | grep -c Z'`
	cmd := exec.Command("unshare", "--mount", "--pid", "--fork", "sh", "-c", script)
	if os.Getuid() != 0 {
		cmd.Args = append([]string{"unshare", "--user", "--map-root-user"}, cmd.Args[1:]...)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if cannotUnshare(err, stderr.String(), cmd.ProcessState) {
		t.Skipf("no namespaces here: %v %s", err, stderr.String())
	}
	res, err := envelope.Decode(envelope.Dialects()[0], stdout.Bytes())
	if err != nil {
		t.Fatalf("%v in %q, stderr %q", err, stdout.String(), stderr.String())
	}
	if got := res.Stdout.Text; got != "0\n" {
		t.Errorf("zombies: %q", got)
	}
}

func cannotUnshare(err error, stderr string, state *os.ProcessState) bool {
	return errors.Is(err, exec.ErrNotFound) || errors.Is(err, syscall.EPERM) ||
		strings.Contains(stderr, "unshare") || state != nil && state.ExitCode() == 90
}

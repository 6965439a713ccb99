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
exec envwrap --timeout 2m -- sh -c '
	for i in 1 2 3; do orphans="$orphans /proc/$(sh -c "sleep 0.1 >/dev/null & echo \$!")"; done
	while ls -d $orphans; do sleep 0.1; done >/dev/null 2>&1
	echo reaped'`
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
	if got := res.Stdout.Text; got != "reaped\n" {
		t.Errorf("got %q", got)
	}
}

func cannotUnshare(err error, stderr string, state *os.ProcessState) bool {
	return errors.Is(err, exec.ErrNotFound) || errors.Is(err, syscall.EPERM) ||
		strings.Contains(stderr, "unshare") || state != nil && state.ExitCode() == 90
}

//go:build unix

package main

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// stalling is a far end whose artifact export, or whose job results, says nothing
// more once it has begun, and leaves a process that keeps its pipes.
const stalling = `case "$2 $3" in
"artifact export"|"job results") echo >"$STALL"; sleep 31557600 & wait;;
run*) [ -z "$CUT" ] || exit 255;;
esac`

// stalled starts a run that has come to where the far end says nothing.
func stalled(t *testing.T, far string, args ...string) (cmd *exec.Cmd, out *strings.Builder) {
	t.Helper()
	m, _ := runnerMachine(t, far+stalling)
	pipe := filepath.Join(m.dir, "stall")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	out = &strings.Builder{}
	cmd = exec.Command(filepath.Join(m.bin, "envwrap"), append([]string{"--on", "far", "--inline-limit", "0"}, args...)...)
	cmd.Env, cmd.Dir, cmd.Stdout = slices.Concat(m.env, []string{"STALL=" + pipe}), m.dir, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := bufio.NewReader(f).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

// A signal ends the wait for a far end that has stalled. What is known of the run is
// said all the same, and it keeps its own status.
func TestOnStalls(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		far    string
		status int
		want   []string
	}{
		"artifacts": {"", 3, []string{`"exit_code":3`, "on runner \\\"far\\\" only: a signal ended the transfer", "artifact cat"}},
		"a cut":     {"CUT=1\n", 255, []string{`"ERUNTIME"`, `"retryable":false`, "is not known: a signal ended"}},
	} {
		cmd, out := stalled(t, c.far, "--", "sh", "-c", "echo some output; exit 3")
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != c.status {
			t.Errorf("%s: ended with %d: %s", name, got, out)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in %s", name, want, out)
			}
		}
	}
}

// A signal ends the wait for a remote that has stalled: what was run keeps its status,
// and what was to be run next is canceled.
func TestRemoteStalls(t *testing.T) {
	t.Parallel()
	asked, gate := make(chan string, 16), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- r.Method
		<-gate
	}))
	defer server.Close()
	defer close(gate)
	bin, _ := programs(t)
	m, _ := builder(t, bin, server.URL)
	for name, c := range map[string]struct {
		args   []string
		status int
		want   string
	}{
		"push":  {[]string{"--push", "--inline-limit", "0"}, 3, "not pushed: a signal ended the transfer"},
		"cache": {[]string{"--cache", "1h"}, 143, "ECANCELED"},
	} {
		var out strings.Builder
		cmd := exec.Command(filepath.Join(m.bin, "envwrap"), append(c.args, "--", "sh", "-c", "echo some output; exit 3")...)
		cmd.Env, cmd.Dir, cmd.Stdout = m.env, m.dir, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-asked
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != c.status || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: ended with %d: %s", name, got, &out)
		}
	}
}

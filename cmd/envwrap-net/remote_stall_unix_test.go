//go:build unix

package main

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A signal ends the wait for a remote that has stalled: what was run keeps its status,
// and what was to be run next is canceled.
func TestRemoteStalls(t *testing.T) {
	t.Parallel()
	bin, _ := programs(t)
	for name, c := range map[string]struct {
		args   []string
		status int
		want   string
	}{
		"push":  {[]string{"--push", "--inline-limit", "0"}, 3, "not pushed: a signal ended it"},
		"cache": {[]string{"--cache", "1h"}, 143, "ECANCELED"},
	} {
		// Each case has a server of its own: one that went on could say that it was asked.
		asked, gate := make(chan string, 16), make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.Method {
			case http.MethodHead:
				http.NotFound(w, r)
				return
			case http.MethodGet: // the first answer has begun
				w.Header().Set("Content-Length", "100")
				w.(http.Flusher).Flush()
			}
			asked <- r.Method
			<-gate
		}))
		m, _ := builder(t, bin, server.URL)
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
		close(gate)
		server.Close()
	}
}

//go:build unix

package runcmd_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// Members that ignore the signal which cancels their group are killed, and have what they had
// printed in their envelopes, here and where an engine runs each of them.
func TestGroupIsCanceled(t *testing.T) {
	t.Parallel()
	for name, on := range map[string][]string{"here": nil, "engine": {"--on", "far"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := engineMachine(t)
			line := append(append([]string{"job", "submit", "--array", "1-2", "--max-parallel", "2"}, on...), "--", "sh", "-c", `trap "" TERM; echo printed; echo >>begun{}; while :; do sleep 1; done`)
			id := jobID(m.run(0, line...))
			for _, begun := range []string{"begun1", "begun2"} {
				testenv.Await(t, filepath.Join(m.dir, begun))
			}
			if out := m.run(0, "job", "cancel", id); !strings.Contains(out, `"canceled":2`) {
				t.Errorf("canceled: %s", out)
			}
			out := m.run(143, "job", "results", id)
			for _, want := range []string{`"text":"printed\n"`, `"code":"ECANCELED"`, `"signal":"SIGKILL","outcome":"canceled"`} {
				if strings.Count(out, want) != 2 {
					t.Errorf("not twice %s: %s", want, out)
				}
			}
		})
	}
}

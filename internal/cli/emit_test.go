package cli

import (
	"os"
	"slices"
	"testing"

	"github.com/envwrap/envwrap/detect"
)

// An outer envwrap reads us for itself, also one whose environment may not be
// seen; a context that has outlived its run says nothing.
func TestOuterEnvwrap(t *testing.T) {
	out, err := os.Stat(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	callers := slices.Values([]caller{{pid: 12, name: "sh", stdout: out}, {pid: 11, name: "envwrap"}, {pid: 10, name: "agent"}})
	for _, tt := range []struct {
		context string
		want    bool
	}{
		{"01M7Z45AKXW8CR5BWB01QS92KV:11", false},
		{"01M7Z45AKXW8CR5BWB01QS92KV:4711", true},
		{"", true},
		{"11", true},
		{":-11", true},
		{":x", true},
	} {
		r := &runner{World: &World{Environ: []string{"ENVWRAP_CTX=" + tt.context}}}
		if got := leadsToAgent(out, detect.Result{Agent: "claude", Found: true}, r.outer(), callers); got != tt.want {
			t.Errorf("with the context %q the agent reads us: %v, want %v", tt.context, got, tt.want)
		}
	}
}

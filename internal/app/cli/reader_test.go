package cli

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/internal/platform/proc"
)

// A file is read by the agent where the agent has it open and no shell between
// has redirected into it; what a shell redirects into is for somebody else.
func TestWhoReadsAFile(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.Stat(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	has := func(name string) bool { return name == proc.Link(file) }
	none := func(string) bool { return false }
	sh := func(stdout fs.FileInfo) caller { return caller{pid: 12, name: "bash", stdout: stdout} }
	agent := func(stdout fs.FileInfo, has func(string) bool) caller {
		return caller{pid: 10, name: "node", stdout: stdout, has: has}
	}
	for _, tt := range []struct {
		name    string
		callers []caller
		want    bool
	}{
		{"of the agent", []caller{sh(out), agent(null, has)}, true},
		{"of the agent, without a shell", []caller{agent(null, has)}, true},
		{"redirected by a shell", []caller{sh(null), agent(null, has)}, false},
		{"redirected by a shell that we replaced", []caller{agent(null, none)}, false},
		{"the agent's own stdout", []caller{sh(out), agent(out, has)}, false},
	} {
		env := &Env{Stdout: file, Callers: func() (iter.Seq[caller], bool) { return slices.Values(tt.callers), true }}
		if got := env.agentReadsAny(detect.Result{Agent: "claude", Found: true}); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

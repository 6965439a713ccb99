package cli

import (
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/internal/app/toolanswer"
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
		env := &Env{Environ: []string{"ENVWRAP_CTX=" + tt.context}}
		if got := leadsToAgent(capture{FileInfo: out}, detect.Result{Agent: "claude", Found: true}, enclosingRun(env.Lookup), callers); got != tt.want {
			t.Errorf("with the context %q the agent reads us: %v, want %v", tt.context, got, tt.want)
		}
	}
}

func TestOuterStore(t *testing.T) {
	lookup := func(environ ...string) detect.Env { return (&Env{Environ: environ}).Lookup }
	callers := []caller{
		{pid: 14, name: "sh", env: lookup("ENVWRAP_STORE=/of-the-shell")},
		{pid: 13, name: "envwrap", env: lookup("ENVWRAP_CTX=A:11")},
		{pid: 12, name: "sh"},
		{pid: 11, name: "envwrap", env: lookup("ENVWRAP_STORE=/outer", "ENVWRAP_CTX=B:9")},
		{pid: 9, name: "envwrap", env: lookup("ENVWRAP_STORE=relative")},
	}
	for context, want := range map[string]string{
		"X:13": "/outer", "X:11": "/outer", "X:9": "", "X:12": "", "X:4711": "", "": "",
	} {
		env := &Env{
			Environ: []string{"ENVWRAP_CTX=" + context},
			Callers: func() (iter.Seq[caller], bool) { return slices.Values(callers), true },
		}
		if got := env.enclosingStore(); got != want {
			t.Errorf("with the context %q the store around us is %q, want %q", context, got, want)
		}
	}
}

// Nobody is known to read a stdout whose other end is not seen; with a chain of processes that
// have it, and no agent among them, the agent has replaced itself.
func TestWhoReadsNothing(t *testing.T) {
	agent := detect.Result{Agent: "claude", Found: true}
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	gone, err := os.Create(filepath.Join(t.TempDir(), "gone"))
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	seen := func() (iter.Seq[caller], bool) {
		return slices.Values([]caller{{pid: 10, name: "node", has: func(string) bool { return true }}}), true
	}
	unseen := func() (iter.Seq[caller], bool) { return nil, false }
	for name, c := range map[string]struct {
		out     *os.File
		callers func() (iter.Seq[caller], bool)
		any     bool
		pipe    bool
	}{
		"a file":                     {file, seen, true, false},
		"a device":                   {null, seen, false, false},
		"a pipe":                     {w, seen, true, true},
		"a closed file":              {gone, seen, false, false},
		"a file, no processes":       {file, nil, false, false},
		"a pipe, no processes":       {w, nil, false, false},
		"a file, processes not seen": {file, unseen, false, false},
		"a pipe, processes not seen": {w, unseen, false, false},
	} {
		env := &Env{Stdout: c.out, Callers: c.callers}
		if any, pipe := env.agentReadsAny(agent), env.AgentReadsPipe(agent); any != c.any || pipe != c.pipe {
			t.Errorf("%s: any %t, pipe %t", name, any, pipe)
		}
	}
	out, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if !leadsToAgent(capture{FileInfo: out}, agent, 0, slices.Values([]caller{{pid: 2, name: "sh", stdout: out}})) {
		t.Error("a chain without an agent")
	}
}

// Only an agent reads stdout itself, and not through a server of tools.
func TestAgentReadsStdout(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	callers := func() (iter.Seq[caller], bool) {
		return slices.Values([]caller{{pid: 10, name: "node", has: func(string) bool { return true }}}), true
	}
	for name, c := range map[string]struct {
		environ []string
		want    bool
	}{
		"an agent":          {[]string{"CLAUDECODE=1"}, true},
		"nobody":            {nil, false},
		"a server of tools": {[]string{"CLAUDECODE=1", toolanswer.Variable + "=brief"}, false},
	} {
		env := &Env{Environ: c.environ, Stdout: file, Callers: callers}
		if got := env.AgentReadsStdout(); got != c.want || env.AgentReadsStdout() != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

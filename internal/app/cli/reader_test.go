package cli

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/internal/app/toolanswer"
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

// A server of tools shows its client what it makes of a whole answer.
func TestShown(t *testing.T) {
	doc := []byte("no envelope")
	for _, variable := range []string{"", toolanswer.Variable + "=brief"} {
		env := &Env{Environ: []string{variable}}
		for _, n := range []int{3, len(doc)} {
			want := n
			if variable != "" && n == len(doc) {
				want = toolanswer.Shown(env.ToolFormat(), doc)
			}
			if got := env.Shown(doc, n); got != want {
				t.Errorf("%q: %d of %d bytes are shown, want %d", variable, got, n, want)
			}
		}
	}
	valid := []byte(`{"version":1,"status":"ok","command":"exec/true","data":{"argv":["true"],"exit_code":0,"outcome":"success","stdout":{"bytes":0,"lines":0,"text":""},"stderr":{"bytes":0,"lines":0,"text":""}},"meta":{"ts":"2026-11-27T13:25:08.569Z","duration_ms":1,"runner":"exec","workspace":"/","trace_id":"3f519e136a4d691fac3c68c7e493a8d2","profiles":["core/v1"],"source":"run","agent":"unknown"},"error":{"code":null,"message":null}}`)
	env := &Env{Environ: []string{toolanswer.Variable + "=brief"}}
	if got := env.Shown(valid, len(valid)); got == len(valid) {
		t.Error("the envelope itself is shown")
	}
	if got := env.Shown(valid, 5); got != 5 {
		t.Errorf("of a piece %d bytes are shown", got)
	}
}

// A process is the agent's if it has the variables of that agent.
func TestCalledBy(t *testing.T) {
	with := func(environ ...string) caller { return caller{name: "node", env: (&Env{Environ: environ}).Lookup} }
	claude := detect.Result{Agent: "claude", Found: true}
	for name, c := range map[string]struct {
		of   caller
		want bool
	}{"no environment": {caller{name: "node"}, false}, "no agent": {with("A=1"), false}, "the agent": {with("CLAUDECODE=1"), true}, "another": {with("GEMINI_CLI=1"), false}} {
		if got := c.of.calledBy(claude); got != c.want || c.of.isAgent(claude) == c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if (caller{name: "bash"}).isAgent(claude) {
		t.Error("a shell is the agent")
	}
}

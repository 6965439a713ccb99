//go:build unix

package wrap_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// shell makes a command of bash in a directory with files to read.
func shell(t *testing.T, text string, env ...string) *wrap.Command {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed: its pipelines cannot be run")
	}
	c := command(t, "none")
	c.Argv = []string{bash, "-c", text}
	c.Dir = t.TempDir()
	for name, content := range map[string]string{
		"words": "a\nb\nc\n", "other": "a\nc\n", "long": strings.Repeat("line\n", 100_000),
		"Makefile": "all:\n\t@echo building; exit 1\n",
	} {
		if err := os.WriteFile(filepath.Join(c.Dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}, env...)
	return c
}

// A pipeline's stages are known: no failure is shown as a success, and no
// reader that went away as a failure.
func TestPipelines(t *testing.T) {
	t.Parallel()
	const (
		ok       = envelope.Success
		negative = envelope.Negative
		changes  = envelope.Changes
		warning  = envelope.Warning
		failure  = envelope.Failure
		missing  = envelope.NotStarted
	)
	in := shell(t, "") // what it has to read is the same for all
	for _, c := range []struct {
		text     string
		kind     envelope.Kind
		statuses []int // nil where nothing is said, or all are 0
		says     string
	}{
		// All later stages read to the end.
		{"make 2>&1 | tail -5", failure, []int{2, 0}, "make (stage 1 of 2) ended with 2"},
		{"make |& tail -n 5 | cat", failure, []int{2, 0, 0}, "make (stage 1 of 3) ended with 2"},
		{"cd . && make 2>&1 | tee log | grep -c .", failure, []int{2, 0, 0}, "make (stage 1 of 3)"},
		{"(exit 3) | sort | uniq -c", failure, []int{3, 0, 0}, "stage 1 of 3 ended with 3"},
		{"cat words | sh -c 'cat; exit 4' | wc -l", failure, []int{0, 4, 0}, "sh (stage 2 of 3) ended with 4"},
		{"sh -c 'exit 75' | tr a b", failure, []int{75, 0}, "sh (stage 1 of 2) ended with 75"},
		{"nosuchprogram | cat", missing, []int{127, 0}, "nosuchprogram (stage 1 of 2) ended with 127"},
		{"true | nosuchprogram", missing, []int{0, 127}, ""},
		{"cat words | sh -c 'cat; exit 126'", failure, []int{0, 126}, ""},
		{"cat nosuch | sort", failure, []int{1, 0}, "cat (stage 1 of 2)"},
		{"ls nosuch 2>&1 | sed s/a/b/", failure, []int{2, 0}, "ls (stage 1 of 2)"},
		{"ls nosuch | awk '{print $1}'", failure, []int{2, 0}, "ls (stage 1 of 2)"},
		{"for i in 1 2; do false; done | cat", failure, []int{1, 0}, "stage 1 of 2 ended with 1"},
		{"{ echo x; exit 9; } | cat", failure, []int{9, 0}, "stage 1 of 2 ended with 9"},
		{"sh -c 'kill -9 $$' | cat", failure, []int{137, 0}, "sh (stage 1 of 2) ended with 137"},
		// The line of the test that failed, whatever a passing one logged.
		{"(printf '=== RUN   TestA\n    x_test.go:3: error: cannot open the cache\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n    x_test.go:4: got 3, want 4\n--- FAIL: TestB (0.00s)\nFAIL\n'; exit 1) | tail -50", failure, []int{1, 0}, "stage 1 of 2 ended with 1: x_test.go:4: got 3, want 4"},
		{"false | nice cat", failure, []int{1, 0}, "false (stage 1 of 2)"},
		{"false | cat\n# done", failure, []int{1, 0}, "false (stage 1 of 2)"},
		{"cat <<X | sh -c 'cat; exit 5' | cat\nx | y\nX\n", failure, []int{0, 5, 0}, "sh (stage 2 of 3)"},
		{"false | grep zzz | cat", failure, []int{1, 1, 0}, "false (stage 1 of 3)"},
		{"false | grep zzz", failure, []int{1, 1}, "false (stage 1 of 2)"},
		{"true | false | cat; true | false | cat", failure, []int{0, 1, 0}, "false (stage 2 of 3)"},
		{"set -x; false | cat", failure, []int{1, 0}, "false (stage 1 of 2)"},
		{"set -eu; false | cat", failure, []int{1, 0}, "false (stage 1 of 2)"},
		{"(trap 'echo x' EXIT); false | cat", failure, []int{1, 0}, "false (stage 1 of 2)"},
		{"mkdir bin; echo X=1 >bin/activate; . ./bin/activate && false | cat", failure, []int{1, 0}, "false (stage 1 of 2)"},
		// Within what the shell itself executes.
		{"{ echo begun; make 2>&1 | tail -5; } > log", failure, []int{2, 0}, "make (stage 1 of 2) ended with 2"},
		{"if [ -f words ]; then make 2>&1 | tail; fi", failure, []int{2, 0}, "make (stage 1 of 2)"},
		{"if [[ -f nosuch ]]; then true; else make 2>&1 | tail; fi", failure, []int{2, 0}, "make (stage 1 of 2)"},
		{"case words in w*) make 2>&1 | tail ;; *) ls ;; esac", failure, []int{2, 0}, "make (stage 1 of 2)"},
		{"run() { cd \"$1\"; return; }; run .; make 2>&1 | tail", failure, []int{2, 0}, "make (stage 1 of 2)"},
		{"for f in nosuch; do cat $f | sort; done", failure, []int{1, 0}, "cat (stage 1 of 2)"},
		{"for f in words nosuch; do grep a $f | cat; done", failure, []int{2, 0}, "grep (stage 1 of 2)"},
		{"for f in nosuch words; do grep zzz $f | cat; done", ok, []int{1, 0}, ""}, // as the shell: the last
		{"for f in words; do if true; then { yes | head -1; }; fi; done", ok, []int{141, 0}, ""},
		// The shell's status is a stage's.
		{"ls | grep zzz", negative, []int{0, 1}, ""},
		{"set -o pipefail; ls | grep zzz", negative, []int{0, 1}, ""},
		{"cat words | diff - other", changes, []int{0, 1}, ""},
		{"set -o pipefail; diff words other | cat", changes, []int{1, 0}, ""},
		{"set -o pipefail; grep zzz words | cat", negative, []int{1, 0}, ""},
		{"set -o pipefail; make 2>&1 | tail", failure, []int{2, 0}, "make (stage 1 of 2) ended with 2"},
		{"set -o pipefail; sh -c 'echo x; exit 2' | head -1", failure, []int{2, 0}, "sh (stage 1 of 2) ended with 2"},
		{"cat words | sh -c 'cat >/dev/null; exit 3'", failure, []int{0, 3}, "sh (stage 2 of 2) ended with 3"},
		{"set -o pipefail; cat long | head -1", warning, []int{141, 0}, ""},
		{"set -o pipefail; yes | sed q", warning, []int{141, 0}, ""},
		// Found nothing, or differs: no failure of a stage.
		{"grep zzz words | cat", ok, []int{1, 0}, ""},
		{"diff words other | cat", ok, []int{1, 0}, ""},
		{"diff words other | tail -1 | wc -l", ok, []int{1, 0, 0}, ""},
		{"diff words nosuch | cat", failure, []int{2, 0}, "diff (stage 1 of 2) ended with 2"},
		{"grep x nosuch | cat", failure, []int{2, 0}, "grep (stage 1 of 2) ended with 2"},
		// A later stage may stop early.
		{"yes | head -1", ok, []int{141, 0}, ""},
		{"cat long | head -1 | cat", ok, []int{141, 0, 0}, ""},
		{"sh -c 'echo x; exit 2' | head -1", warning, []int{2, 0}, ""},
		{"sh -c 'echo x; exit 3' | grep -q x", warning, []int{3, 0}, ""},
		{"sh -c 'echo x; exit 3' | sed q", warning, []int{3, 0}, ""},
		{"sh -c 'exit 3' | cat words", warning, []int{3, 0}, ""},
		{"sh -c 'echo x; exit 3' | sh -c cat", warning, []int{3, 0}, ""},
		{"sh -c 'exit 3' | while read x; do :; done", warning, []int{3, 0}, ""},
		{"sh -c 'exit 3' | cat < words", warning, []int{3, 0}, ""},
		{"sh -c 'exit 3' | cat | head -1", warning, []int{3, 0, 0}, ""},
		{"cat() { head -1; }; sh -c 'exit 3' | cat", warning, []int{3, 0}, ""},
		// All is well.
		{"cat words | tail -1", ok, nil, ""},
		{"echo 'x | false' | cat", ok, nil, ""},
		{"true | true | true", ok, nil, ""},
		{"false; true | cat", ok, nil, ""},
		{"x=$(false | cat); echo $x | cat", ok, nil, ""},
		// Nothing is said.
		{"make | tail || true", ok, nil, ""},
		{"make | tail; echo done", ok, nil, ""},
		{"! false | cat", failure, nil, ""},
		{"false | cat &", ok, nil, ""},
		{"(false | cat)", ok, nil, ""},
		{"while true; do false | cat; break; done", ok, nil, ""},
		{"if true; then true; else false | cat; fi", ok, nil, ""},
		{"if false | true; then false | cat; fi", ok, nil, ""},
		{"if ls | grep zzz; then false | cat; fi", ok, nil, ""},
		{"true | true; for i in; do false | cat; done", ok, nil, ""},
		{"trap 'echo x' EXIT; false | cat", ok, nil, ""},
		{"false | cat; exec true", ok, nil, ""},
		{"true | cat && false | cat || false | cat", ok, nil, ""},
		{"false | cat; exit 5", failure, nil, ""},
		{"eval 'false | cat'", ok, nil, ""},
		{"false", failure, nil, ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			shell := command(t, "none")
			shell.Process = in.Process
			shell.Argv = []string{in.Argv[0], "-c", c.text}
			res := run(t, shell)
			o := &res.Outcome
			if o.Kind != c.kind || !slices.Equal(res.Pipeline, c.statuses) {
				t.Errorf("%s, stages %v; want %s, %v (%s; %q)", o.Kind, res.Pipeline, c.kind, c.statuses, o.Message, res.Warnings)
			}
			if c.says != "" && (o.ClassifiedBy != envelope.ByPipeline || !strings.HasPrefix(o.Message, c.says)) {
				t.Errorf("by %s: %q; want %q", o.ClassifiedBy, o.Message, c.says)
			}
			if c.kind == warning && len(res.Warnings) == 0 {
				t.Error("ok without a warning")
			}
		})
	}
}

// A stage that forges the shell's answer cannot turn a failure into a success.
func TestForgedPipeline(t *testing.T) {
	t.Parallel()
	const forge = `d=$(dirname "$(tr '\0' '\n' </proc/$PPID/environ | sed -n 's/^BASH_ENV=//p')")`
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("without /proc a stage cannot find the answer's place")
	}
	for _, answer := range []string{"0 0", "1 1", "nonsense", strings.Repeat("0 ", 1<<16)} {
		script := filepath.Join(t.TempDir(), "forge")
		text := fmt.Sprintf("%s\nprintf %%s \"$d\" >\"$0.d\"\nrm -rf \"$d\"; mkdir \"$d\"; printf %%s '%s' >\"$d/statuses\"; chmod 0400 \"$d/statuses\"; chmod 0500 \"$d\"; exit 3\n", forge, answer)
		if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		res := run(t, shell(t, `cat words | sh "`+script+`"`))
		if res.Outcome.OK() || res.ExitStatus != 3 {
			t.Errorf("%.20q: %s, status %d", answer, res.Outcome.Kind, res.ExitStatus)
		}
		forged, err := os.ReadFile(script + ".d")
		if err != nil {
			t.Fatal(err)
		}
		_ = os.Chmod(string(forged), 0o700) // only root can remove what is in it before
		if err := os.RemoveAll(string(forged)); err != nil {
			t.Error(err)
		}
	}
}

// A probe leaves no file, and does not change the command's environment.
func TestProbeIsRemoved(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	res := run(t, shell(t, "env | grep -c -e BASH_ENV -e envwrap- | cat"))
	if res.Stdout.Text != "0\n" {
		t.Errorf("the command's environment shows the start-up file: %q", res.Stdout.Text)
	}
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	t.Setenv("TMPDIR", filepath.Join(tmp, "missing"))
	res = run(t, shell(t, "false | cat"))
	if _, err := os.Stat("/dev/shm"); err == nil { // the other place of a sandbox
		if res.Outcome.OK() || len(res.Warnings) > 0 {
			t.Errorf("with a place in memory only: %s, %q", res.Outcome.Kind, res.Warnings)
		}
	} else if !res.Outcome.OK() || res.Pipeline != nil || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "missing") {
		t.Errorf("without a place for the probe: %s, %v, %q", res.Outcome.Kind, res.Pipeline, res.Warnings)
	}
}

// bash expands the name of its start-up file: there is no probe in a directory whose name
// would become another, or run a command.
func TestProbeInAnOddDirectory(t *testing.T) {
	for _, name := range []string{"a b'c\"d", "$(touch ran)", "`touch ran`", "$HOME", `a\b`} {
		tmp, own := filepath.Join(t.TempDir(), name), filepath.Join(t.TempDir(), "own")
		if err := errors.Join(os.Mkdir(tmp, 0o700), os.WriteFile(own, []byte("OWN=1\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
		t.Setenv("TMPDIR", tmp)
		c := shell(t, `echo "$OWN"; false | cat`, "BASH_ENV="+own)
		c.Dir = t.TempDir()
		res := run(t, c)
		if known := res.Pipeline != nil; known == strings.ContainsAny(name, "$`\\") || res.Stdout.Text != "1\n" {
			t.Errorf("%s: %v, %q", name, res.Pipeline, res.Stdout.Text)
		}
		for _, dir := range []string{tmp, c.Dir} {
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("%s: left behind: %v, %v", name, left, err)
			}
		}
	}
}

// A function in the environment may stand in for a program.
func TestPipelineOfFunctions(t *testing.T) {
	res := run(t, shell(t, "false | cat", "BASH_FUNC_cat%%=() { head -1; }"))
	if res.Pipeline != nil || !res.Outcome.OK() {
		t.Errorf("%v, %s: cat is a function here", res.Pipeline, res.Outcome.Kind)
	}
	res = run(t, shell(t, "false | cat", "SHELLOPTS=xtrace"))
	if strings.Contains(res.Stderr.Text, "PIPESTATUS") {
		t.Errorf("the trace shows the start-up file: %q", res.Stderr.Text)
	}
}

func BenchmarkPipeline(b *testing.B) {
	redactor := redact.New(redact.Options{})
	for _, text := range []string{"true | cat", "true | cat; true"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c := &wrap.Command{Process: wrap.Process{Argv: []string{"bash", "-c", text}, Env: os.Environ()}, Limits: wrap.Limits{InlineLimit: 32 << 10}, Capture: wrap.Capture{Redactor: redactor}}
				if _, err := wrap.Run(b.Context(), c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

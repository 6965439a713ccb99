//go:build unix

package runcmd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// A machine is a home and a directory for envwrap, which is this program.
type machine struct {
	t         *testing.T
	home, dir string
	env       []string
}

// run runs envwrap, which has to end with a status, and returns what it printed.
func (m *machine) run(status int, args ...string) string {
	m.t.Helper()
	cmd := m.command(args...)
	out, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != status {
		m.t.Errorf("%q: got %d, %v: %s", args, got, err, out)
	}
	return string(out)
}

func (m *machine) command(args ...string) *exec.Cmd {
	cmd := exec.Command("envwrap", args...)
	cmd.Env, cmd.Dir = m.env, m.dir
	return cmd
}

// configure writes the user's configuration.
func (m *machine) configure(text string) {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.home, ".config", "envwrap", "config.toml"), []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// runnerMachine has a runner whose far side is another home on this machine.
func runnerMachine(t *testing.T, far string) (m *machine, script string) {
	t.Helper()
	m = &machine{t: t, home: testenv.TempDir(t), dir: testenv.TempDir(t)}
	m.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + m.home, "TMPDIR=" + t.TempDir(), "GORACE=" + os.Getenv("GORACE")}
	home := testenv.TempDir(t)
	script = filepath.Join(m.home, "runner")
	text := "#!/bin/sh\nexport HOME='" + home + "' XDG_STATE_HOME='" + home + "/state'\n" + far + "\nexec \"$@\"\n"
	if err := errors.Join(os.MkdirAll(filepath.Join(m.home, ".config", "envwrap"), 0o700), testenv.WriteProgram(script, text)); err != nil {
		t.Fatal(err)
	}
	m.configure("[runner.far]\ncommand = [\"" + script + "\"]\n[runner.gone]\ncommand = [\"false\"]\n[runner.absent]\ncommand = [\"no-such-program\"]\n")
	return m, script
}

// facts are those of an envelope that a runner does not change.
func facts(t *testing.T, doc string) map[string]any {
	t.Helper()
	var e map[string]any
	if err := json.Unmarshal([]byte(doc), &e); err != nil {
		t.Fatalf("%v: %s", err, doc)
	}
	data, _ := e["data"].(map[string]any)
	meta, _ := e["meta"].(map[string]any)
	delete(data, "usage")
	delete(data, "runner")
	for _, name := range []string{"ts", "duration_ms", "trace_id"} {
		delete(meta, name)
	}
	return e
}

// A run elsewhere has the envelope and the status of one here, and its large output
// comes along.
func TestOnIsAsHere(t *testing.T) {
	t.Parallel()
	m, _ := runnerMachine(t, "")
	for i, c := range []struct {
		status int
		args   []string
	}{
		{7, []string{"--", "sh", "-c", "echo out; echo err >&2; exit 7"}},
		{0, []string{"--", "printf", "%s|", "a b", "it's", "$HOME", "", "*", "x\ny", "é"}},
		{137, []string{"--", "sh", "-c", "kill -9 $$"}},
		{127, []string{"--", "no-such-program"}},
		{126, []string{"--", "/"}},
		{0, []string{"--", "seq", "1", "30000"}},
		{1, []string{"--", "sh", "-c", "seq 1 30000 >&2; exit 1"}},
		{0, []string{"--", "printf", `\377\376\000binary`}},
		{0, []string{"--merge", "--parse", "json", "--", "echo", `{"a":12345678901234567890}`}},
		{125, []string{"--parse", "json", "--", "echo", "no json"}},
		{124, []string{"--timeout", "200ms", "--", "sleep", "60"}},
		{3, []string{"--ok-exit", "3", "--", "sh", "-c", "exit 3"}},
		{3, []string{"--exit-map", "3=partial", "--", "sh", "-c", "exit 3"}},
	} {
		if i%matrix.Every(2) > 0 {
			continue
		}
		here := m.run(c.status, append([]string{"-f", "protocol/v1"}, c.args...)...)
		there := m.run(c.status, append([]string{"-f", "protocol/v1", "--on", "far"}, c.args...)...)
		if !strings.Contains(there, `"runner":"far"`) {
			t.Errorf("%q: no runner: %s", c.args, there)
		}
		if got, want := facts(t, there), facts(t, here); !reflect.DeepEqual(got, want) {
			t.Errorf("%q\nthere %v\nhere  %v", c.args, got, want)
		}
	}
	out := m.run(0, "--on", "far", "--inline-limit", "0", "--", "printf", "only there")
	if digest, _, _ := strings.Cut(strings.SplitN(out, `"artifact":"`, 2)[1], `"`); m.run(0, "artifact", "cat", digest) != "only there" {
		t.Error("its output did not come")
	}
	id, _, _ := strings.Cut(strings.SplitN(m.run(0, "job", "submit", "--on", "far", "--", "sh", "-c", "echo job; exit 5"), `"job_id":"`, 2)[1], `"`)
	if out := m.run(5, "job", "wait", id); !strings.Contains(out, `"text":"job\n"`) || !strings.Contains(out, `"runner":"far"`) {
		t.Errorf("as a job: %s", out)
	}
}

// A connection that is cut is no second run, and the answer says what is known.
func TestOnCut(t *testing.T) {
	t.Parallel()
	// The script is the connection: it starts the far end, and is cut once the
	// command has begun.
	m, script := runnerMachine(t, `case "$2" in run) "$@" >/dev/null 2>&1 & read line <started; exit 255;; esac`)
	for _, name := range []string{"started", "gate"} {
		if err := syscall.Mkfifo(filepath.Join(m.dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := m.run(125, "--on", "far", "--", "sh", "-c", "echo once >>ran; echo >started; read line <gate")
	for _, want := range []string{`"ERUNTIME"`, `"retryable":false`, "started there, once, as job", "job wait"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	if err := os.WriteFile(filepath.Join(m.dir, "gate"), []byte("go\n"), 0); err != nil {
		t.Fatal(err)
	}
	_, id, _ := strings.Cut(out, "as job ")
	id, _, _ = strings.Cut(id, `"`)
	wait := exec.Command(script, "envwrap", "job", "wait", id) // else it writes below a directory that goes
	wait.Env, wait.Dir = m.env, m.dir
	if text, err := wait.CombinedOutput(); err != nil {
		t.Errorf("the far job: %v: %s", err, text)
	}
	if ran, err := os.ReadFile(filepath.Join(m.dir, "ran")); err != nil || string(ran) != "once\n" {
		t.Errorf("it ran: %q, %v", ran, err)
	}
}

// A run that was stopped from here is canceled as one here is: if the prefix lets no signal
// through and the command ends well, and by the signal that came here.
func TestOnStopped(t *testing.T) {
	t.Parallel()
	const deaf = `trap '' TERM INT HUP
case "$2" in run) (trap 'exit' TERM; echo >waits; while :; do sleep 0.02; done); esac`
	for name, c := range map[string]struct {
		far, command string
		sig          syscall.Signal
		exit         string // of the command
	}{
		"deaf prefix": {deaf, "exit 0", syscall.SIGTERM, `"exit_code":0`},
		"interrupt":   {"", "echo >waits; exec sleep 300", syscall.SIGINT, `"signal":"SIGTERM"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, _ := runnerMachine(t, c.far)
			cmd := m.command("--on", "far", "--kill-after", "1m", "--", "sh", "-c", c.command)
			var out bytes.Buffer
			cmd.Stdout = &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			testenv.Await(t, filepath.Join(m.dir, "waits"))
			if err := cmd.Process.Signal(c.sig); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			want := []string{`"code":"ECANCELED","message":"sh was stopped: envwrap got ` + signalNames[c.sig] + `"`, `"outcome":"canceled"`, c.exit}
			for _, part := range want {
				if !strings.Contains(out.String(), part) {
					t.Errorf("no %s in %s", part, out.String())
				}
			}
			if got := cmd.ProcessState.ExitCode(); got != 128+int(c.sig) {
				t.Errorf("status %d", got)
			}
		})
	}
}

var signalNames = map[syscall.Signal]string{syscall.SIGTERM: "SIGTERM", syscall.SIGINT: "SIGINT"}

// One that is not there, or has no envwrap, is reported as such; nothing runs here in its
// place. A project's file names no runner.
func TestOnNowhere(t *testing.T) {
	t.Parallel()
	m, _ := runnerMachine(t, "")
	out := m.run(125, "--on", "gone", "--", "touch", "ran")
	if !strings.Contains(out, "ERUNTIME") || !strings.Contains(out, "`. Whether the runner answers says `envwrap runner check gone`.\"") {
		t.Errorf("got %s", out)
	}
	_, id, _ := strings.Cut(out, "job wait ")
	id, _, _ = strings.Cut(id, "`")
	const last = "(false ended with status 1); whether the command ran is not known"
	if later := m.run(125, "job", "wait", id); !strings.Contains(out, last) || !strings.Contains(later, last) {
		t.Errorf("the prefix's last words are not in %s, or not in %s", out, later)
	}
	m.run(125, "--on", "nobody", "--", "touch", "ran")
	m.run(125, "--on", "far", "--secret-file", "x", "--", "touch", "ran")
	if err := os.WriteFile(filepath.Join(m.dir, ".envwrap.toml"), []byte("[runner.evil]\ncommand = [\"sh\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m.run(0, "config", "trust")
	m.run(125, "--on", "evil", "--", "touch", "ran")
	if _, err := os.Stat(filepath.Join(m.dir, "ran")); err == nil {
		t.Error("it ran here")
	}
	m.run(0, "runner", "check", "far")
	m.run(1, "runner", "check", "gone")
	if out := m.run(1, "runner", "check", "absent"); !strings.Contains(out, "no-such-program") || strings.Contains(out, "has to be on the PATH") || strings.HasSuffix(strings.TrimSpace(out), ":") {
		t.Errorf("got %s", out)
	}
	if out := m.run(0, "job", "ls", "-f", "delegator"); !strings.Contains(out, `"far"`) {
		t.Errorf("the environments: %s", out)
	}
}

// If the command never came there, that is said, and the far end keeps to it.
func TestOnRefused(t *testing.T) {
	t.Parallel()
	m, script := runnerMachine(t, `case "$2" in run) { printf exec; printf " '%s'" "$@"; } >again; echo it is Sunday >&2; exit 7;; esac`)
	out := m.run(125, "--on", "far", "--", "touch", "ran")
	const said = `runner \"far\": no envelope came back (it is Sunday); the command did not run: the runner has no such job, and refuses it from now on`
	if !strings.Contains(out, said) || !strings.Contains(out, `"retryable":true`) {
		t.Errorf("got %s", out)
	}
	late := exec.Command(script, "sh", filepath.Join(m.dir, "again"))
	late.Env, late.Dir = m.env, m.dir
	text, err := late.CombinedOutput()
	const refused = "is refused: who asked for it before it came was told that it did not run"
	if late.ProcessState.ExitCode() != 125 || !strings.Contains(string(text), refused) || !strings.Contains(string(text), `"code":"EPOLICY"`) {
		t.Errorf("after all: %v: %s", err, text)
	}
	if _, err := os.Stat(filepath.Join(m.dir, "ran")); err == nil {
		t.Error("it ran")
	}
}

// What a runner prints that is no envelope says nothing of the command.
func TestOnWordy(t *testing.T) {
	t.Parallel()
	m, _ := runnerMachine(t, "echo welcome; exit")
	out := m.run(125, "--on", "far", "--", "true")
	const said = "no envelope came back (what it printed is no envelope); whether the command ran is not known: the runner said nothing of the job"
	if !strings.Contains(out, said) || !strings.Contains(out, `"retryable":false`) {
		t.Errorf("got %s", out)
	}
}

// kubectl as it is documented: what follows -- is the container's command, its status
// is kubectl's, and nothing of a pod is left when it is over. Without --quiet it prints
// a line of its own.
const kubectl = `[ "$2" = run ] || exit 64
printf '%s' "$3" | grep -Eq '^envwrap-[0-9a-z]{26}$' && mkdir "$HOME/$3" || exit 65
for quiet; do
	case $quiet in --quiet) break;; --) echo 'warning: a login script says hello'; trap 'echo "pod \"envwrap-run\" deleted"' EXIT; break;; esac
done
while [ "$1" != -- ]; do shift; done
shift
HOME=$HOME/$$ XDG_STATE_HOME=$HOME/$$/state
export HOME XDG_STATE_HOME
mkdir -p "$HOME"
"$@"
exit $?`

// A pod has the envelope of a run here, whatever is printed around it; its large
// output is gone with it, and the envelope says so.
func TestOnKubectl(t *testing.T) {
	t.Parallel()
	m, script := runnerMachine(t, kubectl)
	for _, quiet := range []string{`"--quiet", `, ""} {
		config := "[runner.pod]\ncommand = [\"" + script + "\", \"kubectl\", \"run\", \"envwrap-{id}\", \"--rm\", \"-i\", " + quiet + "\"--restart=Never\", \"--image=team/tools\", \"--\"]\n"
		config = strings.Replace(config, `"kubectl", "run"`, `"-n=team", "run"`, 1)
		m.configure(config)
		runs := map[int][]string{3: {"sh", "-c", "echo out; exit 3"}}
		if quiet != "" { // what the pod prints is one thing, and how words and statuses come through another
			runs[0], runs[127] = []string{"printf", "%s|", "a b", "it's", "$HOME", "", "*"}, []string{"no-such-program"}
		}
		for status, args := range runs {
			args = append([]string{"--"}, args...)
			here := m.run(status, append([]string{"-f", "protocol/v1"}, args...)...)
			there := m.run(status, append([]string{"-f", "protocol/v1", "--on", "pod"}, args...)...)
			if got, want := facts(t, there), facts(t, here); !reflect.DeepEqual(got, want) {
				t.Errorf("%q\nthere %v\nhere  %v", args, got, want)
			}
		}
		if out := m.run(0, "--on", "pod", "--inline-limit", "0", "--", "printf", "gone"); !strings.Contains(out, "runner \\\"pod\\\" only") {
			t.Errorf("got %s", out)
		}
	}
	m.run(1, "runner", "check", "pod") // it says what is printed around the answer
}

// stalling is a far end whose artifact export, or whose job results, says nothing
// more once it has begun, and waits for a process that keeps its pipes.
const stalling = `case "$2 $3" in
"artifact export"|"job results") exec 3>"$STALL"; echo >&3; sleep 31557600 & wait;;
run*) [ -z "$CUT" ] || exit 255;;
esac`

// stalled starts a run that has come to where the far end says nothing. The pipe ends
// with the last process of that call.
func stalled(t *testing.T, far string, args ...string) (cmd *exec.Cmd, out *strings.Builder, call *os.File) {
	t.Helper()
	m, _ := runnerMachine(t, far+stalling)
	pipe := filepath.Join(m.dir, "stall")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	out = &strings.Builder{}
	cmd = m.command(append([]string{"--on", "far", "--inline-limit", "0"}, args...)...)
	cmd.Env, cmd.Stdout = append(cmd.Env, "STALL="+pipe), out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	call, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { call.Close() })
	if _, err := call.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return cmd, out, call
}

// A signal ends the wait for a far end that has stalled, and all of the call. What is
// known of the run is said all the same, and it keeps its own status.
func TestOnStalls(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		far    string
		status int
		want   []string
	}{
		"artifacts": {"", 3, []string{`"exit_code":3`, "on runner \\\"far\\\" only: a signal ended it", "artifact cat"}},
		"a cut":     {"CUT=1\n", 125, []string{`"ERUNTIME"`, `"retryable":false`, "is not known: a signal ended"}},
	} {
		cmd, out, call := stalled(t, c.far, "--", "sh", "-c", "echo some output; exit 3")
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != c.status {
			t.Errorf("%s: ended with %d: %s", name, got, out)
		}
		_ = call.SetReadDeadline(time.Now().Add(time.Minute))
		if _, err := io.ReadAll(call); err != nil {
			t.Errorf("%s: a process of the call is left: %v", name, err)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in %s", name, want, out)
			}
		}
	}
}

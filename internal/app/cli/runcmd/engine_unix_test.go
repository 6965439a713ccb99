//go:build unix

package runcmd_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// pretended is an engine of a script. Files in $HOME change what it does: with held it
// queues what it gets, with fails its submit fails, with dies its submit kills envwrap;
// where started is there too, the job has been started before.
const pretended = `#!/bin/sh
start() {
	PATH=/usr/bin:/bin:$(cat "$HOME/far") setsid sh "$2" >>"$3" 2>&1 </dev/null &
	echo "$1 $!" >>"$HOME/jobs"
}
case $1 in
submit)
	if [ -e "$HOME/held" ]; then echo 'held'; exit 0; fi
	if [ -e "$HOME/started" ] || [ ! -e "$HOME/fails" ]; then start "$2" "$3" "$4"; fi
	if [ -e "$HOME/fails" ]; then echo 'the queue is full' >&2; exit 1; fi
	if [ -e "$HOME/dies" ]; then kill -9 $PPID; exit 1; fi
	echo $! ;;
find) while read -r name id; do [ "$name" = "$2" ] && echo "$id"; done <"$HOME/jobs" ;;
status)
	if [ "$2" = held ]; then echo Q; elif kill -0 "$2" 2>/dev/null; then echo running; else echo success; fi ;;
cancel) echo "$2" >>"$HOME/canceled"; [ "$2" = held ] || kill -TERM "$2" ;;
esac
exit 0
`

// engineMachine has a runner with an engine that shares its files.
func engineMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, home: testenv.TempDir(t), dir: testenv.TempDir(t)}
	m.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + m.home, "TMPDIR=" + t.TempDir(), "GORACE=" + os.Getenv("GORACE")}
	script := filepath.Join(m.home, "engine")
	for name, text := range map[string]string{"engine": pretended, "far": "", "jobs": ""} {
		if err := testenv.WriteProgram(filepath.Join(m.home, name), text); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(m.home, ".config", "envwrap"), 0o700); err != nil {
		t.Fatal(err)
	}
	m.configure(fmt.Sprintf(`[runner.far]
engine = "command"
submit = [%[1]q, "submit", "{name}", "{script}", "{out}"]
status = [%[1]q, "status", "{id}"]
cancel = [%[1]q, "cancel", "{id}"]
find = [%[1]q, "find", "{name}"]
states = {Q = "queued"}
`, script))
	return m
}

// noRemote is what --push says without a remote.
const noRemote = "not pushed: no remote is configured"

// set makes files of the engine.
func (m *machine) set(names ...string) {
	m.t.Helper()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(m.home, name), nil, 0o600); err != nil {
			m.t.Fatal(err)
		}
	}
}

// followed opens the gate that a job waits for while its output is followed to the end.
func (m *machine) followed(id, gate string) {
	m.t.Helper()
	follow := m.command("job", "tail", "-f", id)
	var text bytes.Buffer
	follow.Stdout = &text
	if err := errors.Join(follow.Start(), os.WriteFile(gate, []byte("go\n"), 0)); err != nil {
		m.t.Fatal(err)
	}
	_ = follow.Wait()
	if text.String() != "begun\nover\n" || follow.ProcessState.ExitCode() != 5 {
		m.t.Errorf("followed: %q, %d", text.String(), follow.ProcessState.ExitCode())
	}
}

// jobID returns the id in an acknowledgement.
func jobID(doc string) string {
	_, id, _ := strings.Cut(doc, `"job_id":"`)
	id, _, _ = strings.Cut(id, `"`)
	return id
}

// ran returns how often a command has added a line to a file.
func (m *machine) ran(file string) int {
	text, err := os.ReadFile(filepath.Join(m.dir, file))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		m.t.Error(err)
	}
	return bytes.Count(text, []byte("\n"))
}

// A run that an engine holds has the envelope and the status of one here.
func TestEngineIsAsHere(t *testing.T) {
	t.Parallel()
	m := engineMachine(t)
	for _, c := range []struct {
		status int
		args   []string
	}{
		{7, []string{"--", "sh", "-c", "echo out; echo err >&2; exit 7"}},
		{0, []string{"--", "printf", "%s|", "a b", "it's", "$HOME", "", "*", "x\ny", "é"}},
		{137, []string{"--", "sh", "-c", "kill -9 $$"}},
		{127, []string{"--", "no-such-program"}},
		{0, []string{"--", "printf", `\377\376\000binary`}},
		{124, []string{"--timeout", "200ms", "--", "sleep", "60"}},
		{3, []string{"--ok-exit", "3", "--env", "A=b", "--", "sh", "-c", "echo $A; exit 3"}},
	} {
		here := m.run(c.status, append([]string{"-f", "protocol/v1"}, c.args...)...)
		there := m.run(c.status, append([]string{"-f", "protocol/v1", "--on", "far"}, c.args...)...)
		if !strings.Contains(there, `"runner":"far"`) {
			t.Errorf("%q: no runner: %s", c.args, there)
		}
		if got, want := facts(t, there), facts(t, here); !reflect.DeepEqual(got, want) {
			t.Errorf("%q\nthere %v\nhere  %v", c.args, got, want)
		}
	}
	// Who lists the processes there sees no secret of --env.
	listed := m.run(0, "--on", "far", "--env", "MY_TOKEN=zqxtoken999888", "--env", "1=_", "--", "sh", "-c", `echo ${#MY_TOKEN} $MY_TOKEN $(grep -c 'z[q]xtoken' /proc/$PPID/cmdline)`)
	if !strings.Contains(listed, `"text":"14 *** 0\n"`) {
		t.Error(listed)
	}
	_, digest, _ := strings.Cut(m.run(0, "--on", "far", "--", "seq", "1", "30000"), `"artifact":"`)
	digest, _, _ = strings.Cut(digest, `"`)
	if out := m.run(0, "artifact", "cat", digest); len(out) != 168894 || !strings.HasSuffix(out, "\n30000\n") {
		t.Errorf("large output: %d bytes", len(out))
	}
	for want, args := range map[string][]string{
		"has no resource":           {"--on", "far", "--resources", "cpus=1"},
		"--resources and":           {"--resources", "cpus=1"},
		"--stream needs a process":  {"--on", "far", "--stream"},
		"own stdin":                 {"--on", "far", "--stdin", "inherit"},
		"--emit is always":          {"--on", "far", "--emit", "agent"},
		"no such file or directory": {"--on", "far", "--cwd", "/nowhere"},
	} {
		if out := m.run(125, append(args, "--", "true")...); !strings.Contains(out, want) {
			t.Errorf("%q: %s", args, out)
		}
	}
	// What is remembered of this machine is no answer.
	m.run(0, "--cache", "1h", "--", "sh", "-c", "echo here")
	if out := m.run(0, "--on", "far", "--cache", "1h", "--", "sh", "-c", "echo here"); !strings.Contains(out, `"runner":"far"`) || !strings.Contains(out, "--cache: a run on a runner is not remembered") {
		t.Errorf("remembered: %s", out)
	}
	if out := m.run(0, "runner", "check", "far"); !strings.Contains(out, "it runs there") {
		t.Errorf("checked: %s", out)
	}
	m.configure("[runner.wrong]\nengine = \"slurm\"\nimage = \"x\"\n")
	if out := m.run(125, "--on", "wrong", "--", "true"); !strings.Contains(out, "unknown key \"image\"") {
		t.Errorf("a wrong row: %s", out)
	}
}

// A job that an engine holds has no process here; each later call learns what became of it.
func TestEngineHoldsJob(t *testing.T) {
	t.Parallel()
	m := engineMachine(t)
	gate := filepath.Join(m.dir, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	ack := m.run(0, "job", "submit", "--push", "--on", "far", "--", "sh", "-c", "echo begun; echo >begun; read line <gate; echo over; exit 5")
	id := jobID(ack)
	if !strings.Contains(ack, noRemote) {
		t.Errorf("it says nothing of the remote: %s", ack)
	}
	testenv.Await(t, filepath.Join(m.dir, "begun"))
	if out := m.run(75, "job", "wait", "--timeout", "1ms", id); !strings.Contains(out, `"state":"running"`) || !strings.Contains(out, `"started_ts"`) {
		t.Errorf("it runs: %s", out)
	}
	if out := m.run(0, "job", "tail", id); out != "begun\n" {
		t.Errorf("so far: %q", out)
	}
	m.followed(id, gate)
	for _, verb := range []string{"wait", "results"} {
		if out := m.run(5, "job", verb, id); !strings.Contains(out, `"text":"begun\nover\n"`) || !strings.Contains(out, `"runner":"far"`) {
			t.Errorf("%s: %s", verb, out)
		}
	}
	if out := m.run(0, "job", "tail", id); out != "begun\nover\n" {
		t.Errorf("the end: %q", out)
	}
}

// A job is canceled whether it waits or runs, and one that waited never starts.
func TestEngineCancel(t *testing.T) {
	t.Parallel()
	m := engineMachine(t)
	id := jobID(m.run(0, "job", "submit", "--on", "far", "--", "sh", "-c", "echo begun; echo >begun; sleep 300"))
	testenv.Await(t, filepath.Join(m.dir, "begun"))
	m.run(0, "job", "cancel", id)
	if out := m.run(143, "job", "results", id); !strings.Contains(out, `"ECANCELED"`) || !strings.Contains(out, `"text":"begun\n"`) {
		t.Errorf("it ran: %s", out)
	}
	m.set("held")
	id = jobID(m.run(0, "job", "submit", "--on", "far", "--", "touch", "ran"))
	if out := m.run(0, "job", "status", id); !strings.Contains(out, `"state":"queued"`) || !strings.Contains(out, `"message":"runner \"far\" says Q"`) {
		t.Errorf("it waits: %s", out)
	}
	m.run(0, "job", "cancel", id)
	if out := m.run(143, "job", "results", id); !strings.Contains(out, "canceled before it was started") {
		t.Errorf("it waited: %s", out)
	}
	if out := m.run(124, "--on", "far", "--queue-timeout", "1ms", "--", "touch", "ran"); !strings.Contains(out, "did not run: it was not started within --queue-timeout") {
		t.Errorf("it waited too long: %s", out)
	}
	if text, err := os.ReadFile(filepath.Join(m.home, "canceled")); err != nil || !strings.HasSuffix(string(text), "held\nheld\n") {
		t.Errorf("the engine was asked to cancel %q, %v", text, err)
	}
	if m.ran("ran") != 0 {
		t.Error("it ran")
	}
}

// A run that is to end, and whose engine refuses to end it, goes on as a job, and says so.
func TestEngineRefusesCancel(t *testing.T) {
	t.Parallel()
	m := engineMachine(t)
	config := filepath.Join(m.home, ".config", "envwrap", "config.toml")
	able, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	cancels := fmt.Sprintf(`cancel = [%q, "cancel", "{id}"]`, filepath.Join(m.home, "engine"))
	m.configure(strings.ReplaceAll(string(able), cancels, `cancel = ["sh", "-c", "echo no permission >&2; exit 1", "{id}"]`))
	cmd := m.command("--on", "far", "--", "sh", "-c", "echo >begun; sleep 300")
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	testenv.Await(t, filepath.Join(m.dir, "begun"))
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	id := jobID(out.String())
	for _, want := range []string{"no permission", `"retryable":false`, "It may go on: `envwrap job status " + id} {
		if id == "" || cmd.ProcessState.ExitCode() != 125 || !strings.Contains(out.String(), want) {
			t.Errorf("%d, want %q: %s", cmd.ProcessState.ExitCode(), want, out.String())
		}
	}
	m.configure(string(able))
	m.run(0, "job", "cancel", id)
}

// A submit that fails, or whose answer is lost, runs the command once at most, and the
// answer is the truth.
func TestEngineSubmitFails(t *testing.T) {
	t.Parallel()
	m := engineMachine(t)
	m.set("fails")
	if out := m.run(125, "--on", "far", "--", "sh", "-c", "echo >>never"); !strings.Contains(out, "did not run: ") || !strings.Contains(out, "the queue is full") || !strings.Contains(out, `"code":"ERUNTIME"`) || !strings.Contains(out, `"retryable":true`) {
		t.Errorf("it fails: %s", out)
	}
	// The answer to a submit has the same code.
	if out := m.run(1, "job", "submit", "--on", "far", "--", "sh", "-c", "echo >>never"); !strings.Contains(out, "the queue is full") || !strings.Contains(out, `"code":"ERUNTIME"`) || !strings.Contains(out, `"retryable":true`) {
		t.Errorf("a submit fails: %s", out)
	}
	m.set("started")
	if out := m.run(0, "--push", "--on", "far", "--", "sh", "-c", "echo >>once"); !strings.Contains(out, noRemote) {
		t.Errorf("it says nothing of the remote: %s", out)
	}
	if err := os.Remove(filepath.Join(m.home, "fails")); err != nil {
		t.Fatal(err)
	}
	m.set("dies")
	m.run(-1, "job", "submit", "--name", "lost", "--on", "far", "--", "sh", "-c", "echo >>dead; exit 6")
	m.run(6, "job", "wait", "lost")
	if m.ran("never") != 0 || m.ran("once") != 1 || m.ran("dead") != 1 {
		t.Errorf("it ran %d, %d and %d times", m.ran("never"), m.ran("once"), m.ran("dead"))
	}
}

// With a prefix the engine's commands run elsewhere, and the script comes over stdin.
func TestEngineOnLoginNode(t *testing.T) {
	t.Parallel()
	m := engineMachine(t)
	login := filepath.Join(m.home, "login")
	const script = `#!/bin/sh
echo login >>"$HOME/logins"
eval "set -- $*"
if [ "$2" = submit ]; then cat "$4" >"$HOME/copy"; set -- "$1" submit "$3" "$HOME/copy" "$5"; fi
exec "$@"
`
	if err := testenv.WriteProgram(login, script); err != nil {
		t.Fatal(err)
	}
	engine := filepath.Join(m.home, "engine")
	m.configure(fmt.Sprintf(`[runner.far]
engine = "command"
command = [%[2]q]
quote = "shell"
submit = [%[1]q, "submit", "{name}", "{script}", "{out}"]
status = [%[1]q, "status", "{id}"]
cancel = [%[1]q, "cancel", "{id}"]
find = [%[1]q, "find", "{name}"]
`, engine, login))
	if out := m.run(7, "--on", "far", "--", "sh", "-c", "echo \"it's\"; exit 7"); !strings.Contains(out, `"text":"it's\n"`) {
		t.Errorf("it ran: %s", out)
	}
	if out := m.run(0, "runner", "check", "far"); !strings.Contains(out, "it runs there") {
		t.Errorf("checked: %s", out)
	}
	id := jobID(m.run(0, "job", "submit", "--on", "far", "--", "sh", "-c", "echo >begun; sleep 300"))
	testenv.Await(t, filepath.Join(m.dir, "begun"))
	m.run(0, "job", "cancel", id)
	if text, err := os.ReadFile(filepath.Join(m.home, "logins")); err != nil || strings.Count(string(text), "login") < 3 {
		t.Errorf("logins: %q, %v", text, err)
	}
}

// A group goes to an engine in one submission, and each member leaves its envelope once.
func TestEngineHoldsGroup(t *testing.T) {
	t.Parallel()
	m := engineMachine(t)
	const array = `#!/bin/sh
case $1 in
submit)
	echo "$4" >>"$HOME/arrays"
	setsid "$0" each "$5" "$3" "${4%%%*}" </dev/null >/dev/null 2>&1 &
	echo $! ;;
each)
	for i in $(seq "${4%-*}" "${4#*-}"); do
		for again in 1 2; do TASK=$i PATH=/usr/bin:/bin sh "$2" >>"$3" 2>&1; done
	done ;;
status) [ -e "$HOME/over" ] || echo running ;; # a process that nobody has waited for is there for kill
cancel) kill -TERM "-$2"; : >"$HOME/over" ;;
esac
exit 0
`
	engine := filepath.Join(m.home, "array")
	if err := testenv.WriteProgram(engine, array); err != nil {
		t.Fatal(err)
	}
	m.configure(fmt.Sprintf(`[runner.far]
engine = "command"
submit = [%[1]q, "submit", "{name}", "{out}", "{script}"]
array = ["{array}"]
task = "TASK"
status = [%[1]q, "status", "{id}"]
cancel = [%[1]q, "cancel", "{id}"]
`, engine))
	lines := "one\r\nit's $HOME\n\nfour\n"
	if err := os.WriteFile(filepath.Join(m.dir, "lines"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	ack := m.run(0, "job", "submit", "--on", "far", "--array", "lines", "--max-parallel", "2", "--", "sh", "-c", `echo >>ran; echo "$1"; test "$1" != four || exit 4`, "sh", "<{}>{}")
	group := jobID(ack)
	if !strings.Contains(ack, `"group":"`+group+`"`) || !strings.Contains(ack, `"total":4`) {
		t.Errorf("submitted: %s", ack)
	}
	m.run(0, "job", "wait", group)
	out := strings.Split(m.run(0, "job", "results", group), "\n")
	for i, want := range []string{"<one>one", "<it's $HOME>it's $HOME", "<>", "<four>four"} {
		if len(out) != 5 || !strings.Contains(out[i], `"text":"`+want+`\n"`) || !strings.Contains(out[i], `"runner":"far"`) {
			t.Errorf("member %d: %q", i+1, out)
		}
	}
	if ran := m.ran("ran"); ran != 4 {
		t.Errorf("4 members ran %d times", ran)
	}
	if out := m.run(0, "job", "ls", group); !strings.Contains(out, `"ok":4`) {
		t.Errorf("counts: %s", out)
	}
	if text, err := os.ReadFile(filepath.Join(m.home, "arrays")); err != nil || string(text) != "1-4%2\n" {
		t.Errorf("submissions: %q, %v", text, err)
	}
	if left, err := filepath.Glob(filepath.Join(m.home, ".local/state/envwrap/jobs", group, "members", "*")); err != nil || len(left) > 0 {
		t.Errorf("files of members are left: %q, %v", left, err)
	}

	id := jobID(m.run(0, "job", "submit", "--on", "far", "--array", "5-9", "--", "sh", "-c", "echo >>begun; sleep 300"))
	testenv.Await(t, filepath.Join(m.dir, "begun"))
	m.run(0, "job", "cancel", id)
	if out := m.run(143, "job", "wait", id); strings.Count(out, `"ECANCELED"`) != 5 {
		t.Errorf("canceled: %s", out)
	}
	if begun := m.ran("begun"); begun != 1 {
		t.Errorf("%d members began", begun)
	}
}

// A member that kills the supervisor of its group once its output is shown has that in its
// answer.
func TestGroupOfTheDead(t *testing.T) {
	t.Parallel()
	m := engineMachine(t)
	const member = `echo printed; for i in $(seq 200); do grep -qs printed "$1"/*/members/{}.out && break; sleep .05; done; kill -KILL $(ps -o ppid= -p $PPID); sleep 60`
	id := jobID(m.run(0, "job", "submit", "--array", "1-1", "--", "sh", "-c", member, "sh", filepath.Join(m.home, ".local/state/envwrap/jobs")))
	if out := m.run(125, "job", "wait", id); !strings.Contains(out, `"text":"printed\n"`) || !strings.Contains(out, "member 1 was lost while it ran") {
		t.Errorf("lost: %s", out)
	}
}

// An engine that shares no files brings what its script prints by the command logs.
func TestEngineLogs(t *testing.T) {
	t.Parallel()
	m := engineMachine(t)
	const queue = `#!/bin/sh
cd "${0%/*}/there" || exit
case $1 in
submit) cat >"$2.sh"; PATH=$(cat ../path) setsid sh "$2.sh" >"$3" </dev/null & echo $! >"$2.id"; echo $! ;;
status) if kill -0 "$2"; then echo running; else echo success; fi ;;
cancel) kill -TERM "$2" ;;
find) cat "$2.id" ;;
logs) cat "$2" ;;
esac 2>/dev/null
exit 0
`
	engine, asked := filepath.Join(m.home, "queue"), filepath.Join(m.home, "db_password")
	if err := errors.Join(testenv.WriteProgram(engine, queue), os.Mkdir(filepath.Join(m.home, "there"), 0o700), os.WriteFile(asked, []byte("hunter2x9\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	m.configure(fmt.Sprintf(`[runner.far]
engine = "command"
command = ["env", "--"]
submit = [%[1]q, "submit", "{name}", "{out}", "{script}"]
status = [%[1]q, "status", "{id}"]
cancel = [%[1]q, "cancel", "{id}"]
find = [%[1]q, "find", "{name}"]
logs = [%[1]q, "logs", "{out}"]
`, engine))
	for path, stderr := range map[string]string{"/usr/bin:/bin": "", os.Getenv("PATH"): `"text":"err\n"`} {
		if err := os.WriteFile(filepath.Join(m.home, "path"), []byte(path), 0o600); err != nil {
			t.Fatal(err)
		}
		out := m.run(7, "--on", "far", "--idle-timeout", "60s", "--env", "MY_TOKEN=supersecretvalue99", "--env", "PLAIN=othervalue77", "--secret", "PLAIN", "--", "sh", "-c", "echo out; echo err >&2; echo password=hunter2hunter2; echo $MY_TOKEN $PLAIN; exit 7")
		if !strings.Contains(out, `"text":"out\n`) || !strings.Contains(out, stderr) || !strings.Contains(out, `password=***`) {
			t.Errorf("%s: %s", path, out)
		}
		if out := m.run(0, "--on", "far", "--", "cat", asked); !strings.Contains(out, `***`) || strings.Contains(out, "hunter2x9") {
			t.Errorf("%s: %s", path, out)
		}
		if bare := stderr == ""; !strings.Contains(out, `*** ***\n`) || strings.Contains(out, "these options did not hold: --idle-timeout") != bare {
			t.Errorf("%s: %s", path, out)
		}
		if out := m.run(125, "--on", "far", "--cwd", "/it's not", "--", "true"); !strings.Contains(out, `"EARG"`) || !strings.Contains(out, "cannot run in directory") || !strings.Contains(out, "it's not") {
			t.Errorf("%s: %s", path, out)
		}
		if stderr == "" { // the script looks for the program
			here, there := facts(t, m.run(127, "--", "A=b")), facts(t, m.run(127, "--on", "far", "--", "A=b"))
			if !reflect.DeepEqual(there["data"], here["data"]) || !reflect.DeepEqual(there["error"], here["error"]) {
				t.Errorf("there %v\nhere  %v", there, here)
			}
		}
		gate := filepath.Join(m.dir, "gate")
		if err := syscall.Mkfifo(gate, 0o600); err != nil {
			t.Fatal(err)
		}
		id := jobID(m.run(0, "job", "submit", "--on", "far", "--cwd", m.dir, "--", "sh", "-c", "echo begun; echo >begun; read line <gate; echo over; exit 5"))
		testenv.Await(t, filepath.Join(m.dir, "begun"))
		if out := m.run(0, "job", "tail", id); out != "begun\n" && stderr == "" { // an envwrap there shows it a little later
			t.Errorf("so far: %q", out)
		}
		m.followed(id, gate)
		id = jobID(m.run(0, "job", "submit", "--on", "far", "--cwd", m.dir, "--", "sh", "-c", "echo >slept; exec sleep 300"))
		testenv.Await(t, filepath.Join(m.dir, "slept"))
		m.run(0, "job", "cancel", id)
		if out := m.run(143, "job", "results", id); !strings.Contains(out, `"ECANCELED"`) {
			t.Errorf("canceled: %s", out)
		}
		for _, name := range []string{"gate", "begun", "slept"} {
			if err := os.Remove(filepath.Join(m.dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

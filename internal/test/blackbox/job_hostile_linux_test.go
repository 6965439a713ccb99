package blackbox

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// After a restart of the machine other processes have the ids of the job's:
// the job is lost, and they are left alone.
func TestJobOfAnotherBoot(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.submit("echo before; sleep 300")
	b.printed(id, "before")
	supervisor, _ := b.pids(id)
	innocent := exec.Command("sleep", "300")
	if err := innocent.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = innocent.Process.Kill()
		_ = innocent.Wait()
	}()
	recorded, err := os.ReadFile(b.path(id, "process.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(supervisor, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	b.gone(supervisor)
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		t.Fatal(err)
	}
	old := bytes.ReplaceAll(recorded, bytes.TrimSpace(boot), []byte("00000000-0000-4000-8000-000000000000"))
	if bytes.Equal(old, recorded) {
		t.Fatalf("no boot id in %s", recorded)
	}
	old = rePID.ReplaceAll(old, []byte(`"pid":`+itoa(innocent.Process.Pid)))
	if err := os.WriteFile(b.path(id, "process.json"), old, 0o600); err != nil {
		t.Fatal(err)
	}
	res, status := b.wait(id)
	if b.state(id) != "lost" || status != 125 || shown(&res.Stdout) != "before\n" {
		t.Errorf("state %s, status %d, stdout %q", b.state(id), status, shown(&res.Stdout))
	}
	if !lives(innocent.Process.Pid) {
		t.Error("a process of somebody else was killed")
	}
}

// On a full disk a job still says how it ended.
func TestJobOnFullDisk(t *testing.T) {
	t.Parallel()
	dir := testenv.TempDir(t)
	const script = `
mount -t tmpfs -o size=4m,mode=700 tmpfs "$1" || exit 90
export ENVWRAP_STORE="$1/store"
: >"$1/stay"
id=$(envwrap job submit -- sh -c 'echo begun; while [ -e "$0/stay" ]; do sleep 0.01; done; yes | head -c 100000; exit 3' "$1" | sed 's/.*"job_id":"\([^"]*\).*/\1/')
until grep -q begun "$1/store/jobs/$id/stdout"; do sleep 0.01; done
head -c 8000000 /dev/zero >"$1/fill"
rm "$1/stay"
envwrap job wait "$id"
echo "status $?"
head -c 8000000 /dev/zero >>"$1/fill"
envwrap job submit -- true
echo "status $?"
rm "$1/fill"
envwrap job submit -- true >/dev/null
echo "status $?"
while ls "$1"/store/jobs/*/space >/dev/null 2>&1; do sleep 0.01; done
: >"$1/stay"
id=$(envwrap job submit --array 1-3 --max-parallel 2 -- sh -c 'echo begun; while [ -e "$0/stay" ]; do sleep 0.01; done; exit $(({} * 4 - 4))' "$1" | sed 's/.*"job_id":"\([^"]*\).*/\1/')
for n in 1 2; do until grep -q begun "$1/store/jobs/$id/members/$n.out" 2>/dev/null; do sleep 0.01; done; done
head -c 8000000 /dev/zero >"$1/fill"
rm "$1/stay"
envwrap job wait "$id"
echo "status $?"
envwrap job status "$id"
rm "$1/fill"
envwrap job retry --failed "$id"
`
	lines, stderr := inMountNamespace(t, script, dir)
	if len(lines) != 11 || lines[1] != "status 3" || lines[3] != "status 1" || lines[4] != "status 0" {
		t.Fatalf("got %.2000q, stderr %s", lines, stderr)
	}
	for i, code := range map[int]envelope.Code{0: envelope.EIO, 2: envelope.EIO} {
		res, err := envelope.Decode(envelope.Dialects()[0], []byte(lines[i]))
		if err != nil || res.Outcome.Code != code {
			t.Errorf("%v, %s", err, lines[i])
		}
	}
	if res, err := envelope.Decode(envelope.Dialects()[0], []byte(lines[0])); err != nil || res.Stdout.Bytes != 100006 || !strings.Contains(lines[0], "no space left") {
		t.Errorf("the run: %s", lines[0])
	}
	// A member whose end the group has no room for ended, and is not run again unless it failed.
	// One that was not started says why.
	for i, want := range map[int][]string{
		5: {`"status":"ok"`}, 6: {`"status":"error"`}, 7: {"member 3 was not started: keep the envelope of member ", "no space left"}, 8: {"status 4"},
		9: {`"ok":1,"error":1,"canceled":0,"lost":1`, "no space left"}, 10: {`"members":{"total":2,"queued":2,`},
	} {
		for _, part := range want {
			if !strings.Contains(lines[i], part) {
				t.Errorf("no %s: %s", part, lines[i])
			}
		}
	}
	if ended := lines[5] + lines[6]; !strings.Contains(ended, "and its envelope could not be stored") || strings.Contains(ended, "did not run") {
		t.Errorf("the members that ended: %s", ended)
	}
}

// inMountNamespace runs a script of sh with $1, in which it may mount, and returns the lines that
// it printed to stdout, and its stderr.
func inMountNamespace(t *testing.T, script, arg string) (lines []string, complaint string) {
	t.Helper()
	cmd := exec.Command("unshare", "--mount", "sh", "-c", script, "sh", arg)
	if os.Getuid() != 0 {
		cmd.Args = append([]string{"unshare", "--user", "--map-root-user"}, cmd.Args[1:]...)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if cannotUnshare(err, stderr.String(), cmd.ProcessState) {
		t.Skipf("no namespaces here: %v %s", err, stderr.String())
	}
	return strings.Split(strings.TrimSpace(stdout.String()), "\n"), stderr.String()
}

// A command without envwrap that fills the disk, on a runner with the same files, has its status,
// and the ends of its output; one that leaves no room at all has its status, and so has the file
// with the envelope, as where a far envwrap writes it.
func TestEngineOnFullDisk(t *testing.T) {
	t.Parallel()
	const script = `
mount -t tmpfs -o size=2m,mode=700 tmpfs "$1" || exit 90
export HOME="$1" XDG_STATE_HOME="$1/state" XDG_CONFIG_HOME="$1/config"
mkdir -p -m 700 "$1/config/envwrap"
cat >"$1/config/envwrap/config.toml" <<'END'
[runner.bare]
engine = "command"
submit = ["sh", "-c", "sed -i 's# envwrap; do#; do#; s#^for e in [^;]*#for e in /nowhere#' $0; setsid sh $0 >/dev/null 2>&1 & echo $!", "{script}"]
status = ["sh", "-c", "kill -0 $0 && echo running", "{id}"]
cancel = ["kill", "{id}"]
END
envwrap -f protocol/v1 --on bare -- sh -c 'echo begun; head -c 9000000 /dev/zero | tr "\0" x | fold -w 99; exit 3'
echo "status $?"
envwrap -f protocol/v1 --on bare -- sh -c 'head -c 9000000 /dev/zero >"$0/fill"; exit 4' "$1"
echo "status $?"
rm "$1/fill"
envwrap job results "$(ls "$1/state/envwrap/jobs" | tail -n 1)"
echo "status $?"
envwrap -f protocol/v1 -o "$1/envelope" --exit-code child -- sh -c 'head -c 9000000 /dev/zero >"$0/fill"; exit 5' "$1" 2>/dev/null
echo "status $?"
cat "$1/envelope"
`
	lines, stderr := inMountNamespace(t, script, testenv.TempDir(t))
	if len(lines) != 8 || lines[1] != "status 3" || lines[3] != "status 4" || lines[5] != "status 4" || lines[6] != "status 5" {
		t.Fatalf("%.3000q, %s", lines, stderr)
	}
	res, err := envelope.Decode(envelope.Dialects()[0], []byte(lines[0]))
	if err != nil || !strings.HasPrefix(res.Stdout.Text, "begun\nxxx") || !strings.Contains(res.Stdout.Text, "could not be stored") || strings.Count(lines[0], "no space left") != 1 {
		t.Errorf("%v, %s", err, lines[0])
	}
	if strings.Count(lines[2], "no space left") != 1 || strings.Contains(lines[4], "no space left") {
		t.Errorf("nowhere to record it: %s, %s", lines[2], lines[4])
	}
	if res, err := envelope.Decode(envelope.Dialects()[0], []byte(lines[7])); err != nil || res.Outcome.ExitCode == nil || *res.Outcome.ExitCode != 5 {
		t.Errorf("an envelope in a file has its room: %v, %s", err, lines[7])
	}
}

// A submit that is killed at any moment leaves a job that is reported truly, or none;
// and cleanup leaves nothing.
func TestKilledSubmit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.submit("true") // makes the store
	begun := 0
	submits := matrix.Times(20, 60)
	for i := range submits {
		cmd := b.command("job", "submit", "--max-jobs", itoa(i%3), "--", "sleep", own("307.5"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		jobs := filepath.Join(b.store, "jobs")
		before := len(names(jobs))
		for range 20 * i { // a little later each time, and when it has begun its work
			if len(names(jobs)) > before {
				begun++
				break
			}
		}
		for range (i % 10) * 2000 {
			_ = os.Getpid()
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	for _, id := range names(filepath.Join(b.store, "jobs")) {
		if _, err := os.Stat(b.path(id, "record.json")); id[0] == '.' || err != nil {
			continue
		}
		b.call("job", "cancel", id)
		if state := b.state(id); state != "lost" && state != "canceled" && state != "ok" {
			t.Errorf("job %s is %s", id, state)
		}
	}
	b.until("all is gone", func() bool { return len(carrying("307.5")) == 0 })
	if _, status := b.call("job", "cleanup", "--older", "0"); status != 0 {
		t.Errorf("cleanup ended with %d", status)
	}
	b.nothingLeft()
	if left, _ := filepath.Glob(b.store + "/jobs/0*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	t.Logf("%d of %d were killed when their job had begun", begun, submits)
}

func names(dir string) []string {
	var list []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// A job that a wrapped command submits is not of that command: it goes on when
// envwrap stops the command, and is not named as left behind.
func TestJobOutlivesTheCommandThatSubmitsIt(t *testing.T) {
	b := newBench(t)
	b.env = append(b.env, "XDG_STATE_HOME="+filepath.Dir(b.store))
	script := `ENVWRAP_STORE="` + b.store + `" envwrap job submit -- sh -c "echo begun; sleep 306" >"` + b.store + `.ack"; sleep 300`
	cmd := exec.CommandContext(t.Context(), "envwrap", "--kill-after", "100ms", "--", "sh", "-c", script)
	cmd.Env = b.env
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var id string
	b.until("the job is submitted", func() bool {
		dirs, _ := filepath.Glob(b.store + "/jobs/0*/process.json")
		if len(dirs) > 0 {
			id = filepath.Base(filepath.Dir(dirs[0]))
		}
		return len(dirs) > 0
	})
	b.printed(id, "begun")
	_ = cmd.Process.Signal(syscall.SIGTERM)
	_ = cmd.Wait()
	res, err := envelope.Decode(envelope.Dialects()[0], out.Bytes())
	if status := cmd.ProcessState.ExitCode(); err != nil || status != 143 || len(res.Leftovers) > 0 {
		t.Errorf("status %d, left %v, %v: %s", status, res.Leftovers, err, out.Bytes())
	}
	if supervisor, child := b.pids(id); !lives(supervisor) || !lives(child) || b.state(id) != "running" {
		t.Errorf("supervisor %d, child %d, %s", supervisor, child, b.state(id))
	}
}

var rePID = regexp.MustCompile(`"pid":\d+`)

func itoa(n int) string { return strconv.Itoa(n) }

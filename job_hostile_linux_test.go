package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// After a restart of the machine other processes have the ids of the job's:
// the job is lost, and they are left alone.
func TestJobOfAnotherBoot(t *testing.T) {
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
	told, err := os.ReadFile(b.path(id, "process.json"))
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
	old := bytes.ReplaceAll(told, bytes.TrimSpace(boot), []byte("00000000-0000-4000-8000-000000000000"))
	if bytes.Equal(old, told) {
		t.Fatalf("no boot id in %s", told)
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
	dir := t.TempDir()
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
`
	cmd := exec.Command("unshare", "--mount", "sh", "-c", script, "sh", dir)
	if os.Getuid() != 0 {
		cmd.Args = append([]string{"unshare", "--user", "--map-root-user"}, cmd.Args[1:]...)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if cannotUnshare(err, stderr.String(), cmd.ProcessState) {
		t.Skipf("no namespaces here: %v %s", err, stderr.String())
	}
	lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	if len(lines) != 5 || lines[1] != "status 3" || lines[3] != "status 1" || lines[4] != "status 0" {
		t.Fatalf("got %.2000q, stderr %s", lines, stderr.String())
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
}

// Two hundred jobs submitted at once all run, no more than ten at a time.
func TestManyJobsAtOnce(t *testing.T) {
	b := newBench(t)
	const jobs = 200
	log := filepath.Join(t.TempDir(), "log")
	script := `echo + >>"` + log + `"; sleep 0.02; echo - >>"` + log + `"`
	ids := make([]string, jobs)
	var group sync.WaitGroup
	for i := range ids {
		group.Go(func() { ids[i] = b.submit(script) })
	}
	group.Wait()
	slices.Sort(ids)
	if n := len(slices.Compact(slices.Clone(ids))); n != jobs {
		t.Fatalf("%d different ids", n)
	}
	for _, id := range ids {
		if _, status := b.wait(id); status != 0 {
			t.Fatalf("job %s ended with %d", id, status)
		}
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	running, most, begun := 0, 0, 0
	for sign := range strings.FieldsSeq(string(data)) {
		if sign == "+" {
			running, begun = running+1, begun+1
		} else {
			running--
		}
		most = max(most, running)
	}
	if begun != jobs || most > 10 || most < 2 {
		t.Errorf("%d jobs began, %d at once at the most", begun, most)
	}
	b.nothingLeft()
}

// nothingLeft checks that no process, no lock and no live output is left.
func (b *bench) nothingLeft() {
	b.Helper()
	b.until("no supervisor is left", func() bool { return len(carrying("job\x00supervise\x00--jobs\x00"+b.store)) == 0 })
	if left, _ := filepath.Glob(b.store + "/jobs/.queue/*"); len(left) > 0 {
		b.Errorf("left in the queue: %v", left)
	}
	if left, _ := filepath.Glob(b.store + "/jobs/*/std*"); len(left) > 0 {
		b.Errorf("left of output: %v", left)
	}
	locks, _ := filepath.Glob(b.store + "/jobs/.slots/*")
	more, _ := filepath.Glob(b.store + "/jobs/*/lock")
	for _, name := range append(locks, more...) {
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			b.Errorf("%s: %v", name, err)
		}
		_ = f.Close()
	}
}

// A submit that is killed at any moment leaves a job that is told truly, or none;
// and cleanup leaves nothing.
func TestKilledSubmit(t *testing.T) {
	b := newBench(t)
	b.submit("true") // makes the store
	begun := 0
	for i := range 60 {
		cmd := b.command("job", "submit", "--max-jobs", itoa(i%3), "--", "sleep", "307.5")
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
	b.nothingLeft()
	if _, status := b.call("job", "cleanup", "--older", "0"); status != 0 {
		t.Errorf("cleanup ended with %d", status)
	}
	if left, _ := filepath.Glob(b.store + "/jobs/0*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	t.Logf("%d of 60 were killed when their job had begun", begun)
}

func names(dir string) []string {
	var list []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// Jobs start in the order of their submit, also where the one that would start
// the next is killed.
func TestJobsStartInOrder(t *testing.T) {
	b := newBench(t)
	log := filepath.Join(t.TempDir(), "log")
	first := b.submit("echo begun; sleep 300", "--max-jobs", "1")
	b.printed(first, "begun")
	var ids []string
	for i := range 12 {
		ids = append(ids, b.submit("echo "+itoa(i)+` >>"`+log+`"`, "--max-jobs", "1"))
	}
	for i, id := range ids {
		out, _ := b.call("job", "status", id)
		res, err := envelope.Decode(envelope.Dialects()[0], []byte(out))
		if err != nil || res.Jobs == nil || res.Jobs.List[0].State != envelope.JobQueued || *res.Jobs.List[0].Position != i+1 {
			t.Errorf("job %d: %v, %s", i, err, out)
		}
	}
	killed, _ := b.pids(ids[4])
	canceled := ids[7]
	for _, pid := range []int{killed} {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	if _, status := b.call("job", "cancel", canceled); status != 0 {
		t.Errorf("cancel ended with %d", status)
	}
	supervisor, _ := b.pids(first)
	if err := syscall.Kill(supervisor, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	b.wait(ids[11])
	data, err := os.ReadFile(log)
	if got, want := strings.Fields(string(data)), strings.Fields("0 1 2 3 5 6 8 9 10 11"); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for id, want := range map[string]string{first: "lost", ids[4]: "lost", canceled: "canceled", ids[11]: "ok"} {
		if b.wait(id); b.state(id) != want {
			t.Errorf("job %s is %s, want %s", id, b.state(id), want)
		}
	}
	b.nothingLeft()
}

// A job that is canceled at any moment of its start ends within two seconds, and
// with it all that it had started.
func TestCancelDuringStart(t *testing.T) {
	b := newBench(t)
	for i := range 30 {
		id := b.submit("setsid sleep 301.25 & sleep 301.25")
		for range i * 1000 { // a little later each time
			_ = os.Getpid()
		}
		begun := time.Now()
		out, status := b.call("job", "cancel", id)
		if took := time.Since(begun); took > 2500*time.Millisecond || status != 0 {
			t.Errorf("cancel took %v and ended with %d: %s", took, status, out)
		}
		if res, status := b.wait(id); res.Outcome.Code != envelope.ECANCELED || status != 143 {
			t.Errorf("%+v, status %d", res.Outcome, status)
		}
	}
	b.until("all is gone", func() bool { return len(carrying("301.25")) == 0 })
	b.nothingLeft()
}

// Cancel reaches what left the session, and what ignores SIGTERM, in two seconds.
func TestCancelReachesTheWholeTree(t *testing.T) {
	b := newBench(t)
	id := b.submit(`setsid sh -c 'trap "" TERM; echo one; while :; do sleep 302.5; done' &
		(setsid setsid sleep 302.5 &)
		trap "" TERM; echo two; while :; do sleep 302.5; done`)
	b.printed(id, "one")
	b.printed(id, "two")
	supervisor, child := b.pids(id)
	begun := time.Now()
	_, status := b.call("job", "cancel", id)
	if took := time.Since(begun); took > 2*time.Second+200*time.Millisecond || status != 0 {
		t.Errorf("cancel took %v and ended with %d", took, status)
	}
	for _, pid := range append(carrying("302.5"), supervisor, child) {
		b.gone(pid)
	}
	if b.state(id) != "canceled" {
		t.Errorf("state %s", b.state(id))
	}
}

// A supervisor that was stopped cannot keep its job from being canceled.
func TestCancelOfAStoppedSupervisor(t *testing.T) {
	b := newBench(t)
	id := b.submit("echo begun; sleep 303.5")
	b.printed(id, "begun")
	supervisor, child := b.pids(id)
	if err := syscall.Kill(supervisor, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if _, status := b.call("job", "cancel", id); status != 0 {
		t.Errorf("cancel ended with %d", status)
	}
	b.gone(supervisor)
	b.gone(child)
	if b.state(id) != "canceled" {
		t.Errorf("state %s", b.state(id))
	}
}

// Any number of processes may wait for a job, and all get the same answer.
func TestManyWait(t *testing.T) {
	b := newBench(t)
	go1 := filepath.Join(t.TempDir(), "go")
	id := b.submit(`echo begun; while [ ! -e "` + go1 + `" ]; do sleep 0.01; done; exit 7`)
	answers := make([]string, 30)
	statuses := make([]int, len(answers))
	var group sync.WaitGroup
	for i := range answers {
		group.Go(func() { answers[i], statuses[i] = b.call("job", "wait", id) })
	}
	b.printed(id, "begun")
	if out, status := b.call("job", "wait", "--timeout", "0", id); status != 75 {
		t.Errorf("status %d: %s", status, out)
	}
	if err := os.WriteFile(go1, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	group.Wait()
	for i := range answers {
		if statuses[i] != 7 || !strings.Contains(answers[i], id) || answers[i] != answers[0] {
			t.Errorf("status %d: %s", statuses[i], answers[i])
		}
	}
}

// A supervisor keeps no descriptor of its caller's: who reads a pipe of ours to
// its end does not wait for the job.
func TestJobKeepsNoDescriptor(t *testing.T) {
	b := newBench(t)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := b.command("job", "submit", "--", "sh", "-c", "ls -l /proc/self/fd; echo begun; sleep 304")
	cmd.ExtraFiles = []*os.File{write, write, write}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	out, err := cmd.Output() // reads stdout to its end
	if err != nil {
		t.Fatal(err)
	}
	_ = write.Close()
	if _, err := io.ReadAll(read); err != nil { // hangs if somebody has the other end
		t.Fatal(err)
	}
	res, err := envelope.Decode(envelope.Dialects()[0], out)
	if err != nil {
		t.Fatal(err)
	}
	b.printed(res.JobID, "begun")
	supervisor, child := b.pids(res.JobID)
	for _, row := range []struct {
		pid  int
		most int
	}{{supervisor, 20}, {child, 3}} {
		fds, err := os.ReadDir("/proc/" + itoa(row.pid) + "/fd")
		if err != nil || len(fds) > row.most {
			t.Errorf("process %d has %d descriptors, %v", row.pid, len(fds), err)
		}
	}
	for _, fd := range []string{"0", "1", "2"} {
		if to, err := os.Readlink("/proc/" + itoa(supervisor) + "/fd/" + fd); to != "/dev/null" {
			t.Errorf("descriptor %s of the supervisor is %s, %v", fd, to, err)
		}
	}
}

// Nothing of the environment is on disk but names, and no secret is anywhere.
func TestJobKeepsNoSecret(t *testing.T) {
	b := newBench(t)
	b.env = append(b.env, "MY_API_TOKEN=swordfish-4711-galore", "PLAIN_VARIABLE=just-a-plain-value")
	id := b.submit(`echo "$MY_API_TOKEN"; echo "token=$MY_API_TOKEN" >&2; sleep 0.2; exit 1`, "--env", "GIVEN_VARIABLE=given-just-now", "--secret", "PLAIN_VARIABLE")
	b.printed(id, "***")
	b.noneHas("swordfish-4711", "just-a-plain", "given-just-now")
	b.wait(id)
	b.noneHas("swordfish-4711", "just-a-plain", "given-just-now")
	data, err := os.ReadFile(b.path(id, "record.json"))
	if err != nil || !bytes.Contains(data, []byte(`"MY_API_TOKEN"`)) {
		t.Errorf("the names of the variables: %s, %v", data, err)
	}
	err = filepath.WalkDir(b.store+"/jobs", func(name string, d os.DirEntry, err error) error {
		info, infoErr := d.Info()
		if err == nil && infoErr == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// noneHas checks that no file of the store holds one of the texts.
func (b *bench) noneHas(texts ...string) {
	b.Helper()
	_ = filepath.WalkDir(b.store, func(name string, _ os.DirEntry, _ error) error {
		data, _ := os.ReadFile(name) // one that was moved meanwhile is seen where it is now
		for _, text := range texts {
			if bytes.Contains(data, []byte(text)) {
				b.Errorf("%s holds %q", name, text)
			}
		}
		return nil
	})
}

// A job that a wrapped command submits is not of that command: it goes on when
// envwrap stops the command, and is not named as left behind.
func TestJobOutlivesTheCommandThatSubmitsIt(t *testing.T) {
	b := newBench(t)
	b.env = append(b.env, "XDG_STATE_HOME="+filepath.Dir(b.store))
	script := `ENVWRAP_STORE="` + b.store + `" envwrap job submit -- sh -c "echo begun; sleep 306" >"` + b.store + `.ack"; sleep 300`
	out, status := b.call("--timeout", "500ms", "--kill-after", "100ms", "--", "sh", "-c", script)
	res, err := envelope.Decode(envelope.Dialects()[0], []byte(out))
	if err != nil || status != 124 || len(res.Leftovers) > 0 {
		t.Errorf("status %d, left %v, %v: %s", status, res.Leftovers, err, out)
	}
	dirs, _ := filepath.Glob(b.store + "/jobs/0*")
	if len(dirs) != 1 {
		t.Fatalf("jobs: %v", dirs)
	}
	id := filepath.Base(dirs[0])
	b.printed(id, "begun")
	if supervisor, child := b.pids(id); !lives(supervisor) || !lives(child) || b.state(id) != "running" {
		t.Errorf("supervisor %d, child %d, %s", supervisor, child, b.state(id))
	}
}

var rePID = regexp.MustCompile(`"pid":\d+`)

func itoa(n int) string { return strconv.Itoa(n) }

// Many short jobs leave no process, no lock and no live output, and cleanup
// leaves nothing of them at all. ENVWRAP_SOAK says how many; the default is for
// every day.
func TestManyShortJobsLeaveNothing(t *testing.T) {
	jobs := 60
	if s := os.Getenv("ENVWRAP_SOAK"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("ENVWRAP_SOAK: %v", err)
		}
		jobs = n
	}
	b := newBench(t)
	ids := make(chan string, jobs)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range jobs / 4 {
				ids <- b.submit("echo out; echo err >&2")
			}
		})
	}
	group.Wait()
	close(ids)
	for id := range ids {
		if _, status := b.wait(id); status != 0 {
			t.Fatalf("job %s ended with %d", id, status)
		}
	}
	b.nothingLeft()
	if out, status := b.call("job", "cleanup", "--older", "0"); status != 0 {
		t.Fatalf("cleanup ended with %d: %s", status, out)
	}
	for _, pattern := range []string{"/jobs/0*", "/pins/*", "/part/*"} {
		if left, _ := filepath.Glob(b.store + pattern); len(left) > 0 {
			t.Errorf("%d are left of %s: %s", len(left), pattern, left[0])
		}
	}
}

package blackbox

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// Many jobs submitted at once all run, no more than ten at a time.
func TestManyJobsAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	jobs := matrix.Times(13, 200)
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
	if begun != jobs || most > 10 {
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

// Jobs start in the order of their submit, also where the one that would start
// the next is killed.
func TestJobsStartInOrder(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	log := filepath.Join(t.TempDir(), "log")
	first := b.submit("echo begun; sleep 300", "--max-jobs", "1")
	b.printed(first, "begun")
	var ids []string
	for i := range 7 {
		ids = append(ids, b.submit("echo "+itoa(i)+` >>"`+log+`"`, "--max-jobs", "1"))
	}
	for i, id := range ids {
		out, _ := b.call("job", "status", id)
		res, err := envelope.Decode(envelope.Dialects()[0], []byte(out))
		if err != nil || res.Jobs == nil || res.Jobs.List[0].State != envelope.JobQueued || *res.Jobs.List[0].Position != i+1 {
			t.Errorf("job %d: %v, %s", i, err, out)
		}
	}
	killed, _ := b.pids(ids[2])
	canceled := ids[4]
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
	b.wait(ids[6])
	data, err := os.ReadFile(log)
	if got, want := strings.Fields(string(data)), strings.Fields("0 1 3 5 6"); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for id, want := range map[string]string{first: "lost", ids[2]: "lost", canceled: "canceled", ids[6]: "ok"} {
		if b.wait(id); b.state(id) != want {
			t.Errorf("job %s is %s, want %s", id, b.state(id), want)
		}
	}
	b.nothingLeft()
}

// Any number of processes may wait for a job, and all get the same answer.
func TestManyWait(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	go1 := filepath.Join(t.TempDir(), "go")
	id := b.submit(`echo begun; while [ ! -e "` + go1 + `" ]; do sleep 0.01; done; exit 7`)
	answers := make([]string, 12)
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

// Many short jobs leave no process, no lock and no live output, and cleanup
// leaves nothing of them at all. ENVWRAP_SOAK says how many; the default is for
// every day.
func TestManyShortJobsLeaveNothing(t *testing.T) {
	t.Parallel()
	jobs := 8
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

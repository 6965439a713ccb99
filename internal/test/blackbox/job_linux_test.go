package blackbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// A bench is a store of jobs and the program that works with it.
type bench struct {
	*testing.T
	store string
	env   []string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{T: t, store: filepath.Join(testenv.TempDir(t), "store")}
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "ENVWRAP") {
			b.env = append(b.env, e)
		}
	}
	b.env = append(b.env, "ENVWRAP_STORE="+b.store, "GORACE=atexit_sleep_ms=0")
	t.Cleanup(b.endAll)
	return b
}

// endAll ends all jobs that are not over, whatever the test did.
func (b *bench) endAll() {
	ids, _ := filepath.Glob(b.store + "/jobs/0*")
	for _, dir := range ids {
		if data, err := os.ReadFile(dir + "/record.json"); err != nil || !isOver(data) {
			b.call("job", "cancel", filepath.Base(dir))
		}
	}
}

// isOver reports whether a job's record says that it has ended.
func isOver(record []byte) bool {
	var rec struct{ State envelope.JobState }
	return json.Unmarshal(record, &rec) == nil && rec.State != "" && rec.State.Over()
}

func (b *bench) command(args ...string) *exec.Cmd {
	cmd := exec.Command("envwrap", args...)
	cmd.Env = b.env
	return cmd
}

// call runs envwrap and returns its stdout and its status.
func (b *bench) call(args ...string) (string, int) {
	b.Helper()
	cmd := b.command(args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		b.Fatal(err)
	}
	return stdout.String(), cmd.ProcessState.ExitCode()
}

// submit submits a job of sh -c script and returns its id.
func (b *bench) submit(script string, options ...string) string {
	b.Helper()
	args := append([]string{"job", "submit"}, options...)
	out, status := b.call(append(args, "--", "sh", "-c", own(script))...)
	res, err := envelope.Decode(envelope.Dialects()[0], []byte(out))
	if err != nil || status != 0 || res.JobID == "" {
		b.Fatalf("submit: status %d, %v, %s", status, err, out)
	}
	return res.JobID
}

// wait waits for a job and returns its run and its status.
func (b *bench) wait(id string) (*envelope.Result, int) {
	b.Helper()
	out, status := b.call("job", "wait", "--timeout", "5m", id)
	res, err := envelope.Decode(envelope.Dialects()[0], []byte(out))
	if err != nil {
		b.Fatalf("wait: status %d, %v, %s", status, err, out)
	}
	for _, f := range envelope.Validate(envelope.Dialects()[0], []byte(out), envelope.ValidateOptions{Strict: true}) {
		b.Errorf("wait: %v", f)
	}
	return res, status
}

func (b *bench) path(id, file string) string { return filepath.Join(b.store, "jobs", id, file) }

// state returns the state in the record.
func (b *bench) state(id string) string {
	var rec struct{ State string }
	data, err := os.ReadFile(b.path(id, "record.json"))
	if err == nil {
		err = json.Unmarshal(data, &rec)
	}
	if err != nil {
		b.Fatal(err)
	}
	return rec.State
}

// pids returns the processes of a job, as its supervisor has recorded them.
func (b *bench) pids(id string) (supervisor, child int) {
	var p struct{ Supervisor, Child struct{ PID int } }
	data, err := os.ReadFile(b.path(id, "process.json"))
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil {
		return 0, 0
	}
	return p.Supervisor.PID, p.Child.PID
}

// until waits for something that has to become true.
func (b *bench) until(what string, is func() bool) {
	b.Helper()
	for begun := time.Now(); !is(); {
		if time.Since(begun) > hangs {
			b.Fatalf("%v have passed, and not: %s", hangs, what)
		}
		<-time.After(2 * time.Millisecond)
	}
}

// printed waits for a job to have printed something.
func (b *bench) printed(id, text string) {
	b.Helper()
	b.until("printed "+text, func() bool {
		data, _ := os.ReadFile(b.path(id, "stdout"))
		return bytes.Contains(data, []byte(text))
	})
}

// gone waits for a process to be no more.
func (b *bench) gone(pid int) {
	b.Helper()
	b.until(fmt.Sprintf("process %d is gone", pid), func() bool { return !lives(pid) })
}

// lives reports whether a process is there and no zombie.
func lives(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// shown is the text that an envelope has of a stream.
func shown(s *envelope.Stream) string {
	if s.Excerpt != nil {
		return s.Excerpt.Text
	}
	return s.Text
}

// naps are the times, in seconds, by which processes of a test are found.
var naps = regexp.MustCompile(`30\d\.\d+`)

// own makes the naps in a text those of this process: the same test may run beside
// it, from another checkout.
func own(text string) string {
	return naps.ReplaceAllString(text, "${0}"+strconv.Itoa(os.Getpid()))
}

// carrying are the living processes with a text in their command line.
func carrying(text string) []int {
	var found []int
	text = own(text)
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		line, err := os.ReadFile(dir + "/cmdline")
		pid, _ := strconv.Atoi(filepath.Base(dir))
		if err == nil && bytes.Contains(line, []byte(text)) && lives(pid) && pid != os.Getpid() {
			found = append(found, pid)
		}
	}
	return found
}

// A job whose processes are killed, in whatever combination, is reported truly, with
// what it had printed, and leaves nothing running.
func TestKilledJob(t *testing.T) {
	for _, row := range []struct {
		name              string
		supervisor, child bool
		state, code       string
		status            int
	}{
		{"supervisor", true, false, "lost", "ERUNTIME", 125},
		{"child", false, true, "error", "ERUNTIME", 137},
		{"both", true, true, "lost", "ERUNTIME", 125},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newBench(t)
			id := b.submit("echo before; sleep 300.125 & wait; echo after")
			b.printed(id, "before")
			supervisor, child := b.pids(id)
			waiting := make(chan int, 1)
			waiter := b.command("job", "wait", id)
			if err := waiter.Start(); err != nil {
				t.Fatal(err)
			}
			go func() {
				_ = waiter.Wait()
				waiting <- waiter.ProcessState.ExitCode()
			}()
			for pid, doomed := range map[int]bool{supervisor: row.supervisor, child: row.child} {
				if doomed && syscall.Kill(pid, syscall.SIGKILL) != nil {
					t.Fatalf("cannot kill %d", pid)
				}
			}
			res, status := b.wait(id)
			if got := b.state(id); got != row.state || string(res.Outcome.Code) != row.code || status != row.status {
				t.Errorf("state %s, code %s, status %d; want %s, %s, %d", got, res.Outcome.Code, status, row.state, row.code, row.status)
			}
			if got := shown(&res.Stdout); got != "before\n" {
				t.Errorf("stdout: %q", got)
			}
			if got := <-waiting; got != row.status {
				t.Errorf("who waited before ended with %d", got)
			}
			b.gone(supervisor)
			b.gone(child)
			b.until("all that it started is gone", func() bool { return row.state == "error" || len(carrying("300.125")) == 0 })
			for _, pid := range carrying("300.125") { // what the command itself left behind is not ours to end
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		})
	}
}

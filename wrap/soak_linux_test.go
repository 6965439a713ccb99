package wrap_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
)

// Many runs in a row leave no process, no descriptor, no goroutine and no file
// behind, in a process that does nothing else. ENVWRAP_SOAK says how many; the
// default is for every day.
func TestManyRunsLeaveNothing(t *testing.T) {
	t.Parallel()
	const alone = "ENVWRAP_TEST_ALONE"
	if os.Getenv(alone) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), alone+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	runs := 30
	if s := os.Getenv("ENVWRAP_SOAK"); s != "" {
		runs = number(s)
	}
	dir := filepath.Join(t.TempDir(), "store")
	store, err := artifact.Open(artifact.Options{Dir: dir, NoMaintenance: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	once := func(i int) {
		c := command(t, "flood", strconv.Itoa(i%3*30000), "10")
		if i%10 == 0 {
			c = command(t, "hang")
			c.Timeout = time.Millisecond
		}
		c.Store = func() (*artifact.Store, string, error) { return store, "", nil }
		if res := run(t, c); res.Outcome.Code != "" && res.Outcome.Code != envelope.ETIMEOUT {
			t.Fatalf("run %d: %+v", i, res.Outcome)
		}
	}
	once(0)
	once(2)
	before := held(t)
	for i := range runs {
		once(i)
	}
	// Goroutines of a run may still be on their way out, also when before was taken.
	for giveUp := time.Now().Add(30 * time.Second); held(t).exceeds(before) && time.Now().Before(giveUp); {
		<-time.After(10 * time.Millisecond)
	}
	if after := held(t); after.exceeds(before) {
		t.Errorf("before %+v, after %+v", before, after)
	}
	parts, err := os.ReadDir(filepath.Join(dir, "part"))
	if err != nil || len(parts) != 0 {
		t.Errorf("part files left: %v, %v", parts, err)
	}
}

// holding counts the resources of a process.
type holding struct{ descriptors, goroutines, children int }

func (h holding) exceeds(before holding) bool {
	return h.descriptors > before.descriptors || h.goroutines > before.goroutines || h.children > before.children
}

func held(t *testing.T) holding {
	t.Helper()
	descriptors, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	threads, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	h := holding{descriptors: len(descriptors), goroutines: runtime.NumGoroutine()}
	for _, list := range threads {
		text, _ := os.ReadFile(list)
		h.children += len(text)
	}
	return h
}

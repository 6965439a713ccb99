package blackbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// A cached is a directory with a store and with commands that count their runs.
type cached struct {
	t   *testing.T
	dir string
	env []string
}

func newCached(t *testing.T) *cached {
	t.Helper()
	dir := testenv.TempDir(t)
	return &cached{t, dir, append(os.Environ(), "HOME="+dir, "ENVWRAP_AGENT=none", "XDG_STATE_HOME="+filepath.Join(dir, "state"), "TMPDIR="+dir)}
}

func (c *cached) store() string { return filepath.Join(c.dir, "state", "envwrap") }

// command is an envwrap that has not begun yet.
func (c *cached) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(c.t.Context(), "envwrap", args...)
	cmd.Dir, cmd.Env = c.dir, c.env
	return cmd
}

// A begun is an envwrap that runs.
type begun struct {
	*exec.Cmd
	c   *cached
	out bytes.Buffer
}

func (c *cached) begin(args ...string) *begun {
	c.t.Helper()
	b := &begun{Cmd: c.command(args...), c: c}
	b.Stdout = &b.out
	if err := b.Start(); err != nil {
		c.t.Fatal(err)
	}
	return b
}

// end waits for it and returns its record.
func (b *begun) end() *envelope.Result {
	b.c.t.Helper()
	_ = b.Wait()
	r, err := envelope.Decode(envelope.Dialects()[0], b.out.Bytes())
	if err != nil {
		b.c.t.Fatalf("%v in %q", err, b.out.Bytes())
	}
	return r
}

// run is the record of an envwrap; its status is the caller's to judge.
func (c *cached) run(args ...string) *envelope.Result {
	c.t.Helper()
	return c.begin(args...).end()
}

// runs is how often a command has run that writes a line to the file runs.
func (c *cached) runs() int {
	text, _ := os.ReadFile(filepath.Join(c.dir, "runs"))
	return bytes.Count(text, []byte("\n"))
}

// left are the files of one of the cache's directories.
func (c *cached) left(dir string) []string {
	var names []string
	files, _ := os.ReadDir(filepath.Join(c.store(), "cache", dir))
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

// A gate keeps commands waiting that read a line from the file of its name.
type gate struct{ f *os.File }

// gate makes one that is closed.
func (c *cached) gate() *gate {
	c.t.Helper()
	path := filepath.Join(c.dir, "gate")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		c.t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0) // so that no command waits for a writer, or sees the end
	if err != nil {
		c.t.Fatal(err)
	}
	g := &gate{f}
	c.t.Cleanup(func() { // a test that failed may have left some
		g.open()
		_ = f.Close()
	})
	return g
}

// open lets all commands through, those that come later too.
func (g *gate) open() { _, _ = g.f.WriteString(strings.Repeat("\n", 100)) }

// One of 50 that want the same run at once makes it, and all get its result, be
// it a success or a failure. No lock is left.
func TestCacheCoalesces(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"exit 0", "exit 3"} {
		c := newCached(t)
		gate := c.gate()
		script := "echo x >>runs; read go <gate; echo out; " + end
		many := matrix.Times(12, 50)
		var all []*begun
		for range many {
			all = append(all, c.begin("--cache", "1h", "--", "sh", "-c", script))
		}
		c.awaitLine(all)
		gate.open()
		sources := map[string]int{}
		for _, b := range all {
			r := b.end()
			sources[r.Source]++
			if r.Stdout.Text != "out\n" || (end == "exit 3") == r.Outcome.OK() {
				t.Errorf("%s: got %q, %s", end, r.Stdout.Text, r.Outcome.Kind)
			}
		}
		if c.runs() != 1 || sources["run"] != 1 || sources["cache"] != many-1 {
			t.Errorf("%s: %d runs, reported as %v", end, c.runs(), sources)
		}
		if left := c.left("locks"); len(left) > 0 {
			t.Errorf("%s: locks are left: %v", end, left)
		}
		if want := map[string]int{"exit 0": 1, "exit 3": 0}[end]; len(c.left("entries")) != want {
			t.Errorf("%s: %d entries, want %d", end, len(c.left("entries")), want)
		}
	}
}

// awaitLine returns when one has the lock and all others wait for it.
func (c *cached) awaitLine(all []*begun) {
	c.t.Helper()
	c.until("all wait in line", func() bool {
		return !slices.ContainsFunc(all, func(b *begun) bool { return !b.inLine() })
	})
}

// inLine reports whether it has the file of a lock open.
func (b *begun) inLine() bool {
	fds, _ := filepath.Glob("/proc/" + strconv.Itoa(b.Process.Pid) + "/fd/*")
	return slices.ContainsFunc(fds, func(fd string) bool {
		to, _ := os.Readlink(fd)
		return strings.Contains(to, "/cache/locks/")
	})
}

// until polls a condition, since nothing announces it.
func (c *cached) until(what string, ok func() bool) {
	c.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for over := time.After(hangs); !ok(); {
		select {
		case <-tick.C:
		case <-over:
			c.t.Fatalf("waited in vain: %s", what)
		}
	}
}

// When the one that others wait for is killed, another of them makes the run.
func TestCacheKilledRunner(t *testing.T) {
	c := newCached(t)
	gate := c.gate()
	args := []string{"--cache", "1h", "--", "sh", "-c", "echo x >>runs; read go <gate; echo out"}
	first := c.begin(args...)
	c.until("the first runs it", func() bool { return c.runs() == 1 })
	second := c.begin(args...)
	c.awaitLine([]*begun{first, second})
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	c.until("the second runs it", func() bool { return c.runs() == 2 })
	gate.open()
	if r := second.end(); r.Source != "run" || r.Stdout.Text != "out\n" {
		t.Errorf("got %q from %s", r.Stdout.Text, r.Source)
	}
	if r := c.run(args...); r.Source != "cache" || c.runs() != 2 {
		t.Errorf("the run of the second is not remembered: %d runs", c.runs())
	}
	if left := c.left("locks"); len(left) > 0 {
		t.Errorf("locks are left: %v", left)
	}
}

// A signal ends the waiting as it ends a run, and the other runs on.
func TestCacheWaitIsInterrupted(t *testing.T) {
	c := newCached(t)
	gate := c.gate()
	args := []string{"--cache", "1h", "--", "sh", "-c", "echo x >>runs; read go <gate; echo out"}
	first := c.begin(args...)
	c.until("the first runs it", func() bool { return c.runs() == 1 })
	second := c.begin(args...)
	c.awaitLine([]*begun{first, second})
	c.until("the second takes signals", func() bool { return takesSignals(second.Process.Pid) })
	_ = second.Process.Signal(syscall.SIGTERM)
	r := second.end()
	if status := second.ProcessState.ExitCode(); status != 128+15 || r.Outcome.Code != envelope.ECANCELED {
		t.Errorf("status %d, code %s", status, r.Outcome.Code)
	}
	gate.open()
	if r := first.end(); r.Stdout.Text != "out\n" {
		t.Errorf("the first got %q", r.Stdout.Text)
	}
}

// A process waits at most as long as the command may take, and then runs it too.
func TestCacheWaitHasALimit(t *testing.T) {
	t.Parallel()
	c := newCached(t)
	c.gate()
	hang := c.begin("--cache", "1h", "--kill-after", "100ms", "--", "sh", "-c", "echo x >>runs; read go <gate")
	c.until("the first runs it", func() bool { return c.runs() == 1 })
	r := c.run("--cache", "1h", "--timeout", "1s", "--kill-after", "100ms", "--", "sh", "-c", "echo x >>runs; read go <gate")
	if r.Outcome.Code != envelope.ETIMEOUT || c.runs() != 2 {
		t.Errorf("got %s after %d runs", r.Outcome.Code, c.runs())
	}
	_ = hang.Process.Signal(syscall.SIGTERM)
	_ = hang.Wait()
}

// A stale answer comes at once, many times over, and the run is made anew once.
func TestCacheStale(t *testing.T) {
	t.Parallel()
	c := newCached(t)
	gate := c.gate()
	args := []string{"--cache", "1h", "--cache-stale", "5h", "--", "sh", "-c", "echo x >>runs; test -e quick || read go <gate; wc -l <runs"}
	if err := os.WriteFile(filepath.Join(c.dir, "quick"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := c.run(args...); r.Source != "run" {
		t.Fatalf("the first is from %s", r.Source)
	}
	if err := os.Remove(filepath.Join(c.dir, "quick")); err != nil {
		t.Fatal(err)
	}
	// Two hours go by.
	c.grow(-2 * time.Hour)
	var all []*begun
	for range 10 {
		all = append(all, c.begin(args...))
	}
	for _, b := range all {
		r := b.end()
		if r.Source != "cache" || !r.Stale || strings.TrimSpace(r.Stdout.Text) != "1" || r.CacheAge < 2*time.Hour {
			t.Errorf("got %q from %s, stale %t, %s old", r.Stdout.Text, r.Source, r.Stale, r.CacheAge)
		}
	}
	c.until("it runs in the background", func() bool { return c.runs() == 2 })
	gate.open()
	c.until("the run is done", func() bool { return len(c.left("locks")) == 0 })
	r := c.run(args...)
	if r.Source != "cache" || r.Stale || strings.TrimSpace(r.Stdout.Text) != "2" || c.runs() != 2 {
		t.Errorf("got %q from %s, stale %t, after %d runs", r.Stdout.Text, r.Source, r.Stale, c.runs())
	}
}

// grow moves the times of all entries, as if the clock had gone on.
func (c *cached) grow(by time.Duration) {
	c.t.Helper()
	if len(c.left("entries")) == 0 {
		c.t.Fatal("there are no entries")
	}
	for _, name := range c.left("entries") {
		reseal(c.t, filepath.Join(c.store(), "cache", "entries", name), func(header map[string]any) {
			at, err := time.Parse(time.RFC3339Nano, header["kept"].(string))
			if err != nil {
				c.t.Fatal(err)
			}
			header["kept"] = at.Add(by).Format(time.RFC3339Nano)
		})
	}
}

// reseal changes the header of an entry's file.
func reseal(t *testing.T, name string, change func(header map[string]any)) {
	t.Helper()
	text := contents(t, name)
	_, body, _ := strings.Cut(text, "\n")
	head, streams, _ := strings.Cut(body, "\n")
	var header map[string]any
	if err := json.Unmarshal([]byte(head), &header); err != nil {
		t.Fatal(err)
	}
	change(header)
	changed, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	body = string(changed) + "\n" + streams
	sum := sha256.Sum256([]byte(body))
	text = "envwrap-cache-entry 1 " + hex.EncodeToString(sum[:]) + "\n" + body
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A large output lies in the store, and is read again from there byte for byte;
// the collector leaves it alone until the entry ends. When it is gone all the
// same, the run is made anew.
func TestCacheLargeOutput(t *testing.T) {
	t.Parallel()
	c := newCached(t)
	args := []string{"--cache", "1h", "--max-capture", "0", "--", "sh", "-c", "echo x >>runs; seq 1 8000"}
	first := c.run(args...)
	if first.Stdout.Artifact == "" {
		t.Fatal("nothing was spilled")
	}
	second := c.run(args...)
	if second.Source != "cache" || second.Stdout.Artifact != first.Stdout.Artifact || second.Stdout.Bytes != first.Stdout.Bytes ||
		second.Stdout.Excerpt.Text != first.Stdout.Excerpt.Text {
		t.Errorf("got %+v from %s", second.Stdout, second.Source)
	}
	out, err := c.command(append([]string{"-o", "out.json"}, args...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	want, err := exec.Command("seq", "1", "8000").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out, want) || c.runs() != 1 {
		t.Errorf("%d bytes were shown, of %d, after %d runs", len(out), len(want), c.runs())
	}
	old := time.Now().Add(-1000 * time.Hour)
	objects, _ := filepath.Glob(filepath.Join(c.store(), "objects", "*", "*"))
	for _, object := range objects {
		if err := os.Chtimes(object, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := c.command("artifact", "gc", "--max-size", "1").CombinedOutput(); err != nil || len(objects) == 0 {
		t.Fatalf("%v: %s", err, out)
	}
	if r := c.run(args...); r.Source != "cache" {
		t.Errorf("the collector took the output of a remembered run")
	}
	if out, err := c.command("cache", "clear").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if info, err := os.Stat(c.object(first.Stdout.Artifact)[0]); err != nil || time.Since(info.ModTime()) > time.Hour {
		t.Errorf("an answer named the output, and it is not young again: %v", err)
	}
	if pins, _ := os.ReadDir(filepath.Join(c.store(), "pins")); len(pins) > 0 {
		t.Errorf("pins are left: %v", pins)
	}
	c.run(args...)
	for _, file := range c.object(first.Stdout.Artifact) {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if r := c.run(args...); r.Source != "run" || c.runs() != 3 {
		t.Errorf("an output that is gone was taken from %s, after %d runs", r.Source, c.runs())
	}
}

// object are the files of an artifact: plain, packed, or both.
func (c *cached) object(digest string) []string {
	c.t.Helper()
	name := strings.TrimPrefix(digest, "sha256:")
	files, _ := filepath.Glob(filepath.Join(c.store(), "objects", name[:2], name+"*"))
	if len(files) == 0 {
		c.t.Fatalf("artifact %s has no file", digest)
	}
	return files
}

// A damaged object is a miss, never a wrong answer.
func TestCacheDamagedObject(t *testing.T) {
	t.Parallel()
	c := newCached(t)
	args := []string{"--cache", "1h", "--", "sh", "-c", "echo x >>runs; seq 1 20000"}
	first := c.run(args...)
	object := c.object(first.Stdout.Artifact)[0]
	text := []byte(contents(t, object))
	text[len(text)/2] ^= 1
	if err := errors.Join(os.Chmod(object, 0o600), os.WriteFile(object, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	if r := c.run(args...); r.Source != "run" || r.Stdout.Artifact != first.Stdout.Artifact || c.runs() != 2 {
		t.Errorf("got %s from %s after %d runs", r.Stdout.Artifact, r.Source, c.runs())
	}
}

// A program that has become another is another run.
func TestCacheProgram(t *testing.T) {
	c := newCached(t)
	tool := filepath.Join(c.dir, "tool")
	for i, text := range []string{"#!/bin/sh\necho one\n", "#!/bin/sh\necho two\n"} {
		if err := testenv.WriteProgram(tool, text); err != nil {
			t.Fatal(err)
		}
		for j, source := range []string{"run", "cache"} {
			if r := c.run("--cache", "1h", "--", "./tool"); r.Source != source || r.Stdout.Text != []string{"one\n", "two\n"}[i] {
				t.Errorf("call %d of program %d: %q from %s", j, i, r.Stdout.Text, r.Source)
			}
		}
	}
	out, err := c.command("cache", "explain", "--", "./tool").Output()
	if err != nil || !strings.Contains(string(out), "that run was a miss: program changed") {
		t.Errorf("%v: %s", err, out)
	}
}

// An input that the command itself changes does not show what the command has read.
func TestCacheInputChangesMeanwhile(t *testing.T) {
	c := newCached(t)
	for range 2 {
		r := c.run("--cache", "1h", "--cache-input", "log", "--", "sh", "-c", "echo x >>runs; echo x >>log")
		if r.Source != "run" || len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0], "log\" changed while it ran") {
			t.Errorf("from %s, with warnings %q", r.Source, r.Warnings)
		}
	}
}

// The TTL of the call that asks counts, and that of the call that kept it.
func TestCacheTTL(t *testing.T) {
	c := newCached(t)
	args := func(ttl string) []string { return []string{"--cache", ttl, "--", "sh", "-c", "echo x >>runs"} }
	c.run(args("1h")...)
	c.grow(-30 * time.Minute)
	for _, step := range []struct {
		ttl, source string
	}{{"31m", "cache"}, {"29m", "run"}, {"29m", "cache"}} {
		if r := c.run(args(step.ttl)...); r.Source != step.source {
			t.Errorf("--cache %s: from %s, want %s", step.ttl, r.Source, step.source)
		}
	}
	c.grow(-30 * time.Minute)
	if r := c.run(args("10h")...); r.Source != "run" {
		t.Error("what was kept for 29 minutes answered after 30")
	}
	c.grow(2 * time.Hour)
	if r := c.run(args("10h")...); r.Source != "run" {
		t.Error("what was kept in a time to come answered")
	}
	c.grow(-11 * time.Hour)
	out, err := c.command(append([]string{"cache", "explain"}, args("10h")...)...).Output()
	if err != nil || !strings.HasPrefix(string(out), "miss: expired\n") {
		t.Errorf("%v: %s", err, out)
	}
}

// Where nothing can be kept the command runs all the same, with its status.
func TestCacheNowhere(t *testing.T) {
	c := newCached(t)
	if err := os.WriteFile(filepath.Join(c.dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b := c.begin("--store", "file", "--cache", "1h", "--ok-exit", "7", "--", "sh", "-c", "echo out; exit 7")
	if r := b.end(); b.ProcessState.ExitCode() != 7 || r.Source != "run" || r.Stdout.Text != "out\n" || len(r.Warnings) == 0 {
		t.Errorf("%v: %q from %s, warnings %q", b.ProcessState, r.Stdout.Text, r.Source, r.Warnings)
	}
}

// On a full disk the run is reported as it was, with a warning, and is not remembered;
// once there is room again, it is.
func TestCacheFullDisk(t *testing.T) {
	c := newCached(t)
	const script = `
mkdir -p state && mount -t tmpfs -o size=400k,mode=700 tmpfs state || exit 90
envwrap --cache 1h -- sh count >first
dd if=/dev/zero of=state/fill bs=1k 2>/dev/null
envwrap --cache 1h -- sh -c 'sh count; exit 0' >full; echo $? >status
ls -A state/envwrap/cache/entries | wc -l >entries
ls -A state/envwrap/cache/locks >locks
rm state/fill
envwrap --cache 1h -- sh -c 'sh count; exit 0' >room
envwrap --cache 1h -- sh -c 'sh count; exit 0' >again`
	if err := os.WriteFile(filepath.Join(c.dir, "count"), []byte("echo x >>runs; wc -l <runs\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script)
	cmd.Dir, cmd.Env = c.dir, c.env
	out, err := cmd.CombinedOutput()
	if cannotUnshare(err, string(out), cmd.ProcessState) {
		t.Skipf("no namespaces here: %v %s", err, out)
	}
	result := func(name string) *envelope.Result {
		r, err := envelope.Decode(envelope.Dialects()[0], []byte(contents(t, filepath.Join(c.dir, name))))
		if err != nil {
			t.Fatalf("%s: %v, %s", name, err, out)
		}
		return r
	}
	full := result("full")
	if full.Source != "run" || strings.TrimSpace(full.Stdout.Text) != "2" || contents(t, filepath.Join(c.dir, "status")) != "0\n" {
		t.Errorf("full: %q from %s", full.Stdout.Text, full.Source)
	}
	if w := strings.Join(full.Warnings, " "); !strings.Contains(w, "not remembered: ") || !strings.Contains(w, "no space left") {
		t.Errorf("full: warnings %q", w)
	}
	if n, locks := contents(t, filepath.Join(c.dir, "entries")), contents(t, filepath.Join(c.dir, "locks")); strings.TrimSpace(n) != "1" || locks != "" {
		t.Errorf("full: %s entries, and locks %q", n, locks)
	}
	if room, again := result("room"), result("again"); room.Source != "run" || again.Source != "cache" || again.Stdout.Text != room.Stdout.Text {
		t.Errorf("later: %q from %s, then %q from %s", room.Stdout.Text, room.Source, again.Stdout.Text, again.Source)
	}
}

// A run that would become a job is answered from memory before it does; what a
// job has run answers a run, and a job can be stale and made anew too.
func TestCacheAndJobs(t *testing.T) {
	t.Parallel()
	c := newCached(t)
	script := []string{"--", "sh", "-c", "echo x >>runs; wc -l <runs | tr -d ' '"}
	with := func(args ...string) []string { return append(args, script...) }
	first := c.run(with("--wait", "30s", "--cache", "1h", "--cache-stale", "5h")...)
	if first.Source == "cache" || first.Stdout.Text != "1\n" {
		t.Errorf("the first: %q from %s", first.Stdout.Text, first.Source)
	}
	jobs, _ := filepath.Glob(filepath.Join(c.store(), "jobs", "*"))
	second := c.run(with("--wait", "30s", "--cache", "1h")...)
	if second.Source != "cache" || second.Stdout.Text != "1\n" {
		t.Errorf("the second: %q from %s", second.Stdout.Text, second.Source)
	}
	if after, _ := filepath.Glob(filepath.Join(c.store(), "jobs", "*")); len(jobs) == 0 || !slices.Equal(after, jobs) {
		t.Errorf("a run that was remembered became a job: %q, then %q", jobs, after)
	}
	if third := c.run(with("--cache", "1h")...); third.Source != "cache" || third.Stdout.Text != "1\n" {
		t.Errorf("the third: %q from %s", third.Stdout.Text, third.Source)
	}
	c.grow(-2 * time.Hour)
	ack, err := c.command(with("job", "submit", "--cache", "1h", "--cache-stale", "5h")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	submitted, err := envelope.Decode(envelope.Dialects()[0], ack)
	if err != nil {
		t.Fatal(err)
	}
	if stale := c.run("job", "wait", submitted.JobID); !stale.Stale || stale.Stdout.Text != "1\n" {
		t.Errorf("the job: %q, stale %t", stale.Stdout.Text, stale.Stale)
	}
	c.until("it is made anew", func() bool { return c.runs() == 2 && len(c.left("locks")) == 0 })
	if last := c.run(with("--cache", "1h")...); last.Source != "cache" || last.Stale || last.Stdout.Text != "2\n" {
		t.Errorf("the last: %q from %s", last.Stdout.Text, last.Source)
	}
}

// A pipe that nobody uses is no hindrance, be it open or at its end; what comes
// through a pipe is known to nobody, and such a run is made each time.
func TestCachePipes(t *testing.T) {
	t.Parallel()
	for _, pipe := range []struct {
		name   string
		use    func(c *cached, w *os.File)
		second string
	}{
		{"idle", func(*cached, *os.File) {}, "cache"},
		{"at its end", func(_ *cached, w *os.File) { _ = w.Close() }, "cache"},
		{"full", func(_ *cached, w *os.File) { _, _ = w.WriteString("in\n"); _ = w.Close() }, "run"},
		{"fed late", func(c *cached, w *os.File) {
			before := c.runs()
			go func() {
				for c.runs() == before && c.t.Context().Err() == nil { // a goroutine may not end the test
					runtime.Gosched()
				}
				_, _ = w.WriteString("in\n")
				_ = w.Close()
			}()
		}, "run"},
	} {
		c := newCached(t)
		script := "echo x >>runs; echo out"
		if pipe.second == "run" {
			script = "echo x >>runs; cat"
		}
		for i, source := range []string{"run", pipe.second} {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			b := &begun{Cmd: c.command("--cache", "1h", "--", "sh", "-c", script), c: c}
			b.Stdin, b.Stdout = r, &b.out
			pipe.use(c, w)
			if err := b.Start(); err != nil {
				t.Fatal(err)
			}
			_ = r.Close()
			got := b.end()
			_ = w.Close()
			if got.Source != source || got.Stdout.Text != map[string]string{"cache": "out\n", "run": "in\n"}[pipe.second] {
				t.Errorf("%s, call %d: %q from %s", pipe.name, i, got.Stdout.Text, got.Source)
			}
			if warned := strings.Contains(strings.Join(got.Warnings, " "), "not remembered"); warned != (pipe.second == "run") {
				t.Errorf("%s, call %d: warnings %q", pipe.name, i, got.Warnings)
			}
		}
	}
}

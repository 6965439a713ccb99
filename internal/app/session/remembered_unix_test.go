//go:build unix

package session

import (
	"cmp"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/wrap"
)

// clocked returns an Env whose clock stands still until it is moved.
func clocked(t *testing.T) (env *Env, move func(time.Duration)) {
	t.Helper()
	env = testEnv(t)
	now := time.Now()
	env.Now = func() time.Time { return now }
	return env, func(d time.Duration) { now = now.Add(d) }
}

// counting are the options of a command that notes each of its runs in a file.
func counting(env *Env, script string) Options {
	return Options{
		Argv:        []string{"sh", "-c", "echo run >>'" + env.TempDir + "/runs'; " + script},
		UserOptions: UserOptions{Dir: "/", Limits: wrap.Limits{InlineLimit: 1 << 10}, Cache: Cache{TTL: time.Hour}},
	}
}

func runs(t *testing.T, env *Env) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(env.TempDir, "runs"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

// do runs a command that envwrap itself can do.
func do(t *testing.T, env *Env, o Options) *envelope.Result {
	t.Helper()
	res, err := run(t.Context(), env, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// writeInput makes a file for a command to read.
func writeInput(t *testing.T, env *Env, text string) string {
	t.Helper()
	name := filepath.Join(env.TempDir, "input")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func explain(t *testing.T, env *Env, o Options) *Explanation {
	t.Helper()
	s := New(env, o)
	defer s.Close()
	s.Prepare()
	x, err := s.Explain()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func changes(x *Explanation) string {
	var parts []string
	for _, c := range x.Changes {
		parts = append(parts, c.Part)
	}
	return strings.Join(parts, ",")
}

// An explanation says what a run would do, and runs nothing.
func TestExplain(t *testing.T) {
	env, move := clocked(t)
	o := counting(env, "echo done")
	check := func(what string, o Options, result, change string, known bool) *Explanation {
		t.Helper()
		x := explain(t, env, o)
		if x.Result != result || changes(x) != change || x.Known != known {
			t.Errorf("%s: got %+v, want %s because of %q, known %v", what, x, result, change, known)
		}
		return x
	}
	check("before any run", o, "miss", "never-run", false)
	do(t, env, o)
	move(20 * time.Minute)
	if x := check("after it", o, "hit", "never-run", true); x.Age != 20*time.Minute || x.Left != 40*time.Minute || x.Key == "" {
		t.Errorf("got the age %v, %v left, the key %q", x.Age, x.Left, x.Key)
	}
	other := o
	other.Env = []string{"WHO=ada"}
	if x := check("with another variable", other, "miss", "env", false); x.Nearest == nil || x.Key == "" {
		t.Errorf("got %+v: it is like the one that ran", x)
	}
	move(time.Hour)
	check("when it has expired", o, "miss", "expired", true)
	stale := o
	stale.Cache.Stale = time.Hour
	check("when it may be stale", stale, "stale", "never-run", true)
	do(t, env, o)
	check("when it was run anew", o, "hit", "expired", true)
	nowhere := o
	nowhere.Dir = filepath.Join(env.TempDir, "nowhere")
	if x := check("where nothing can run", nowhere, "never", "", false); x.Why == "" {
		t.Error("it does not say why")
	}
	if n := runs(t, env); n != 2 {
		t.Errorf("the command ran %d times, want 2", n)
	}
}

// A failure is remembered, and answers, only where that is wanted.
func TestFailuresAreRemembered(t *testing.T) {
	env, _ := clocked(t)
	o := counting(env, "exit 3")
	for i, c := range []struct {
		failures bool
		runs     int
		source   string
	}{{false, 1, ""}, {false, 2, ""}, {true, 3, ""}, {true, 3, "cache"}, {false, 4, ""}} {
		o.Cache.Failures = c.failures
		if res := do(t, env, o); res.ExitStatus != 3 || res.Source != c.source || runs(t, env) != c.runs {
			t.Errorf("call %d: status %d, the source %q after %d runs; want %q after %d", i, res.ExitStatus, res.Source, runs(t, env), c.source, c.runs)
		}
	}
	o.Cache.Failures = false
	if x := explain(t, env, o); x.Result != "miss" || !strings.Contains(x.Why, "--cache-failures") {
		t.Errorf("got %+v", x)
	}
}

// Remembered answers without running anything.
func TestRemembered(t *testing.T) {
	env, move := clocked(t)
	o := counting(env, "echo done")
	remembered := func(o Options) *envelope.Result {
		s := New(env, o)
		defer s.Close()
		s.Prepare()
		return s.Remembered()
	}
	if res := remembered(o); res != nil {
		t.Errorf("before any run: got %+v", res)
	}
	do(t, env, o)
	if res := remembered(o); res == nil || res.Stdout.Text != "done\n" || res.Source != "cache" {
		t.Errorf("after it: got %+v", res)
	}
	none := o
	none.Cache = Cache{}
	if res := remembered(none); res != nil {
		t.Errorf("where nothing is to be remembered: got %+v", res)
	}
	move(2 * time.Hour)
	if res := remembered(o); res != nil {
		t.Errorf("when it has expired: got %+v", res)
	}
	if n := runs(t, env); n != 1 {
		t.Errorf("the command ran %d times, want 1", n)
	}
}

// An expired run answers while a program of ours makes it anew. Where none can be
// begun the command runs.
func TestStale(t *testing.T) {
	env, move := clocked(t)
	o := counting(env, "echo done")
	o.Cache.Stale = time.Hour
	do(t, env, o)
	move(90 * time.Minute)
	if res := do(t, env, o); res.Source != "" || runs(t, env) != 2 {
		t.Errorf("where none can be begun: got the source %q after %d runs", res.Source, runs(t, env))
	}
	move(90 * time.Minute)
	begun := filepath.Join(env.TempDir, "begun")
	if err := syscall.Mkfifo(begun, 0o600); err != nil {
		t.Fatal(err)
	}
	env.Program = func() (string, error) { return "/bin/sh", nil }
	o.Refresh = func(store string) (args, environ []string) {
		return []string{"sh", "-c", `echo "$1 $` + refreshVariable + ` $(cat)" >"$2"`, "sh", store, begun}, nil
	}
	in, err := os.Open(writeInput(t, env, "input\n"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	o.Stdin, o.Merge = wrap.Stdin{File: in}, true
	do(t, env, o)
	move(90 * time.Minute)
	key := explain(t, env, o).Key
	res := do(t, env, o)
	if res.Source != "cache" || !res.Stale || res.CacheAge != 90*time.Minute || runs(t, env) != 3 {
		t.Errorf("got the source %q, stale %v, the age %v, %d runs", res.Source, res.Stale, res.CacheAge, runs(t, env))
	}
	text, err := os.ReadFile(begun)
	if want := env.StoreDirs("")[0] + " " + string(key) + " merge input\n"; err != nil || string(text) != want {
		t.Errorf("the program was begun with %q, %v; want %q", text, err, want)
	}
}

// An expired failure is run again where failures do not answer, and what was stopped
// is not remembered.
func TestStaleFailure(t *testing.T) {
	env, move := clocked(t)
	env.Program = func() (string, error) { return "/bin/true", nil }
	o := counting(env, "exit 3")
	o.Refresh = func(string) (args, environ []string) { return []string{"true"}, nil }
	o.Cache = Cache{TTL: time.Hour, Stale: 5 * time.Hour, Failures: true}
	do(t, env, o)
	move(90 * time.Minute)
	o.Cache.Failures = false
	if res := do(t, env, o); res.Source != "" || res.ExitStatus != 3 || runs(t, env) != 2 {
		t.Errorf("got %+v after %d runs", res, runs(t, env))
	}
	o.Argv, o.Timeout = []string{"sleep", "60"}, time.Millisecond
	for range 2 {
		if res := do(t, env, o); res.Source != "" || res.Outcome.Code != envelope.ETIMEOUT {
			t.Errorf("got %+v", res)
		}
	}
}

// cached returns a call that has not looked yet for what is remembered of it.
func cached(t *testing.T, env *Env, o Options) (*cachedRun, *cacheStore) {
	t.Helper()
	s := New(env, o)
	t.Cleanup(func() { s.Close() })
	s.Prepare()
	call, _ := s.cacheCall()
	m := &cachedRun{Session: s, call: call}
	t.Cleanup(func() { m.close() })
	p, err := m.writable()
	if err != nil {
		t.Fatal(err)
	}
	return m, p
}

// Replacing an entry releases its pins, except those of the new entry.
func TestRelease(t *testing.T) {
	env, _ := clocked(t)
	o := counting(env, "echo done")
	o.InlineLimit = 0
	do(t, env, o)
	m, p := cached(t, env, o)
	e := p.cache.Get(p.key)
	other, empty := *e, *e
	other.Key = cache.Key("sha256:" + strings.Repeat("0", 64))
	empty.Recording = wrap.Recording{}
	for name, c := range map[string]struct {
		but  *cache.Entry
		pins int
	}{"itself": {e, 1}, "nothing": {nil, 0}, "another key": {&other, 0}, "other output": {&empty, 0}} {
		if why := m.pinAndPut(p, e); why != "" {
			t.Fatal(why)
		}
		Release(p.store, nil, c.but)
		Release(p.store, e, c.but)
		if pins, err := p.store.Pins(); err != nil || len(pins) != c.pins {
			t.Errorf("but for %s: %d pins, %v", name, len(pins), err)
		}
	}
}

// A caller who finds an entry expired gets the entry that another process stored
// meanwhile, or the expired one while that process still runs.
func TestMadeAnewMeanwhile(t *testing.T) {
	env, move := clocked(t)
	o := counting(env, "echo done")
	do(t, env, o)
	m, p := cached(t, env, o)
	old := p.cache.Get(p.key)
	move(90 * time.Minute)
	if res := m.staleAnswer(p, old); res != nil {
		t.Errorf("before: got %+v", res)
	}
	lock, err := p.cache.Lock(p.key)
	if err != nil {
		t.Fatal(err)
	}
	if state, _, err := lock.Try(); state != cache.Mine || err != nil {
		t.Fatal(state, err)
	}
	if res := m.staleAnswer(p, old); res == nil || !res.Stale || res.CacheAge != 90*time.Minute {
		t.Errorf("meanwhile: got %+v", res)
	}
	lock.Release()
	do(t, env, o)
	if res := m.staleAnswer(p, old); res == nil || res.Stale || res.CacheAge != 0 || runs(t, env) != 2 {
		t.Errorf("after: got %+v, %d runs", res, runs(t, env))
	}
}

// A process that waits for a run also gets its failure, which is not remembered.
func TestFailureIsShared(t *testing.T) {
	env, _ := clocked(t)
	gate := filepath.Join(env.TempDir, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	o := counting(env, "read x <'"+gate+"'; exit 3")
	first, second := make(chan *envelope.Result, 1), make(chan *envelope.Result, 1)
	go func() {
		res, _ := run(t.Context(), env, o)
		first <- res
	}()
	open, err := os.OpenFile(gate, os.O_WRONLY, 0) // it has begun
	if err != nil {
		t.Fatal(err)
	}
	s := New(env, o)
	defer s.Close()
	s.Prepare()
	signals := make(chan os.Signal)
	s.Command.Signals = signals
	go func() {
		res, _ := s.Run(t.Context())
		second <- res
	}()
	signals <- syscall.SIGWINCH // taken by who waits
	_ = open.Close()
	for name, c := range map[string]struct {
		got    chan *envelope.Result
		source string
	}{"the run": {first, ""}, "who waited": {second, "cache"}} {
		if res := <-c.got; res == nil || res.ExitStatus != 3 || res.Source != c.source {
			t.Errorf("%s: got %+v", name, res)
		}
	}
	if n := runs(t, env); n != 1 {
		t.Errorf("the command ran %d times, want 1", n)
	}
}

// A second call of what is running waits for it, until it has ended or a signal
// ends the waiting.
func TestWaitForTheSameRun(t *testing.T) {
	env, _ := clocked(t)
	gate := filepath.Join(env.TempDir, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	o := counting(env, "read x <'"+gate+"'; echo $x")
	first := make(chan *envelope.Result, 1)
	go func() {
		res, _ := run(t.Context(), env, o)
		first <- res
	}()
	open, err := os.OpenFile(gate, os.O_WRONLY, 0) // it has begun
	if err != nil {
		t.Fatal(err)
	}
	s := New(env, o)
	defer s.Close()
	s.Prepare()
	signals := make(chan os.Signal, 2)
	signals <- syscall.SIGWINCH // ends nothing
	signals <- syscall.SIGTERM
	s.Command.Signals = signals
	res, err := s.Run(t.Context())
	if err != nil || res.Outcome.Code != envelope.ECANCELED || res.ExitStatus != 128+int(syscall.SIGTERM) {
		t.Errorf("a wait that a signal ends: got %+v, %v", res, err)
	}
	hasty := o
	hasty.Timeout = time.Millisecond
	if res := do(t, env, hasty); res.Outcome.Code != envelope.ETIMEOUT || res.Source != "" {
		t.Errorf("a wait longer than the time limit: got %+v", res)
	}
	if _, err := io.WriteString(open, "done\n"); err != nil {
		t.Fatal(err)
	}
	if err := open.Close(); err != nil {
		t.Fatal(err)
	}
	if res := <-first; res == nil || res.Stdout.Text != "done\n" || res.Source != "" {
		t.Errorf("the run: got %+v", res)
	}
	if res := do(t, env, o); res.Source != "cache" || res.Stdout.Text != "done\n" {
		t.Errorf("the next: got %+v", res)
	}
}

// A command knows which key is run around it, so that the same run below it does
// not wait for itself.
func TestKeyIsHeld(t *testing.T) {
	env, _ := clocked(t)
	env.Environ = append(env.Environ, heldVariable+"=other")
	o := counting(env, "echo $"+heldVariable)
	held := strings.TrimSpace(do(t, env, o).Stdout.Text)
	if want := "other," + string(explain(t, env, o).Key); held != want {
		t.Errorf("the command holds %q, want %q", held, want)
	}
}

// Large output that is remembered is answered with, as long as the store has it.
func TestRememberedOutputIsGone(t *testing.T) {
	env, _ := clocked(t)
	o := counting(env, "echo done")
	o.InlineLimit = 0
	do(t, env, o)
	if res := do(t, env, o); res.Source != "cache" || res.Stdout.Artifact == "" {
		t.Fatalf("got %+v", res)
	}
	if err := os.RemoveAll(filepath.Join(env.StoreDirs("")[0], "objects")); err != nil {
		t.Fatal(err)
	}
	if res := do(t, env, o); res.Source != "" || runs(t, env) != 2 {
		t.Errorf("when it is gone: got %+v after %d runs", res, runs(t, env))
	}
}

// A pipe that stays open and empty does not change.
func TestIdlePipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	s := New(testEnv(t), Options{Argv: []string{"true"}, Stdin: wrap.Stdin{File: r}})
	defer s.Close()
	s.Prepare()
	if s.stdinChanges() {
		t.Error("it has changed")
	}
}

// A memory holds the runs that other machines remember, in a map.
type memory map[string][]byte

func (m memory) Get(key string) ([]byte, error) {
	if text, ok := m[key]; ok {
		return text, nil
	}
	return nil, artifact.ErrNotFound
}

func (m memory) Put(key string, text []byte) error { m[key] = slices.Clone(text); return nil }

func (memory) Push([]string, []string) error { return nil }

func (memory) Fetch(string, io.Writer) error { return artifact.ErrNotFound }

// A broken memory fails in one of its ways.
type broken struct {
	memory
	get, put, push error
}

func (b broken) Get(string) ([]byte, error) { return nil, cmp.Or(b.get, artifact.ErrNotFound) }

func (b broken) Put(string, []byte) error { return b.put }

func (b broken) Push(_, digests []string) error {
	if len(digests) != 1 {
		return fmt.Errorf("%d artifacts", len(digests))
	}
	return b.push
}

// A failure of the remote is a warning and does not end the run.
func TestSharedFails(t *testing.T) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	why := errors.New("no way")
	for want, remote := range map[string]SharedRemote{
		"": broken{}, "remote cache: no way": broken{get: why}, "not shared: no way": broken{put: why}, "not shared: no way ": broken{push: why},
	} {
		env, _ := clocked(t)
		o := counting(env, "echo done")
		o.InlineLimit = 0
		o.Shared = &Shared{Remote: remote, Key: private}
		res := do(t, env, o)
		if got := strings.Join(res.Warnings, "; "); got != strings.TrimSpace(want) || !res.Outcome.OK() || res.Source != "" {
			t.Errorf("%+v: got %q, %+v", remote, got, res)
		}
	}
}

// A remembered run answers on another machine that trusts the key, while it is fresh there.
func TestShared(t *testing.T) {
	remote := memory{}
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	stranger, _, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	here, _ := clocked(t)
	o := counting(here, "echo done")
	o.Shared = &Shared{Remote: remote, Key: private}
	if res := do(t, here, o); len(remote) != 2 || len(res.Warnings) > 0 {
		t.Fatalf("%d objects, of an entry and its lease; warnings %q", len(remote), res.Warnings)
	}
	for _, c := range []struct {
		name    string
		trusted ed25519.PublicKey
		ttl     time.Duration
		later   time.Duration
		source  string
		why     string // of the explanation
	}{
		{"a trusted key", public, time.Hour, time.Minute, "cache", "its entry is good"},
		{"too old for this call", public, time.Minute, 2 * time.Minute, "", "older than --cache allows"},
		{"a key that is not trusted", stranger, time.Hour, 0, "", "not among trusted-keys"},
	} {
		t.Run(c.name, func(t *testing.T) {
			there, move := clocked(t)
			there.Environ = slices.Clone(here.Environ)
			there.Environ = SetAll(there.Environ, "XDG_STATE_HOME="+filepath.Join(there.TempDir, "state"))
			move(c.later)
			o := o
			o.Cache.TTL = c.ttl
			o.Shared = &Shared{Remote: remote, Trusted: []ed25519.PublicKey{c.trusted}}
			if x := explain(t, there, o); x.Result != "miss" || !strings.Contains(x.Remote, c.why) {
				t.Errorf("got %+v", x)
			}
			before := runs(t, here)
			res := do(t, there, o)
			if ran := runs(t, here) > before; res.Source != c.source || ran != (c.source == "") || res.Stdout.Text != "done\n" {
				t.Errorf("got the source %q, ran %v, %q", res.Source, ran, res.Stdout.Text)
			}
		})
	}
	empty := o
	empty.Shared = &Shared{Remote: memory{}}
	empty.Env = []string{"OTHER=1"}
	if x := explain(t, here, empty); x.Remote != "it has no entry of this run" {
		t.Errorf("got %+v", x)
	}
}

// How long a server asks to wait is read from what the command itself printed.
func TestRetryAfter(t *testing.T) {
	asked := &envelope.Result{Stderr: envelope.Stream{Tail: []byte("HTTP/1.1 429\nRetry-After: 7\n")}}
	for _, c := range []struct {
		res  *envelope.Result
		want time.Duration
	}{
		{asked, 7 * time.Second},
		{&envelope.Result{Exec: asked}, 7 * time.Second},
		{&envelope.Result{}, 0},
	} {
		if got, ok := retryAfter(c.res); got != c.want || ok != (c.want > 0) {
			t.Errorf("got %v, %t, want %v", got, ok, c.want)
		}
	}
}
